/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv.h - DEPTHWISE_CONV_2D's implementations per combination of types.
 *
 * Input [n, ih, iw, ic], filter [1, kh, kw, oc], output [n, oh, ow, oc]; oc is a multiple of ic. Output channel c reads input
 * channel c / (oc / ic). */
#pragma once

#include "kernels_cpu/matmul/conv_impl.h"
#include "kernels_cpu/quant/requant.h"

/* CPU_FAST: float32, integers, float32 with integer weights (dw_hybrid). CPU_REFERENCE: dw_plain for all types. */
extern const struct conv_impl dw_f32, dw_quant, dw_hybrid, dw_plain;

/* Return the scaling of sums of integer activations: of 64-bit sums if the input is INT16. */
struct requant_spec dw_quant_spec(const struct node *n);
