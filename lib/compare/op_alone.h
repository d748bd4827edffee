/* SPDX-License-Identifier: Apache-2.0 */
/* op_alone.h - runs the nodes of a delegate one at a time, to find each node's own error and its effect on the model's outputs.
 *
 *     op_alone_open    once the reference is prepared
 *     op_alone_run     after each run of the reference, whose tensors hold the values of that run
 *     op_diffs_judge   after the last run (op_diff.h)
 *     op_alone_rank    optional
 *     op_alone_free
 *
 * All of it uses a separate session with tensors in host memory, in which each node is a partition. So a node is compiled without
 * the nodes that it is fused with in the whole model, and no state of an earlier run remains. */
#pragma once

#include "lib/compare/op_diff.h"

/* Zeroed to begin with. */
struct op_alone {
    struct session *session; /* owned: the reference's kernels, keeping intermediates */
    struct threads *threads;
    bool (*stop)(void); /* called before each node; true ends op_alone_run and op_alone_rank early; NULL: never */

    /* During op_alone_rank: node whose outputs are replaced in a run of the reference, and the new content of these outputs, one
     * behind the other. */
    const struct node *put;
    char *content;
};

/* Open the session on the reference's model and subgraph, with its shapes and go_on. Fails as session_prepare does. */
enum status op_alone_open(struct op_alone *a, const struct session *reference, const struct session_options *opt, struct err *err);
void op_alone_free(struct op_alone *a);

/* Run each delegated node alone on the reference's inputs, and add the difference of its outputs to `alone`. Skips nodes that read
 * state, since the reference's state has changed since, and nodes with an input that has no data or another size in the reference.
 * Fails as compiling and running do, naming the node. */
enum status op_alone_run(struct op_alone *a, struct op_diffs *o, struct err *err);

/* Most nodes that op_alone_rank runs; and, if some are off, most nodes among them that are not: does their rounding matter more? */
#define OP_ALONE_RANKED 24
#define OP_ALONE_OTHERS 4

/* Compute `adds` of nodes that are off, in descending order of `rounding`; then of others, in descending order of root mean square
 * error relative to their values. Each costs one run of the reference. play(arg, run) restores the reference to its state after
 * that run. */
enum status op_alone_rank(struct op_alone *a, struct op_diffs *o, enum status (*play)(void *arg, uint32_t run, struct err *err),
                          void *arg, struct err *err);
