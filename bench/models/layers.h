/* SPDX-License-Identifier: Apache-2.0 */
/* layers.h - layers of convolutional networks in the form that TFLite's converter writes: batch norm folded into weights and bias,
 * activations fused, NHWC.
 *
 * Weights come from a seeded generator and are scaled (He) so that activations keep their magnitude through the network. A layer
 * takes and returns tensor indices; `scope` is the prefix of its tensors' names. */
#pragma once

#include "bench/models/builder.h"

struct net {
    struct builder b;
    uint64_t seed;
};

struct window {
    int32_t kernel, stride, dilation;
};

/* Format a tensor name, such as "MobilenetV1/Conv2d_0/Relu6". The string lives as long as the net. */
const char *net_name(struct net *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

int32_t layer_input(struct net *n, const char *name, int32_t h, int32_t w, int32_t c);

/* Add a convolution. `gain` scales the spread of the outputs: 1 keeps that of the inputs, also if a ReLU cuts off half of them. */
int32_t layer_conv(struct net *n, int32_t x, const char *scope, const char *out_name, int32_t channels, struct window win,
                   enum activation act, float gain);
int32_t layer_depthwise(struct net *n, int32_t x, const char *scope, const char *out_name, struct window win, enum activation act);
int32_t layer_add(struct net *n, int32_t x1, int32_t x2, const char *out_name);

/* Add the mean over the whole image: [1,1,1,c]. */
int32_t layer_global_pool(struct net *n, int32_t x, const char *out_name);
int32_t layer_resize(struct net *n, int32_t x, const char *out_name, int32_t h, int32_t w);
int32_t layer_reshape(struct net *n, int32_t x, const char *out_name, const int32_t *dim, int32_t rank);
int32_t layer_concat(struct net *n, const int32_t *x, uint32_t count, int axis, const char *out_name);
int32_t layer_squeeze(struct net *n, int32_t x, const char *out_name);
int32_t layer_softmax(struct net *n, int32_t x, const char *out_name);
int32_t layer_logistic(struct net *n, int32_t x, const char *out_name);
