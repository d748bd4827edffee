/* SPDX-License-Identifier: Apache-2.0 */
/* test_delegate.h - a model of four nodes, and a fake delegate that runs CPU kernels and fails or errs on request.
 *
 * For tests of sessions, partitioning, comparison and profiles. It needs no device, and counts calls, so that a test sees if
 * kernels were freed, or prepared twice. */
#pragma once

#include "bench/models/builder.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

/* Elements of each tensor of the chain: not a multiple of 4. */
#define LEN 6 /* elements of each tensor of the chain: not a multiple of 4 */

/* Build x -> NEG -> a -> ABS -> b -> NEG -> c -> ADD(c, a) -> y, FLOAT32[LEN] each: y = -|x| - x. If a delegate takes ABS alone, or
 * all but ABS, there are two partitions, or one in the middle; `a` is read twice. */
void build_chain(struct builder *b);
struct loaded load_chain(void); /* to be freed by unload */

/* End the builder and return a prepared session on its model. The caller frees the session first, then *l. */
struct session *load_and_prepare(struct builder *b, const struct session_options *opt, struct loaded *l);

/* The fake delegate; members that fake_delegate does not set are zeros. */
struct fake {
    struct delegate base;
    const char *takes; /* names of operators it claims, with spaces around: " RELU ADD " */
    const char *off;   /* operator whose results have `by` added to their first element; NULL: none */
    float by;
    const char *splits;          /* operator whose nodes have two rows in a profile; NULL: none */
    const char *copies;          /* operator whose nodes are reported as copies in a profile; NULL: none */
    const char *refuses;         /* operator whose nodes are claimed, and refused by init as by a driver; NULL: none */
    int inited, prepared, freed; /* kernels made, calls of prepare, kernels freed */
    bool fail_init, fail_invoke;
    bool halves; /* a profile reports computation with 16-bit floats */
};

/* Functions of the fake delegate. `init` fails the test if the partition is another delegate's. Kernels run the CPU kernels of
 * their nodes on one thread, and own the memory of tensors inside the partition from prepare until they are freed. `profile` runs
 * too, and reports k microseconds for node k of the partition, counted from 1, labelled "piece", besides 100, 200 and 300 ns of
 * writing, waiting and reading. A partition has two programs, "first" of 10 ns and "second" of 11 ns. */
extern const struct delegate_ops fake_ops;

/* Return a fake delegate that claims the operators `takes`. It is named "fake", in reports "FAKE", its device "no device". It needs
 * no closing. */
struct fake fake_delegate(const char *takes);
