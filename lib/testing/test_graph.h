/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph.h - small made-up graphs for tests of graph algorithms, with every kind of node that needs special treatment. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/graph/kernel.h"
#include "lib/testing/test.h"

#define MAX_NODES   9
#define MAX_TENSORS (4 + 3 * MAX_NODES)

/* Trait that makes a node special for partitioning: state, no kernel, a variable among its inputs, constant outputs, or outputs
 * whose shape is known only while running. */
enum kind { PLAIN, STATEFUL, UNKNOWN, READS_VARIABLE, FOLDED, DYNAMIC, KINDS };

/* Operators of version 1 with empty CPU kernels, for tests that run nothing. stateful_op's kernel has state. */
extern const struct op plain_op, stateful_op;

/* A graph with all its parts, and a delegate that claims its nodes. Tensors 0 and 1 are graph inputs, 2 is a constant, 3 a
 * variable; each node adds its own. Do not copy it: the graph points into it. */
struct world {
    struct delegate head;
    struct graph g;
    const struct graph *graph; /* graph that the delegate must be asked about; NULL: g */
    struct tensor t[MAX_TENSORS];
    struct node n[MAX_NODES];
    struct tensor *in[MAX_NODES][4], *out[MAX_NODES][2], *inputs[2], *outputs[MAX_TENSORS];
    bool takes[MAX_NODES]; /* nodes that the delegate claims */
    int asked[MAX_NODES];  /* number of claims asked about each node */
};

/* List of delegates for partition_graph, ending with NULL. */
#define OFFER(...)                                                                                                                 \
    (struct delegate *const[])                                                                                                     \
    {                                                                                                                              \
        __VA_ARGS__, NULL                                                                                                          \
    }

/* Make a world without nodes. Its delegate claims the nodes set in w->takes and refuses others with REASON_UNSUPPORTED_OPERATOR,
 * counts in w->asked, and fails the test if asked about another graph. */
void world_init(struct world *w);

/* Add a node that reads in[n_in] (at most 3 tensor indices) and writes one new tensor; return that tensor's index. `kind` sets
 * traits of the node and its tensors; `takes`: the delegate claims it. At most MAX_NODES. IN(...) stands for the arguments `in,
 * n_in`. */
uint32_t add_node(struct world *w, enum kind kind, bool takes, const uint32_t *in, uint32_t n_in);
#define IN(...) (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* Make a tensor an output of the graph; allowed twice for one tensor. */
void add_output(struct world *w, uint32_t tensor);

/* Make a world of 1 to MAX_NODES nodes drawn from *seed, most of them plain. Inputs are drawn from existing tensors, so nodes read
 * earlier results. Folded nodes read constants alone; only READS_VARIABLE reads the variable. */
void random_world(struct world *w, uint64_t *seed);

/* Return, as bits, the nodes that must run before node i: makers of its inputs, and for a stateful node earlier stateful ones.
 * Tests compare orders with it. */
uint32_t nodes_before(const struct world *w, uint32_t i);
