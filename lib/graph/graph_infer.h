/* SPDX-License-Identifier: Apache-2.0 */
/* graph_infer.h - the shapes of a graph, and what of it is known before it runs.
 *
 * Above graph.h, which knows nodes and their order, and above fold.h, which runs one node at plan time. */
#ifndef DELEGAUGE_GRAPH_INFER_H
#define DELEGAUGE_GRAPH_INFER_H

#include "lib/graph/graph.h"

struct calls_budget;

/* Resolves every shape in execution order and computes nodes whose inputs are all constant (node.folded; their content goes to
 * g->folded). A node without a CPU kernel keeps the file's shapes where those are complete. A node whose output shapes depend on
 * data, and all that read it, become dynamic: the session resolves them while it runs. To be called again after
 * graph_resize_input(). IF and WHILE that return the same shapes whatever they do are not dynamic, nor are composites whose
 * decomposition is not (control_flow.h). Fails where an
 * operator refuses its operands; the message names node, operator and input shapes. */
enum status graph_infer(struct graph *g, struct err *err);

/* One node alone, whose operands have their shapes: sets those of its results, folds it where it can be, or makes it dynamic.
 * Results of folding are added to g->folded. For who asks node by node, since a failure is not the end of the graph. */
enum status graph_infer_node(struct graph *g, struct node *n, struct err *err);

/* graph_infer of a graph that another one calls: what it calls itself is paid from the same budget (control_flow.h). */
enum status graph_infer_within(struct graph *g, struct calls_budget *left, struct err *err);

#endif
