/* SPDX-License-Identifier: Apache-2.0 */
/* half_rank.h - the error that each node alone adds to the outputs in half precision: everything else stays float32.
 *
 *   struct half_rank r = {0};
 *   session_options.after_node = half_rank_node, .after_node_arg = &r     of a session of SESSION_FP32 without delegates
 *   session_prepare, fill the inputs, half_rank_run
 *
 * A node in half precision is one whose FLOAT32 constants are rounded, and then its outputs (half_store.h). Nodes of called
 * subgraphs stay float32. */
#ifndef DELEGAUGE_HALF_RANK_H
#define DELEGAUGE_HALF_RANK_H

#include "lib/session/session.h"

struct half_rank {
    /* [nodes of the session's graph, by position there] root mean square error of the output at which it is largest, in terms of
     * that output's largest value; INFINITY if one is not finite any more; 0 for nodes that were folded or not looked at. */
    double *error;
    uint32_t n, looked; /* nodes; nodes looked at before `stop` */

    struct session *session; /* borrowed */
    const struct node *target;
    struct threads *threads;
    enum status status; /* the first failure of half_rank_node */
    struct err err;
    struct arena arena;
};

/* Run the session on the inputs that it has: once as it is, and once for each node, in the order of execution. stop() (NULL: never)
 * is asked before each. Fails as session_run does, and with ST_NOMEM. */
enum status half_rank_run(struct half_rank *r, struct session *s, bool (*stop)(void *arg), void *arg, struct err *err);
void half_rank_free(struct half_rank *r);

/* Store the target node's results in half precision: for session_options.after_node; `arg` is the struct half_rank. */
void half_rank_node(void *arg, const struct session *s, const struct node *n);

#endif
