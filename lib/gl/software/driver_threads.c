/* SPDX-License-Identifier: Apache-2.0 */
/* driver_threads.c - whether the dispatches of a model are worth waking threads for. */
#include "lib/gl/software/driver_threads.h"

#include "lib/graph/macs.h"

/* Multiply-accumulates, or elements written, that one thread makes in the time that others take to begin, asleep and awake. */
#define WORK_TO_WAKE 500000
#define WORK_TO_CALL 25000

/* Of a graph or several: what their nodes make, and how many nodes multiply. */
struct work {
    uint64_t all, nodes, products;
};

static void add(uint64_t n, uint64_t *to)
{
    *to = n < UINT64_MAX - *to ? *to + n : UINT64_MAX;
}

/* Shapes are the file's. */
static void add_graph(const struct graph *g, struct work *to)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        const uint64_t macs = node_macs_known(n) ? node_macs(n) : 0;

        to->nodes++;
        to->products += macs > 0;
        add(macs, &to->all);
        for (uint32_t k = 0; k < n->n_out; k++)
            add(n->out[k] ? tensor_elems(n->out[k]) : 0, &to->all);
    }
}

/* UINT64_MAX where it is not known. A node that multiplies stands for a dispatch: others are mostly fused into such. */
static uint64_t work_of_dispatch(const struct model *m)
{
    struct work w = {0};

    for (uint32_t s = 0; s < m->n_subgraphs; s++) {
        struct graph *g = NULL;
        struct err err;

        if (graph_new_as_filed(m, s, &g, &err))
            return UINT64_MAX;
        add_graph(g, &w);
        graph_free(g);
    }
    return w.nodes ? w.all / (w.products ? w.products : w.nodes) : UINT64_MAX;
}

/* c threads save (c - 1) / c of the time, and cost as long as waking takes. */
static bool too_short(const struct model *m, uint64_t cores, uint64_t least)
{
    return work_of_dispatch(m) / cores * (cores - 1) < least;
}

void gl_driver_threads(long cores, const struct delegate_environment *env)
{
    if (!env->get("LP_NUM_THREADS") && env->model && cores > 1 &&
        too_short(env->model, (uint64_t)cores, env->awake ? WORK_TO_CALL : WORK_TO_WAKE))
        env->set(env->arg, "LP_NUM_THREADS", "0");
}
