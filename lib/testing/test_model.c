/* SPDX-License-Identifier: Apache-2.0 */
/* test_model.c - from a builder to a loaded model. */
#include "lib/testing/test_model.h"

#include <stdlib.h>

const struct opt_conv_2d test_conv_same = {
    .padding = PAD_SAME, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
const struct opt_depthwise_conv_2d test_depthwise_same = {.padding = PAD_SAME,
                                                          .stride_width = 1,
                                                          .stride_height = 1,
                                                          .depth_multiplier = 1,
                                                          .dilation_width_factor = 1,
                                                          .dilation_height_factor = 1};

struct opt_conv_2d test_conv_with(enum activation activation)
{
    struct opt_conv_2d opt = test_conv_same;

    opt.activation = activation;
    return opt;
}

struct loaded load(struct builder *b)
{
    struct loaded l = {0};
    struct err err = {""};
    size_t bytes;

    TEST_OK(builder_serialize(b, &l.file, &bytes, &err), err);
    TEST_OK(model_parse(l.file, bytes, "test", &l.model, &err), err);
    builder_fini(b);
    return l;
}

void unload(struct loaded *l)
{
    model_close(l->model);
    free(l->file);
}

struct loaded_graph load_graph(struct builder *b, enum status *st, struct err *err)
{
    struct loaded_graph l = {.of = load(b)};

    *err = (struct err){""};
    *st = graph_new(l.of.model, 0, &l.graph, err);
    assert_int_equal(l.graph == NULL, *st != ST_OK);
    return l;
}

void unload_graph(struct loaded_graph *l)
{
    graph_free(l->graph);
    unload(&l->of);
}
