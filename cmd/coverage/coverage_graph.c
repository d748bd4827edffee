/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_graph.c - who makes what. */
#include "cmd/coverage/coverage_graph.h"

const int32_t *coverage_makers(const struct graph *g, struct arena *a)
{
    int32_t *makers = ARENA_ARRAY(a, (size_t)g->n_tensors + 1, int32_t);

    for (uint32_t i = 0; makers && i < g->n_tensors; i++)
        makers[i] = MADE_BY_NOBODY;
    for (uint32_t i = 0; makers && i < g->n_inputs; i++)
        makers[coverage_place(g, g->inputs[i])] = MADE_OUTSIDE - (int32_t)i;
    for (uint32_t i = 0; makers && i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            if (g->nodes[i].out[k])
                makers[coverage_place(g, g->nodes[i].out[k])] = (int32_t)i;
    return makers;
}
