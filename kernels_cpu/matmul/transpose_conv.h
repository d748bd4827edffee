/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv.h - the shared part of the implementations of TRANSPOSE_CONV and Convolution2DTransposeBias.
 *
 * The filter is [oc, kh, kw, ic] in both. TRANSPOSE_CONV has the output's shape as input 0, filter and input behind it, and SAME or
 * VALID as TFLite defines them for the forward convolution; MediaPipe's operator has input, filter, bias, and no shape. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_TRANSPOSE_CONV_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_TRANSPOSE_CONV_H

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/requant.h"

/* The node's tensors and numbers, wherever each op keeps them. Output (oy, ox) gathers input (iy, ix) through window position
 * (oy + pt - iy * sh, ox + pl - ix * sw). dh and dw are 1. */
struct tconv {
    const struct tensor *input, *filter, *bias; /* bias may be NULL */
    struct conv_geometry g;
    enum activation activation;
    bool bias_first; /* sums start from the bias */
};

/* One combination of types. prepare checks quantization and fills c->packed, whose first member must be this pointer, since run
 * finds itself by it; `t` is copied. */
struct tconv_impl {
    enum status (*prepare)(struct cpu_call *c, const struct tconv *t, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

/* CPU_FAST by types; CPU_REFERENCE. */
extern const struct tconv_impl tconv_f32, tconv_hybrid, tconv_quant, tconv_plain;

/* Integer activations: check the quantization; return the scaling of sums: in 64 bits if 16-bit activations have no bias of 32. */
enum status tconv_quant_check(const struct tconv *t, const struct tensor *output, struct err *err);
struct requant_spec tconv_quant_spec(const struct tconv *t, const struct tensor *output);

/* float32 by the definition, for CPU_FAST if a weight is infinite or NaN: then the gemm loops' padding would change sums. Writes
 * output [n, oh, ow, oc], clamped to `range`. */
void tconv_literal_run(const struct tconv *t, struct range_f32 range, float *output, struct threads *threads);

#endif
