/* SPDX-License-Identifier: Apache-2.0 */
/* extract.h - some nodes of a graph as a model of their own, for a report that shows one error and nothing else. */
#ifndef DELEGAUGE_EXTRACT_H
#define DELEGAUGE_EXTRACT_H

#include "lib/graph/graph.h"

/* Make *out a model, for model_write, of the nodes of `g` for which chosen[graph nodes] is set, in the order of execution, with
 * their constants (nodes' results that were folded among them) and the shapes that g has now, which was inferred. Inputs are the
 * tensors that they read and others make, in the order of their first reading; outputs are the tensors that they make and others
 * read, or that are an output of g, or that nobody reads. Variables stay variables, and begin anew. Everything is in `a` or
 * borrowed from g and its model.
 *
 * The subgraphs that the nodes call come along, and the subgraphs that these call. So do nodes that were not chosen but that make
 * the handles of resources, which cannot be a model's inputs, and the nodes that give these resources their first content
 * (CALL_ONCE, the import of constants into a table). If nothing in the new model sets a variable before it is read, the result of
 * that read is an input. A variable that two extracted models use becomes two variables.
 *
 * ST_UNSUPPORTED: a node reads a handle that an operator with inputs makes and that is not chosen, or that comes from outside of g;
 * or all would be inputs. ST_USAGE: no node is chosen. */
enum status extract_nodes(const struct graph *g, const bool *chosen, struct arena *a, struct model *out, struct err *err);

/* Add to chosen[graph nodes] the nodes that read the chosen nodes' outputs, or with `before` the nodes that make their inputs;
 * never folded ones. Returns true if there were any. `a` is scratch memory; false if it runs out, too. */
bool extract_grow(const struct graph *g, bool *chosen, bool before, struct arena *a);

#endif
