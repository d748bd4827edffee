/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv.h - operands, checks and implementations per combination of types of TRANSPOSE_CONV and
 * Convolution2DTransposeBias.
 *
 * Both filters are [oc, kh, kw, ic]. TRANSPOSE_CONV has the output's shape as input 0, then filter, input and bias, and SAME or
 * VALID as TFLite defines them for the forward convolution; MediaPipe's operator has input, filter, bias, and no shape. */
#pragma once

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/requant.h"

/* Operands and geometry of either operator. Output (oy, ox) gathers input (iy, ix) through window position (oy + pt - iy * sh, ox +
 * pl - ix * sw). dh and dw are 1. */
struct tconv {
    const struct tensor *input, *filter, *bias; /* bias may be NULL */
    struct conv_geometry g;
    enum activation activation;
    bool bias_first; /* sums start from the bias */
};

/* Implementation for one combination of types. prepare copies `t`, checks quantization and fills c->packed. */
struct tconv_impl {
    enum status (*prepare)(struct cpu_call *c, const struct tconv *t, struct err *err);
    void (*compute)(struct cpu_call *c);
};

/* CPU_FAST: float32, float32 with INT8 weights (tconv_hybrid), integers. CPU_REFERENCE: tconv_plain for all types. */
extern const struct tconv_impl tconv_f32, tconv_hybrid, tconv_quant, tconv_plain;

/* Integer activations. Check the quantization; return the scaling of sums: of 64-bit sums if the input is INT16 and the bias is
 * missing or INT64. */
enum status tconv_quant_check(const struct tconv *t, const struct tensor *output, struct err *err);
struct requant_spec tconv_quant_spec(const struct tconv *t, const struct tensor *output);

/* Compute a float32 transposed convolution by definition, for CPU_FAST if a weight is infinite or NaN: the gemm loops' padding
 * would change sums then. Writes output [n, oh, ow, oc], clamped to `range`. */
void tconv_literal_run(const struct tconv *t, struct range_f32 range, float *output, struct threads *threads);
