/* SPDX-License-Identifier: Apache-2.0 */
/* test_model.h - helpers of tests that run a model which they build.
 *
 * Through the writer and the loader, as a file would: so a test's model is held against all of the loader's checks. */
#ifndef DELEGAUGE_TEST_MODEL_H
#define DELEGAUGE_TEST_MODEL_H

#include "bench/models/builder.h"
#include "lib/graph/graph.h"
#include "lib/testing/test.h"

/* Padded to the size of the input, a step of one, nothing fused. */
extern const struct opt_conv_2d test_conv_same;
extern const struct opt_depthwise_conv_2d test_depthwise_same;

/* Return test_conv_same with that activation fused. */
struct opt_conv_2d test_conv_with(enum activation activation);

/* A model and the file that it points into: both on the heap, both ended by unload. */
struct loaded {
    struct model *model;
    uint8_t *file;
};

/* Return the builder's model, serialized and parsed; ends the builder. If either fails, so does the test, with the message. The
 * file is named "test" in the loader's messages. */
struct loaded load(struct builder *b);

/* End both; the sessions on the model must end before. */
void unload(struct loaded *l);

/* A graph of subgraph 0 of a model, with the model. */
struct loaded_graph {
    struct loaded of;
    struct graph *graph;
};

/* Call load and graph_new, and write graph_new's status and message to *st and *err: if it fails, the graph is NULL, else its
 * shapes are the file's. The test fails if the file does not load. */
struct loaded_graph load_graph(struct builder *b, enum status *st, struct err *err);

/* End graph, model and file. */
void unload_graph(struct loaded_graph *l);

#endif
