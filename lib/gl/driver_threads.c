/* SPDX-License-Identifier: Apache-2.0 */
/* driver_threads.c - whether the dispatches of a model are worth waking threads for. */
#include "driver_threads.h"

#include "../macs.h"

/* Multiply-accumulates that one thread makes in the time that waking others takes. */
#define MACS_TO_WAKE 500000

/* A node that makes any stands for a dispatch: others are mostly fused into such. Shapes are the file's: what is resized or
 * computed while running is not counted. */
static uint64_t macs_of_dispatch(const struct model *m)
{
    uint64_t macs = 0, nodes = 0;

    for (uint32_t s = 0; s < m->n_subgraphs; s++) {
        struct graph *g = NULL;
        struct err err;

        if (graph_new_as_filed(m, s, &g, &err))
            continue;
        for (uint32_t i = 0; i < g->n_nodes; i++) {
            const uint64_t n = node_macs_known(&g->nodes[i]) ? node_macs(&g->nodes[i]) : 0;

            nodes += n > 0;
            macs += n < UINT64_MAX - macs ? n : 0;
        }
        graph_free(g);
    }
    return nodes ? macs / nodes : 0;
}

/* c threads save (c - 1) / c of the time, and cost as long as waking takes. */
static bool too_short(const struct model *m, uint64_t cores)
{
    const uint64_t macs = macs_of_dispatch(m);

    return macs && macs / cores * (cores - 1) < MACS_TO_WAKE;
}

void gl_driver_threads(long cores, const struct delegate_environment *env)
{
    if (!env->get("LP_NUM_THREADS") && env->model && cores > 1 && too_short(env->model, (uint64_t)cores))
        env->set(env->arg, "LP_NUM_THREADS", "0");
}
