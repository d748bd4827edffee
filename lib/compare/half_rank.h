/* SPDX-License-Identifier: Apache-2.0 */
/* half_rank.h - measures the error that each node alone in half precision adds to the outputs; all other nodes compute in float32.
 *
 *   struct half_rank r = {0};
 *   session_options.after_node = half_rank_node, .after_node_arg = &r     of a session of SESSION_FP32 without delegates
 *   session_prepare, fill the inputs, half_rank_run
 *
 * A node in half precision has its FLOAT32 constants rounded before, and its outputs after it runs (half_store.h). Nodes of called
 * subgraphs stay float32. */
#pragma once

#include "lib/session/session.h"

struct half_rank {
    /* [nodes of the session's graph, by position] for each node the largest error of any output: root mean square, relative to the
     * output's largest value; INFINITY if an output is no longer finite; 0 for nodes that were folded or not tried. */
    double *error;
    uint32_t n, looked; /* nodes; nodes tried before stop() */

    struct session *session;   /* borrowed */
    const struct node *target; /* node that is in half precision now */
    struct threads *threads;
    enum status status; /* the first failure of half_rank_node */
    struct err err;
    struct arena arena;
};

/* Run the session on its present inputs: once in float32, then once for each node, in execution order. stop() is called before each
 * run and ends the loop if true; NULL: never. Fails as session_run does, and with ST_NOMEM. */
enum status half_rank_run(struct half_rank *r, struct session *s, bool (*stop)(void *arg), void *arg, struct err *err);
void half_rank_free(struct half_rank *r);

/* Round the target node's results to half precision; for session_options.after_node, with the struct half_rank as `arg`. */
void half_rank_node(void *arg, const struct session *s, const struct node *n);
