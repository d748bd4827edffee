/* SPDX-License-Identifier: Apache-2.0 */
/* extract.h - some nodes of a graph as a model of their own, for a report that shows one error and nothing else. */
#ifndef DELEGAUGE_EXTRACT_H
#define DELEGAUGE_EXTRACT_H

#include "lib/graph/graph.h"

/* Makes *out a model, for model_write: the nodes of `g` for which chosen[graph nodes] is set, in the order of
 * execution, their constants, those folded into constants among them, and the shapes that g has now, which was inferred. Inputs
 * are what they read and others make, in the order in which it is first read; outputs what they make and others read, or is an
 * output of g, or nobody reads. Variables stay variables, and begin anew. Everything is in `a` or borrowed from g and its model.
 *
 * The subgraphs that the nodes call come along, and those that these call. So do nodes that were not chosen but that make the
 * handles of resources, which cannot be a model's inputs, and those that give these resources their first content (CALL_ONCE, the
 * import of constants into a table). Where nothing of the new model sets a variable before it is read, what was read is an input.
 * Variables that two extracted models use are two.
 *
 * ST_UNSUPPORTED: a node reads a handle that an operator with inputs makes and that is not chosen, or that comes from outside of g;
 * or all would be inputs. ST_USAGE: no node is chosen. */
enum status extract_nodes(const struct graph *g, const bool *chosen, struct arena *a, struct model *out, struct err *err);

/* Adds to chosen[graph nodes] the nodes that read what chosen ones make, or with `before` those that make what these read; folded
 * ones never. Returns whether there were any. `a` is scratch memory; false where it runs out, too. */
bool extract_grow(const struct graph *g, bool *chosen, bool before, struct arena *a);

#endif
