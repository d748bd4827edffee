/* SPDX-License-Identifier: Apache-2.0 */
/* conv.h - CONV_2D's implementations per combination of types.
 *
 * Input [n, ih, iw, ic], filter [oc, kh, kw, ic / groups], output [n, oh, ow, oc]; the bias may be missing. */
#pragma once

#include "kernels_cpu/matmul/conv_impl.h"
#include "kernels_cpu/quant/requant.h"

/* CPU_FAST: float32, integers, float32 with integer weights (conv_hybrid). CPU_REFERENCE: conv_plain for all types. */
extern const struct conv_impl conv_f32, conv_quant, conv_hybrid, conv_plain;

/* Return the scaling of sums of integer activations: of 64-bit sums if the input is INT16 and the bias is missing or INT64. */
struct requant_spec conv_quant_spec(const struct node *n);

/* Check a filter of at most 8 bits, in `groups` groups, with float32 activations. Set *per_channel if there are several groups or
 * scales: TFLite then quantizes the input with a zero point and rounds in another order. */
enum status conv_hybrid_check(const struct node *n, size_t groups, bool *per_channel, struct err *err);
