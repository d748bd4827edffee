/* SPDX-License-Identifier: Apache-2.0 */
/* control_flow.h - the output shapes of IF, WHILE and STABLEHLO_COMPOSITE, if the subgraphs that they call tell them before the
 * run. */
#ifndef DELEGAUGE_CONTROL_FLOW_H
#define DELEGAUGE_CONTROL_FLOW_H

#include "lib/graph/graph.h"

/* The subgraphs that a node may run on its inputs from input `first` on, and the use of their outputs. */
struct control_flow {
    uint32_t subgraph[2], n; /* n == 0: it is no IF or WHILE */
    uint32_t first;
    bool is_loop; /* WHILE: subgraph[0] is the condition, and subgraph[1] takes its own outputs again */
};
struct control_flow node_calls(const struct node *n);

/* True if delegates are asked about the subgraphs that the node calls: IF, WHILE, STABLEHLO_CASE, composites. */
bool node_calls_asked(const struct node *n);

/* Return the number of inputs that a node of these reads itself, before the inputs of the subgraphs. */
uint32_t node_first_call_input(const struct node *n);

/* Store the answer of a condition, which t must be: one BOOL. ST_BAD_MODEL if it is something else, or NULL. */
enum status control_flow_condition(const struct tensor *t, bool *out, struct err *err);

/* The rest of the work that may be spent on one graph: a file can have subgraphs call each other in so many ways that following all
 * would never end. */
struct control_flow_budget {
    uint32_t nodes;
};
#define CONTROL_FLOW_BUDGET ((struct control_flow_budget){1u << 16})

/* graph_infer_within of graph_infer.h, which knows this header. */
typedef enum status (*control_flow_infer_fn)(struct graph *g, struct control_flow_budget *left, struct err *err);

/* Return an inferred graph of subgraph `index` whose inputs have the types and shapes of in[n_in]. NULL, with *err, if these do not
 * go together, or the budget is used up. */
struct graph *control_flow_graph(const struct model *m, uint32_t index, struct tensor *const *in, uint32_t n_in,
                                 struct control_flow_budget *left, control_flow_infer_fn infer, struct err *err);

/* Set the shapes of the outputs of an IF or WHILE whose inputs' shapes are known, and return true, if every run gives the same
 * shapes: both branches return them; the body returns the shapes that it took. The outputs of a composite have the shapes that its
 * decomposition returns, which becomes node.called. */
bool control_flow_infer(const struct graph *g, struct node *n, struct control_flow_budget *left, control_flow_infer_fn infer);

#endif
