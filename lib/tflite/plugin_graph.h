/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_graph.h - a graph that TensorFlow Lite lends through its C ABI, as one of ours.
 *
 * Tensors keep their indices; nodes are numbered by their place in the execution plan. Constants, names, scales and options stay
 * the host's memory, which outlives the kernels that delegates make of its graph. A node that we could not know as the host does
 * has no kernel and stays with the host: operators that call other graphs or keep something by name (WHILE, VAR_HANDLE),
 * StableHLO's operators, and nodes with a tensor that ours cannot express (more than TENSOR_MAX_RANK dimensions, sparse). */
#ifndef DELEGAUGE_PLUGIN_GRAPH_H
#define DELEGAUGE_PLUGIN_GRAPH_H

#include "lib/graph/graph.h"
#include "lib/tflite/tflite_abi.h"

struct plugin_graph {
    struct arena arena;  /* holds all but the graph */
    struct model model;  /* of one subgraph */
    struct graph *graph; /* owned; its inputs are the tensors that nothing writes and somebody reads */
    int *host_node;      /* [graph nodes] by node.index: the host's number of it */
    bool *by_shape;      /* [graph tensors] constants that are so as long as no shape changes (SHAPE) */
};

/* Read the graph whose host offers its functions of the time of preparing, and infer its shapes. Zeroed to begin with; to be freed
 * in any case. ST_BAD_MODEL: the host's functions fail, or their results contradict themselves. ST_NOMEM. */
enum status plugin_graph_read(struct tflite_context *c, struct plugin_graph *out, struct err *err);

/* Give the model a file that is another one for any other graph, so that starts can be stored for it. *known false: it has
 * operators whose options say more than can be told here, and none is stored. ST_NOMEM. */
enum status plugin_graph_identify(struct plugin_graph *g, bool *known, struct err *err);

/* Take over the present shapes of the host's tensors, of all that no node of part[n_part] makes, and infer the shapes that these
 * nodes make. Fails if one of them refuses its operands; then, or if a shape is now known only while running, with the node's
 * message. */
enum status plugin_graph_reshape(struct plugin_graph *g, const struct tflite_context *c, struct node *const *part, uint32_t n_part,
                                 struct err *err);

/* Return true if t has the host's shape. */
bool plugin_same_shape(const struct tensor *t, const struct tflite_tensor *host);

/* Free a graph; zeros are accepted. */
void plugin_graph_fini(struct plugin_graph *g);

#endif
