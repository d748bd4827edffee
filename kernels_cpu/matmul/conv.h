/* SPDX-License-Identifier: Apache-2.0 */
/* conv.h - CONV_2D's implementations.
 *
 * Input [n, ih, iw, ic], filter [oc, kh, kw, ic / groups], output [n, oh, ow, oc]; the bias may be missing. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_CONV_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_CONV_H

#include "kernels_cpu/matmul/conv_impl.h"
#include "kernels_cpu/quant/requant.h"

/* CPU_FAST has one for each kind of types: floats, integers, floats with integer weights. CPU_REFERENCE has conv_plain for all. */
extern const struct conv_impl conv_f32, conv_quant, conv_hybrid, conv_plain;

/* Return the scaling of sums of integer activations: in 64 bits if 16-bit activations have no bias of 32. */
struct requant_spec conv_quant_spec(const struct node *n);

/* Checks a filter of at most 8 bits, in that many groups, with float activations. *per_channel: TFLite takes its other path there,
 * with zero points and another order of roundings. */
enum status conv_hybrid_check(const struct node *n, size_t groups, bool *per_channel, struct err *err);

#endif
