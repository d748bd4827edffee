/* SPDX-License-Identifier: Apache-2.0 */
/* graph_part.h - a graph cut down to some of its nodes, the others left out. */
#ifndef DELEGAUGE_GRAPH_PART_H
#define DELEGAUGE_GRAPH_PART_H

#include "lib/graph/graph.h"

/* The part of its subgraph that a graph has. Nodes outside keep their place in the list and count as folded. */
struct graph_part {
    bool *within;       /* [graph nodes] */
    const void **known; /* [tensors of the subgraph] content of inputs that counts as constant; NULL: none */
    uint32_t level;     /* of parts of parts, from 1 on */
};

/* Make a part of g, new and not inferred: nodes within[i], which lasts no longer than the call, reading in[n_in] and making
 * out[n_out] for others, tensors of g or of a graph of the same subgraph. `level` tells it from graphs that run around it. Fails
 * only with ST_NOMEM. */
enum status graph_part(struct graph *g, const bool *within, struct tensor *const *in, uint32_t n_in, struct tensor *const *out,
                       uint32_t n_out, uint32_t level, struct err *err);

/* From the next graph_infer on input i, which has its shape, is a constant of this content, which is copied. */
enum status graph_part_know(struct graph *g, uint32_t i, const void *data, struct err *err);

/* Add t to a list of the tensors that a part reads or makes, which has room, unless it is there. */
void graph_part_add(struct tensor **list, uint32_t *n, struct tensor *t);

/* True if node i of g is left out. */
static inline bool graph_leaves_out(const struct graph *g, uint32_t i)
{
    return g->part && !g->part->within[i];
}

#endif
