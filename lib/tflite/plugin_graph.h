/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_graph.h - a graph that TensorFlow Lite lends through its C ABI, as one of ours.
 *
 * Tensors keep their indices; nodes are numbered by their place in the execution plan. Constants, names, scales and options stay
 * the host's memory, which outlives what delegates make of its graph. What we could not know as the host does is a node without a
 * kernel, which stays with the host: what calls other graphs or keeps something by name (WHILE, VAR_HANDLE), StableHLO's operators,
 * and what touches a tensor that ours cannot say (more than TENSOR_MAX_RANK dimensions, sparse). */
#ifndef DELEGAUGE_PLUGIN_GRAPH_H
#define DELEGAUGE_PLUGIN_GRAPH_H

#include "lib/graph/graph.h"
#include "lib/tflite/tflite_abi.h"

struct plugin_graph {
    struct arena arena;  /* holds all but the graph */
    struct model model;  /* of one subgraph */
    struct graph *graph; /* owned; its inputs are what nothing writes and somebody reads */
    int *host_node;      /* [graph nodes] by node.index: the host's number of it */
    bool *by_shape;      /* [graph tensors] constants that are so as long as no shape changes (SHAPE) */
};

/* Reads the graph of which the host offers its functions of the time of preparing, and infers its shapes. Zeroed to begin with; to
 * be freed in any case. ST_BAD_MODEL: the host's functions fail, or what they return contradicts itself. ST_NOMEM. */
enum status plugin_graph_read(struct tflite_context *c, struct plugin_graph *out, struct err *err);

/* Gives the model a file that is another one for any other graph, so that starts can be stored for it. *known false: it has
 * operators whose options say more than can be told here, and none is stored. ST_NOMEM. */
enum status plugin_graph_identify(struct plugin_graph *g, bool *known, struct err *err);

/* Takes over the shapes that the host's tensors have now, of all that no node of part[n_part] makes, and infers those that these
 * make. Fails where one of them refuses its operands; then, or where a shape is now known only while running, the node's message.
 */
enum status plugin_graph_reshape(struct plugin_graph *g, const struct tflite_context *c, struct node *const *part, uint32_t n_part,
                                 struct err *err);

/* Whether t has the host's shape. */
bool plugin_same_shape(const struct tensor *t, const struct tflite_tensor *host);

/* Accepts zeros. */
void plugin_graph_fini(struct plugin_graph *g);

#endif
