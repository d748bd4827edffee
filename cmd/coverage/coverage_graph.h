/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_graph.h - who makes each tensor of a graph, for those who draw it. */
#ifndef DELEGAUGE_CMD_COVERAGE_GRAPH_H
#define DELEGAUGE_CMD_COVERAGE_GRAPH_H

#include "lib/graph/graph.h"

enum { MADE_BY_NOBODY = -1, MADE_OUTSIDE = -2 };

/* makers[graph tensors]: the place in g->nodes of the node that makes it; MADE_OUTSIDE - i where it is input i of the graph;
 * MADE_BY_NOBODY: a constant, or a variable. In `a`; NULL: out of memory. */
const int32_t *coverage_makers(const struct graph *g, struct arena *a);

/* Which input of the graph a maker of MADE_OUTSIDE or less stands for. */
static inline int32_t made_by_input(int32_t maker)
{
    return MADE_OUTSIDE - maker;
}

/* The place of a tensor of the graph among its tensors. */
static inline uint32_t coverage_place(const struct graph *g, const struct tensor *t)
{
    return (uint32_t)(t - g->tensors);
}

#endif
