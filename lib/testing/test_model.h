/* SPDX-License-Identifier: Apache-2.0 */
/* test_model.h - for tests that run a model which they build.
 *
 * Through the writer and the loader, as a file would: so what a test builds is held against all of the loader's checks. */
#ifndef DELEGAUGE_TEST_MODEL_H
#define DELEGAUGE_TEST_MODEL_H

#include "bench/models/builder.h"
#include "lib/graph/graph.h"
#include "lib/testing/test.h"

/* Padded to the size of the input, a step of one, nothing fused. */
extern const struct opt_conv_2d test_conv_same;
extern const struct opt_depthwise_conv_2d test_depthwise_same;

/* test_conv_same with that fused. */
struct opt_conv_2d test_conv_with(enum activation activation);

/* A model and the file that it points into: both on the heap, both ended by unload. */
struct loaded {
    struct model *model;
    uint8_t *file;
};

/* The builder's model, serialized and parsed; ends the builder. The test fails, with the message, where either
 * fails. The file is named "test" in the loader's messages. */
struct loaded load(struct builder *b);

/* Ends both; the sessions on the model come first. */
void unload(struct loaded *l);

/* A graph of subgraph 0 of a model, with the model. */
struct loaded_graph {
    struct loaded of;
    struct graph *graph;
};

/* load and graph_new, whose status and message are *st and *err: where it fails, the graph is NULL, else its shapes are those of
 * the file. The test fails where the file does not load. */
struct loaded_graph load_graph(struct builder *b, enum status *st, struct err *err);

/* Ends graph, model and file. */
void unload_graph(struct loaded_graph *l);

#endif
