/* transpose_conv.h - what the implementations of TRANSPOSE_CONV and Convolution2DTransposeBias share. */
#ifndef DELEGAUGE_TRANSPOSE_CONV_H
#define DELEGAUGE_TRANSPOSE_CONV_H

#include "activation.h"
#include "conv_geometry.h"

/* The node's tensors and numbers, wherever each op keeps them. Output (oy, ox) gathers input (iy, ix) through window position
 * (oy + pt - iy * sh, ox + pl - ix * sw). dh and dw are 1. */
struct tconv {
    const struct tensor *input, *filter, *bias;  /* bias may be NULL */
    struct conv_geometry g;
    enum activation activation;
    bool bias_first;             /* sums start from the bias */
};

/* One combination of types. prepare fills c->packed, whose first member must be this pointer. */
struct tconv_impl {
    enum status (*prepare)(struct cpu_call *c, const struct tconv *t, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

extern const struct tconv_impl tconv_f32, tconv_quant;

#endif
