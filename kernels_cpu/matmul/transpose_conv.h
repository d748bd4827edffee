/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv.h - what the implementations of TRANSPOSE_CONV and Convolution2DTransposeBias share. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_TRANSPOSE_CONV_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_TRANSPOSE_CONV_H

#include "../common/fused_activation.h"
#include "conv_geometry.h"

/* The node's tensors and numbers, wherever each op keeps them. Output (oy, ox) gathers input (iy, ix) through window position
 * (oy + pt - iy * sh, ox + pl - ix * sw). dh and dw are 1. */
struct tconv {
    const struct tensor *input, *filter, *bias; /* bias may be NULL */
    struct conv_geometry g;
    enum activation activation;
    bool bias_first; /* sums start from the bias */
};

/* One combination of types. prepare fills c->packed, whose first member must be this pointer. */
struct tconv_impl {
    enum status (*prepare)(struct cpu_call *c, const struct tconv *t, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

extern const struct tconv_impl tconv_f32, tconv_hybrid, tconv_quant;

/* One input position seen through one window position: `depth` elements of the input from x on, and of the filter from w on. */
struct tconv_tap {
    size_t x, w, depth, image, oc;
};

/* The definition, where sums have an order that the gemm loops cannot keep: input rows, columns, channels, ascending. */
struct tconv_literal {
    const struct tconv *t;
    struct range_f32 range;
    float *output;
    float (*add)(const void *arg, struct tconv_tap tap, float sum);
    const void *arg;
};

void tconv_literal_run(struct tconv_literal *l, struct threads *threads);

#endif
