/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_graph.h - converts a graph that TensorFlow Lite lends through its C ABI.
 *
 * Tensors keep their indices; nodes are numbered by their place in the execution plan. Constants, names, scales and options stay in
 * the host's memory, which outlives the kernels of a delegate. A node that cannot be known as the host knows it has no kernel and
 * stays with the host: operators that call other graphs or keep state by name (WHILE, VAR_HANDLE), StableHLO's operators, and nodes
 * with tensors that cannot be expressed here (more than TENSOR_MAX_RANK dimensions, sparse). */
#pragma once

#include "lib/graph/graph.h"
#include "lib/tflite/tflite_abi.h"

struct plugin_graph {
    struct arena arena;  /* holds all members but `graph` */
    struct model model;  /* with one subgraph */
    struct graph *graph; /* owned; inputs are the tensors that nodes read and none writes */
    int *host_node;      /* [graph nodes] by node.index: the host's number */
    bool *by_shape;      /* [graph tensors] constant only as long as no shape changes (outputs of SHAPE) */
};

/* Convert the graph that c lends and infer its shapes; only while the host prepares. *out is zeroed before; free it after failures
 * too. Fails with ST_BAD_MODEL if the host's functions fail or contradict each other, and with ST_NOMEM. */
enum status plugin_graph_read(struct tflite_context *c, struct plugin_graph *out, struct err *err);

/* Set the model's file to a digest of all that compilation depends on, as the key of the serialization cache. *known is false if
 * options cannot be digested: then nothing is stored. Fails with ST_NOMEM. */
enum status plugin_graph_identify(struct plugin_graph *g, bool *known, struct err *err);

/* Copy the present shapes of the host's tensors, except outputs of part[n_part], and infer these outputs' shapes. Fails with the
 * node's message if a node refuses its operands, or if a shape is now known only while running. */
enum status plugin_graph_reshape(struct plugin_graph *g, const struct tflite_context *c, struct node *const *part, uint32_t n_part,
                                 struct err *err);

/* Return true if t has the host's shape. */
bool plugin_same_shape(const struct tensor *t, const struct tflite_tensor *host);

/* Free a graph; accepts zeros. */
void plugin_graph_fini(struct plugin_graph *g);
