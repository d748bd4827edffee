/* SPDX-License-Identifier: Apache-2.0 */
/* extract.h - some nodes of a graph as a model of their own, for a report that shows one error and nothing else. */
#ifndef DELEGAUGE_EXTRACT_H
#define DELEGAUGE_EXTRACT_H

#include "graph.h"

/* Makes *out a model, for model_write, of one subgraph: the nodes of `g` for which chosen[graph nodes] is set, in the order of
 * execution, their constants, those folded into constants among them, and the shapes that g has now, which was inferred. Inputs
 * are what they read and others make, in the order in which it is first read; outputs what they make and others read, or is an
 * output of g, or nobody reads. Variables stay variables, and begin anew. Everything is in `a` or borrowed from g and its model.
 *
 * ST_UNSUPPORTED: a node runs other subgraphs, or holds resources. ST_USAGE: no node is chosen. */
enum status extract_nodes(const struct graph *g, const bool *chosen, struct arena *a, struct model *out, struct err *err);

/* Adds to chosen[graph nodes] the nodes that read what chosen ones make, or with `before` those that make what these read; folded
 * ones never. Returns whether there were any. `a` is scratch memory; false where it runs out, too. */
bool extract_grow(const struct graph *g, bool *chosen, bool before, struct arena *a);

#endif
