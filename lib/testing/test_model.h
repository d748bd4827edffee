/* SPDX-License-Identifier: Apache-2.0 */
/* test_model.h - helpers of tests that run a model which they build.
 *
 * Models pass through the writer and the loader, so that they meet all of the loader's checks. */
#pragma once

#include "bench/models/builder.h"
#include "lib/graph/graph.h"
#include "lib/testing/test.h"

/* Padding SAME, strides and dilations of 1, no activation. */
extern const struct opt_conv_2d test_conv_same;
extern const struct opt_depthwise_conv_2d test_depthwise_same;

/* Return test_conv_same with this fused activation. */
struct opt_conv_2d test_conv_with(enum activation activation);

/* A model and the file that it points into, both allocated; freed by unload. */
struct loaded {
    struct model *model;
    uint8_t *file;
};

/* End the builder and return its model, serialized and parsed; a failure fails the test with its message. Messages of the loader
 * name the file "test". */
struct loaded load(struct builder *b);

/* Free both; sessions on the model must be freed before. */
void unload(struct loaded *l);

/* A model and the graph of its subgraph 0. */
struct loaded_graph {
    struct loaded of;
    struct graph *graph;
};

/* Load the builder's model, and store graph_new's status and message in *st and *err. After a failure of graph_new the graph is
 * NULL; else its shapes are the file's. The test fails if the file does not load. */
struct loaded_graph load_graph(struct builder *b, enum status *st, struct err *err);

/* Free graph, model and file. */
void unload_graph(struct loaded_graph *l);
