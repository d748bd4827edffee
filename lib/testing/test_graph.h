/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph.h - small graphs of made-up nodes, for tests of the work on graphs: every kind of node that is treated apart. */
#ifndef DELEGAUGE_TEST_GRAPH_H
#define DELEGAUGE_TEST_GRAPH_H

#include "lib/delegate/delegate.h"
#include "lib/graph/kernel.h"
#include "lib/testing/test.h"

#define MAX_NODES   9
#define MAX_TENSORS (4 + 3 * MAX_NODES)

/* The traits that make a node special to the partitioning of graphs: it has state, no kernel, a variable among its inputs, constant
 * outputs, or outputs whose shape is known only while running. */
enum kind { PLAIN, STATEFUL, UNKNOWN, READS_VARIABLE, FOLDED, DYNAMIC, KINDS };

/* Operators of version 1 whose CPU kernel is empty: fit for all tests that do not run. The kernel of stateful_op keeps state. */
extern const struct op plain_op, stateful_op;

/* A graph with everything that it points into, and the delegate that is asked about it. Tensors 0 and 1 are graph inputs, 2 is a
 * constant, 3 a variable; each node adds its own. Large, and not to be copied: the graph points into it. */
struct world {
    struct delegate head;
    struct graph g;
    const struct graph *graph; /* graph that the delegate expects to be asked about; NULL: g */
    struct tensor t[MAX_TENSORS];
    struct node n[MAX_NODES];
    struct tensor *in[MAX_NODES][4], *out[MAX_NODES][2], *inputs[2], *outputs[MAX_TENSORS];
    bool takes[MAX_NODES]; /* the delegate's answers */
    int asked[MAX_NODES];  /* number of times that it was asked about each node */
};

/* A list of delegates, as partition_graph takes it: ends with NULL. */
#define OFFER(...)                                                                                                                 \
    (struct delegate *const[])                                                                                                     \
    {                                                                                                                              \
        __VA_ARGS__, NULL                                                                                                          \
    }

/* Make a world without nodes. Its delegate claims the nodes set in w->takes, with REASON_UNSUPPORTED_OPERATOR for the rest, counts
 * in w->asked, and fails the test if it is asked about another graph. */
void world_init(struct world *w);

/* Add a node that reads in[n_in] (tensor indices, at most 3) and writes one new tensor; return the tensor's index. The delegate
 * takes the node if `takes`. At most MAX_NODES; the traits of `kind` are set on the node and its tensors. IN(...) writes both `in`
 * and `n_in`. */
uint32_t add_node(struct world *w, enum kind kind, bool takes, const uint32_t *in, uint32_t n_in);
#define IN(...) (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* Make that tensor an output of the graph; may be called twice for one tensor. */
void add_output(struct world *w, uint32_t tensor);

/* Make a world of 1 to MAX_NODES nodes drawn from *seed: most of them plain, with inputs among the tensors that exist already, so
 * that each node reads earlier results. Folded nodes read constants alone, and only READS_VARIABLE reads the variable. */
void random_world(struct world *w, uint64_t *seed);

/* Return the bits of the nodes that must run before node i: the makers of its inputs, and stateful ones before a stateful one. The
 * oracle that orders are held against. */
uint32_t nodes_before(const struct world *w, uint32_t i);

#endif
