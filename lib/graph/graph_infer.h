/* SPDX-License-Identifier: Apache-2.0 */
/* graph_infer.h - the shapes of a graph, and the contents known before it runs.
 *
 * Above graph.h, which knows nodes and their order, and above fold.h, which runs one node at plan time. */
#ifndef DELEGAUGE_GRAPH_INFER_H
#define DELEGAUGE_GRAPH_INFER_H

#include "lib/graph/graph.h"

struct control_flow_budget;

/* Resolve every shape in execution order and compute nodes whose inputs are all constant (node.folded; their content goes to
 * g->folded). A node without a CPU kernel keeps the file's shapes if these are complete. A node whose output shapes depend on data,
 * and all nodes that read it, become dynamic: the session resolves them while it runs. Call it again after graph_resize_input(). IF
 * and WHILE that return the same shapes in every run are not dynamic, nor are composites whose decomposition is not
 * (control_flow.h). Fails if an operator refuses its operands; the message names node, operator and input shapes. */
enum status graph_infer(struct graph *g, struct err *err);

/* Infer one node alone, whose operands have their shapes: set the shapes of its results, fold it if possible, or make it dynamic.
 * Results of folding are added to g->folded. For callers that go node by node, since a failure is not the end of the graph. */
enum status graph_infer_node(struct graph *g, struct node *n, struct err *err);

/* Infer a graph that another one calls: its own calls are paid from the same budget (control_flow.h). */
enum status graph_infer_within(struct graph *g, struct control_flow_budget *left, struct err *err);

#endif
