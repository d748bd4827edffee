/* SPDX-License-Identifier: Apache-2.0 */
/* op_alone.h - the nodes of a delegate one at a time: each one's own error, and its effect on the outputs of the model.
 *
 *     op_alone_open    once the reference is prepared
 *     op_alone_run     after each run of the reference, whose tensors have that run's content
 *     op_diffs_judge   after the last (op_diff.h)
 *     op_alone_rank    then, if wanted
 *     op_alone_free
 *
 * All works on a session of its own, whose tensors lie in host memory: each node is a partition of its own there. So a node is
 * compiled without the nodes that it is fused with in the whole model, and nothing is left of the run before. */
#ifndef DELEGAUGE_OP_ALONE_H
#define DELEGAUGE_OP_ALONE_H

#include "lib/compare/op_diff.h"

/* Zeroed to begin with. */
struct op_alone {
    struct session *session; /* of the reference's kernels, keeping intermediates; owned */
    struct threads *threads;
    bool (*stop)(void); /* asked before each node, ends op_alone_run and op_alone_rank early; NULL: never */

    /* Of op_alone_rank: the node whose outputs are put in place of the reference's, and their content, one behind the other. */
    const struct node *put;
    char *content;
};

/* Open the session on the reference's model and subgraph, in its shapes, with its go_on. Fails as session_prepare. */
enum status op_alone_open(struct op_alone *a, const struct session *reference, const struct session_options *opt, struct err *err);
void op_alone_free(struct op_alone *a);

/* Give each node that a delegate took the reference's inputs, alone, and add the difference of its outputs to `alone`. Nodes that
 * read state are left out, since the reference's has moved on, and nodes of which an input has no data there or another size. Fails
 * as compiling and running does, naming the node. */
enum status op_alone_run(struct op_alone *a, struct op_diffs *o, struct err *err);

/* Most outputs that op_alone_rank looks at; and if some are off, most of the other outputs among them, to see if rounding does
 * more. */
#define OP_ALONE_RANKED 24
#define OP_ALONE_OTHERS 4

/* Find `adds` of the outputs that are off, first of the outputs with the largest multiple of the error that rounding explains; and
 * of others, first of the outputs with the largest root mean square error relative to their size. Each costs a run of the
 * reference. play(arg, run) puts the reference back into its state after that run. */
enum status op_alone_rank(struct op_alone *a, struct op_diffs *o, enum status (*play)(void *arg, uint32_t run, struct err *err),
                          void *arg, struct err *err);

#endif
