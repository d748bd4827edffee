/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes.h - a group of steps whose shapes become known while running, for dynamic_shapes*.c; all others use
 * session_impl.h. */
#ifndef DELEGAUGE_DYNAMIC_SHAPES_H
#define DELEGAUGE_DYNAMIC_SHAPES_H

#include "lib/graph/graph_part.h"
#include "lib/session/session_impl.h"

struct dynamic_group {
    uint32_t n_steps, n_in, n_out;
    bool *within;              /* [graph nodes] */
    struct tensor **in, **out; /* of the session's graph: read, folded ones included; made for others */
    struct session_cache cache;
    const struct session *last; /* that ran it last; NULL: the CPU did */
    uint32_t made;              /* sessions, so far */
    uint32_t cpu;               /* nodes that the CPU ran in the last run */
    uint64_t runs, node_runs, cpu_node_runs;
};

/* Of a session: groups that it is within. */
static inline uint32_t dynamic_level(const struct session *s)
{
    return s->graph->part ? s->graph->part->level : 0;
}

#endif
