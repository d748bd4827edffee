/* SPDX-License-Identifier: Apache-2.0 */
/* control_flow.h - output shapes of IF, WHILE and STABLEHLO_COMPOSITE, inferred from the subgraphs that they call. */
#pragma once

#include "lib/graph/graph.h"

/* The subgraphs that an IF or WHILE calls. */
struct control_flow {
    uint32_t subgraph[2], n; /* [n] indices in the model; n == 0: the node is neither IF nor WHILE */
    uint32_t first;          /* index of the node's first input that the subgraphs take */
    bool is_loop;            /* WHILE: subgraph[0] is the condition, subgraph[1] the body, which takes its own outputs again */
};

/* Return the subgraphs that the node calls. */
struct control_flow node_calls(const struct node *n);

/* True if delegates are asked about the subgraphs that the node calls: IF, WHILE, STABLEHLO_CASE, composites. */
bool node_calls_asked(const struct node *n);

/* Return the number of inputs that such a node reads itself, before the inputs of its subgraphs. */
uint32_t node_first_call_input(const struct node *n);

/* Store in *out the value of a condition's result t. Fails with ST_BAD_MODEL if t is NULL or not one BOOL. */
enum status control_flow_condition(const struct tensor *t, bool *out, struct err *err);

/* The work left for inferring called subgraphs of one graph: the number of call paths in a file can grow exponentially. */
struct control_flow_budget {
    uint32_t nodes; /* nodes and tensors that may still be inferred; each call adds a constant cost */
};
#define CONTROL_FLOW_BUDGET ((struct control_flow_budget){1u << 16})

/* The type of graph_infer_within, passed as an argument because graph_infer.h lies above this header. */
typedef enum status (*control_flow_infer_fn)(struct graph *g, struct control_flow_budget *left, struct err *err);

/* Return an inferred graph of subgraph `index` whose inputs have the types and shapes of in[n_in]; the caller frees it. NULL, with
 * *err, if these do not match the subgraph, if inference fails, or if the budget is used up. */
struct graph *control_flow_graph(const struct model *m, uint32_t index, struct tensor *const *in, uint32_t n_in,
                                 struct control_flow_budget *left, control_flow_infer_fn infer, struct err *err);

/* Set the output shapes of an IF, WHILE or composite whose input shapes are known, and return true, if they are the same in every
 * run: both branches return the same shapes; the body returns the shapes that it takes. A composite gets the shapes that its
 * decomposition returns, which becomes node.called. */
bool control_flow_infer(const struct graph *g, struct node *n, struct control_flow_budget *left, control_flow_infer_fn infer);
