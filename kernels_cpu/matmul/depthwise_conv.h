/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv.h - DEPTHWISE_CONV_2D's implementations.
 *
 * Input [n, ih, iw, ic], filter [1, kh, kw, oc], output [n, oh, ow, oc]; oc is a multiple of ic. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_DEPTHWISE_CONV_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_DEPTHWISE_CONV_H

#include "kernels_cpu/matmul/conv_impl.h"
#include "kernels_cpu/quant/requant.h"

/* CPU_FAST by types; CPU_REFERENCE. Output channel oc reads input channel oc / (g->oc / g->ic). */
extern const struct conv_impl dw_f32, dw_quant, dw_hybrid, dw_plain;

/* How sums of integer activations are scaled: in 64 bits for 16-bit ones. */
struct requant_spec dw_quant_spec(const struct node *n);

#endif
