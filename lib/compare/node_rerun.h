/* SPDX-License-Identifier: Apache-2.0 */
/* node_rerun.h - a node run again beside its session, on other numbers, to see its results for them.
 *
 * The node, its tensors and its session stay as they are. */
#ifndef DELEGAUGE_NODE_RERUN_H
#define DELEGAUGE_NODE_RERUN_H

#include "lib/graph/kernel.h"

/* Changes the content f[n] of FLOAT32 operand i in place; `t` is the node's own. */
typedef void (*node_rerun_change)(const struct tensor *t, uint32_t i, float *f, size_t n);

struct node_rerun {
    struct node node;        /* the copy: node.out[] are its results after node_rerun_run */
    struct tensor *in, *out; /* [n_in], [n_out] */
    struct arena arena;
};

/* Return true if a node can be run so: it has a kernel and no state, calls no subgraph, and the shapes of its outputs are known. */
bool node_rerun_possible(const struct node *n);

/* Copy a possible node that has run, whose operands still have their content; FLOAT32 operands go through `change` (NULL: as they
 * are). `opt` are other options of the same kind; NULL: the node's. Fails only with ST_NOMEM; free with node_rerun_free after
 * failures too. */
enum status node_rerun_init(struct node_rerun *b, const struct node *n, const void *opt, node_rerun_change change, struct err *err);
void node_rerun_free(struct node_rerun *b);

/* Run the copy by the reference kernel, with sums of double if asked for. Fails as the kernel does; the message names the node. */
enum status node_rerun_run(struct node_rerun *b, struct threads *threads, bool double_sums, struct err *err);

#endif
