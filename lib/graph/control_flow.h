/* SPDX-License-Identifier: Apache-2.0 */
/* control_flow.h - what IF, WHILE and STABLEHLO_COMPOSITE return, where that can be told before they run: the shapes of the
 * subgraphs that they call. */
#ifndef DELEGAUGE_CALLS_H
#define DELEGAUGE_CALLS_H

#include "lib/graph/graph.h"

/* The subgraphs that a node may run on its inputs from *first on, and what their outputs are. */
struct calls {
    uint32_t subgraph[2], n; /* n == 0: it is no IF or WHILE */
    uint32_t first;
    bool is_loop; /* WHILE: subgraph[0] is the condition, and what subgraph[1] makes it takes again */
};
struct calls node_calls(const struct node *n);

/* Delegates are asked about what the node calls: IF, WHILE, STABLEHLO_CASE, composites. */
bool node_calls_asked(const struct node *n);

/* What is left of the work that may be spent on one graph: a file can have subgraphs call each other in so many ways that following
 * all would never end. */
struct calls_budget {
    uint32_t nodes;
};
#define CALLS_BUDGET ((struct calls_budget){1u << 16})

/* graph_infer_within of graph_infer.h, which knows this header. */
typedef enum status (*calls_infer_fn)(struct graph *g, struct calls_budget *left, struct err *err);

/* A graph of subgraph `index` whose inputs have the types and shapes of in[n_in], inferred. NULL, with *err, where these do not
 * go together, or nothing is left. */
struct graph *calls_graph(const struct model *m, uint32_t index, struct tensor *const *in, uint32_t n_in, struct calls_budget *left,
                          calls_infer_fn infer, struct err *err);

/* Sets the shapes of the outputs of an IF or WHILE whose inputs' shapes are known, and returns true, where they are the same
 * whatever it does: both branches return them; the body returns what it took. Those of a composite are what its decomposition
 * returns, which becomes node.called. */
bool calls_infer(const struct graph *g, struct node *n, struct calls_budget *left, calls_infer_fn infer);

#endif
