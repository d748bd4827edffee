/* SPDX-License-Identifier: Apache-2.0 */
/* node_rerun.h - re-runs one node of a session with changed input values, on copies: node, tensors and session stay as they are. */
#pragma once

#include "lib/graph/kernel.h"

/* Change the content f[n] of FLOAT32 operand i in place; `t` is the node's own tensor. */
typedef void (*node_rerun_change)(const struct tensor *t, uint32_t i, float *f, size_t n);

struct node_rerun {
    struct node node;        /* the copy; node.out[] hold the results of node_rerun_run */
    struct tensor *in, *out; /* [n_in], [n_out] */
    struct arena arena;
};

/* Return true if the node can be re-run: it has a kernel and no state, calls no subgraph, and its output shapes are known. */
bool node_rerun_possible(const struct node *n);

/* Copy a node that has run and whose operands still have their content; node_rerun_possible(n) is true. `change` modifies FLOAT32
 * operands; NULL: they stay as they are. `opt`: options of the same struct instead of the node's; NULL: the node's. Fails only with
 * ST_NOMEM. Free with node_rerun_free, after failures too. */
enum status node_rerun_init(struct node_rerun *b, const struct node *n, const void *opt, node_rerun_change change, struct err *err);
void node_rerun_free(struct node_rerun *b);

/* Run the copy with the reference kernel; `double_sums` accumulates in double. Fails as the kernel does; the message names the
 * node. */
enum status node_rerun_run(struct node_rerun *b, struct threads *threads, bool double_sums, struct err *err);
