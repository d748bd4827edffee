/* SPDX-License-Identifier: Apache-2.0 */
/* test_delegate.h - a model of four nodes, and a delegate for tests, which runs CPU kernels and errs as it is told to.
 *
 * For the layers above delegates: sessions, partitioning, comparison, profiles. It needs no device, and counts the calls that it
 * gets, so that a test sees whether kernels were freed, and whether any was prepared twice. */
#ifndef DELEGAUGE_TEST_DELEGATE_H
#define DELEGAUGE_TEST_DELEGATE_H

#include <stdlib.h>

#include "bench/models/builder.h"
#include "lib/session/session.h"
#include "lib/testing/test.h"
#include "lib/testing/test_model.h"

/* Elements of each tensor of the chain: not a multiple of 4. */
#define LEN 6

/* x -> NEG -> a -> ABS -> b -> NEG -> c -> ADD(c, a) -> y, FLOAT32[LEN] each: y = -|x| - x. A delegate that takes ABS alone, or all
 * but it, makes two partitions or a border in the middle; `a` is read twice. */
void build_chain(struct builder *b);
struct loaded load_chain(void); /* ends with unload */

/* End the builder and return a session on its model, ready to run; both are the caller's to free, the session first. */
struct session *load_and_prepare(struct builder *b, const struct session_options *opt, struct loaded *l);

/* The delegate; zeros but for the members that fake_delegate fills. */
struct fake {
    struct delegate base;
    const char *takes; /* names with spaces around: " RELU ADD " */
    const char *off;   /* the first element that nodes of this name make is too large by `by`; NULL: none */
    float by;
    const char *splits;          /* nodes of this name take two rows of a profile; NULL: none */
    const char *copies;          /* nodes of this name are said to copy in a profile; NULL: none */
    const char *refuses;         /* nodes of this name are claimed, but no driver takes them; NULL: none */
    int inited, prepared, freed; /* kernels; calls of prepare */
    bool fail_init, fail_invoke;
    bool halves; /* the pieces of a profile are computed with 16-bit floats */
};

/* claim, init and prepare of the above. `init` fails the test if the partition is another delegate's. Its kernels run the CPU
 * kernels of their nodes on one thread and own the memory of inner values from prepare on; freeing one takes it back from the
 * tensors. `profile` runs too, and reports that node k of the partition, from 1, took k microseconds as a piece labelled "piece",
 * besides 100, 200 and 300 ns of writing, waiting and reading. A partition has two programs, "first" of 10 and "second" of 11 ns.
 */
extern const struct delegate_ops fake_ops;

/* Return the delegate that takes the nodes of these names, named "fake" and "FAKE" in reports, on "no device". Needs no closing. */
struct fake fake_delegate(const char *takes);

#endif
