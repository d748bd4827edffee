/* SPDX-License-Identifier: Apache-2.0 */
/* node_rerun.h - a node run again beside its session, on other numbers, to see its results for them.
 *
 * The node, its tensors and its session stay as they are. */
#ifndef DELEGAUGE_BESIDE_H
#define DELEGAUGE_BESIDE_H

#include "lib/graph/kernel.h"

/* Changes the content f[n] of FLOAT32 operand i in place; `t` is the node's own. */
typedef void (*beside_change)(const struct tensor *t, uint32_t i, float *f, size_t n);

struct beside {
    struct node node;        /* the copy: node.out[] are its results after beside_run */
    struct tensor *in, *out; /* [n_in], [n_out] */
    struct arena arena;
};

/* Return true if a node can be run so: it has a kernel and no state, calls no subgraph, and the shapes of its outputs are known. */
bool beside_possible(const struct node *n);

/* Copy a possible node that has run, whose operands still have their content; FLOAT32 operands go through `change` (NULL: as they
 * are). `opt` are other options of the same kind; NULL: the node's. Fails only with ST_NOMEM; free with beside_free after failures
 * too. */
enum status beside_init(struct beside *b, const struct node *n, const void *opt, beside_change change, struct err *err);
void beside_free(struct beside *b);

/* Run the copy by the reference kernel, with sums of double if asked for. Fails as the kernel does; the message names the node. */
enum status beside_run(struct beside *b, struct threads *threads, bool double_sums, struct err *err);

#endif
