/* SPDX-License-Identifier: Apache-2.0 */
/* graph_part.h - a graph restricted to some of its nodes. */
#pragma once

#include "lib/graph/graph.h"

/* The restriction of a graph. Nodes outside keep their place in graph.nodes and count as folded. */
struct graph_part {
    bool *within;       /* [graph nodes] nodes that belong to the graph */
    const void **known; /* [tensors of the subgraph] content of inputs that are treated as constants; NULL: none */
    uint32_t level;     /* nesting depth of parts of parts, from 1 */
};

/* Restrict g, new and not inferred, to the nodes with within[i], which is copied: the part's inputs are in[n_in], its outputs
 * out[n_out], tensors of g or of another graph of the same subgraph. `level` distinguishes it from parts around it. Fails only with
 * ST_NOMEM. */
enum status graph_part(struct graph *g, const bool *within, struct tensor *const *in, uint32_t n_in, struct tensor *const *out,
                       uint32_t n_out, uint32_t level, struct err *err);

/* Make input i, whose shape is set, a constant from the next graph_infer on. data, of the tensor's size, is copied. */
enum status graph_part_know(struct graph *g, uint32_t i, const void *data, struct err *err);

/* Append t to list, which has room for it, unless it is in it. */
void graph_part_add(struct tensor **list, uint32_t *n, struct tensor *t);

/* Return true if node i of g is outside the part. */
static inline bool graph_leaves_out(const struct graph *g, uint32_t i)
{
    return g->part && !g->part->within[i];
}
