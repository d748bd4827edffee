/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_graph.h - the maker of each tensor of a graph, for the drawings of it. */
#pragma once

#include "lib/graph/graph.h"

enum { MADE_BY_NOBODY = -1, MADE_OUTSIDE = -2 };

/* Return makers[graph tensors]: for each tensor the place in g->nodes of the node that makes it; MADE_OUTSIDE - i for input i of
 * the graph; MADE_BY_NOBODY for a constant or a variable. The array is in `a`; NULL if memory runs out. */
const int32_t *coverage_makers(const struct graph *g, struct arena *a);

/* Return the number of the graph input that a maker of MADE_OUTSIDE or less stands for. */
static inline int32_t made_by_input(int32_t maker)
{
    return MADE_OUTSIDE - maker;
}

/* Return the place of a tensor of the graph among its tensors. */
static inline uint32_t coverage_place(const struct graph *g, const struct tensor *t)
{
    return (uint32_t)(t - g->tensors);
}
