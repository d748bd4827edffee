/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes.h - a group of steps whose shapes become known while running, for session_dynamic*.c; all others use
 * session_impl.h.
 */
#ifndef DELEGAUGE_DYNAMIC_SHAPES_H
#define DELEGAUGE_DYNAMIC_SHAPES_H

#include "lib/graph/graph_part.h"
#include "lib/session/session_impl.h"

/* For one set of shapes and numbers of what a group reads. */
struct dynamic_plan {
    struct session *s; /* NULL: delegates take nothing of it */
    int most;          /* partitions that it may have; 0: any number */
    int32_t *shapes;   /* [inputs][1 + TENSOR_MAX_RANK] rank and dimensions */
    void **known;      /* [inputs] the content of those that count as constants, else NULL */
    struct arena arena;
    uint64_t used; /* in this run of the group */
};

struct dynamic_group {
    uint32_t n_steps, n_in, n_out;
    bool *within;              /* [graph nodes] */
    struct tensor **in, **out; /* of the session's graph: read, folded ones included; made for others */
    struct dynamic_plan plans[DYNAMIC_PLANS];
    struct dynamic_plan *last; /* of the last run; NULL: the CPU ran it */
    uint32_t n_plans, made, misses;
    uint32_t cpu; /* nodes that the CPU ran in the last run */
    uint64_t runs, node_runs, cpu_node_runs;
    bool given_up;
};

/* Of a session: groups that it is within. */
static inline uint32_t dynamic_level(const struct session *s)
{
    return s->graph->part ? s->graph->part->level : 0;
}

#endif
