/* SPDX-License-Identifier: Apache-2.0 */
/* extract.h - some nodes of a graph as a model of their own, for a report that shows one error and nothing else. */
#pragma once

#include "lib/graph/graph.h"

/* Build a model in *out, for model_write, from the nodes of `g` that are set in chosen[graph nodes], in execution order, with their
 * constants (results of folded nodes too) and the shapes that g, which was inferred, has now. Inputs are tensors that the nodes
 * read and others make, in the order of first use; outputs are tensors that the nodes make and that others read, that g outputs, or
 * that nothing reads. Variables stay variables and start anew. Everything lies in `a` or is borrowed from g and its model.
 *
 * Called subgraphs are included, and the subgraphs that they call. So are nodes that were not chosen but make the handles of
 * resources, which cannot be a model's inputs, and nodes that give these resources their first content (CALL_ONCE, the import of
 * constants into a table). If nothing in the new model sets a variable before it is read, the value read is an input. A variable
 * used by two extracted models becomes two variables.
 *
 * Fails with ST_UNSUPPORTED if a node reads a handle made outside of g, or by an operator with inputs that is not chosen, if a
 * called subgraph reads a variable that nothing in the new model sets, or if only inputs would remain; with ST_USAGE if no node is
 * chosen; with ST_NOMEM. */
enum status extract_nodes(const struct graph *g, const bool *chosen, struct arena *a, struct model *out, struct err *err);

/* Do the same, and store in *at, in `a`, the index in the new model of each of [graph tensors]; UINT32_MAX: it is not in there. */
enum status extract_nodes_at(const struct graph *g, const bool *chosen, struct arena *a, struct model *out, const uint32_t **at,
                             struct err *err);

/* Add to chosen[graph nodes] the readers of the chosen nodes' outputs or, with `before`, the makers of their inputs; never folded
 * nodes. Returns true if any was added; false also if memory runs out. `a` is scratch memory. */
bool extract_grow(const struct graph *g, bool *chosen, bool before, struct arena *a);
