/* SPDX-License-Identifier: Apache-2.0 */
/* graph_infer.h - shape inference and constant folding of a graph, on top of graph.h and fold.h. */
#pragma once

#include "lib/graph/graph.h"

struct control_flow_budget;

/* Infer all shapes in execution order, and compute nodes whose inputs are all constant (node.folded; their content goes to
 * g->folded). A node without a CPU kernel keeps the file's shapes if these are complete. A node whose output shapes depend on data,
 * and all nodes that read its outputs, become dynamic: the session infers them while it runs. IF and WHILE with the same shapes in
 * every run are not dynamic, nor are composites whose decomposition is not (control_flow.h). Call it again after
 * graph_resize_input(). Fails if an operator refuses its operands; the message names node, operator and input shapes. */
enum status graph_infer(struct graph *g, struct err *err);

/* Undo the folding of graph_infer, for a graph that runs elsewhere as it is in the file: no node is folded, and their outputs are
 * no constants any more; shapes stay. The next graph_infer folds again. */
void graph_unfold(struct graph *g);

/* Infer one node whose input shapes are known: set its output shapes, fold it if possible (into g->folded), or make it dynamic. For
 * callers that go on with the next node after a failure. */
enum status graph_infer_node(struct graph *g, struct node *n, struct err *err);

/* Infer a graph that another one calls; its own calls draw on the same budget (control_flow.h). */
enum status graph_infer_within(struct graph *g, struct control_flow_budget *left, struct err *err);
