/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes.h - a group of steps whose shapes become known while running, for dynamic_shapes*.c; all others use
 * session_impl.h.
 *
 * Once a run knows the shapes of a group's inputs, a session of its own runs the group, so that delegates can take nodes of it. */
#pragma once

#include "lib/graph/graph_part.h"
#include "lib/session/session_impl.h"

struct dynamic_group {
    uint32_t n_steps, n_in, n_out;
    bool *within;       /* [graph nodes] nodes of the group */
    struct tensor **in, /* [n_in] tensors of the session's graph that the group reads, results of folded nodes included */
        **out;          /* [n_out] tensors of the session's graph that the group computes for others */
    struct session_cache cache;
    const struct session *last;              /* session of the last run; NULL: the CPU ran it step by step */
    uint32_t made;                           /* number of sessions made */
    uint32_t cpu;                            /* nodes that the CPU ran in the last run */
    uint64_t runs, node_runs, cpu_node_runs; /* as in struct session_dynamic */
};

/* Return the number of groups around a session, one inside the other. */
static inline uint32_t dynamic_level(const struct session *s)
{
    return s->graph->part ? s->graph->part->level : 0;
}
