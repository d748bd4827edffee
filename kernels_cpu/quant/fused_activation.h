/* SPDX-License-Identifier: Apache-2.0 */
/* fused_activation.h - the activation fused into an operator, as a clamp of its results or applied to floats.
 *
 * Most of TFLite's kernels fuse only activations that are clamps and silently ignore TANH, SIGMOID and SIGN_BIT; activation_range
 * and activation_range_quant refuse these. Recurrent cells and hybrid products apply all activations: activation_apply.
 *
 * prepare computes the range once; the loops then clamp to it whatever the activation, which vectorises unlike a switch in the
 * loop. */
#pragma once

#include <float.h> /* FLT_MAX, the end of open ranges */

#include "kernels_cpu/quant/quant_check.h"
#include "lib/graph/kernel.h"

/* Range of real values, both ends included; lo <= hi. range_i32 (quant_check.h) is the range of quantized values. */
struct range_f32 {
    float lo, hi;
};

/* Store the clamp of real results in *r; ACT_NONE's ends and RELU's upper end are the largest floats. Fails with ST_UNSUPPORTED and
 * stores [0, 0] if the activation is no clamp. TFLite's CalculateActivationRange. */
enum status activation_range(enum activation a, struct range_f32 *r, struct err *err);

/* Return x clamped to the range. NaN stays NaN; infinities become the largest finite value even under ACT_NONE, since TFLite's
 * ranges end there. */
static inline float activation_clamp(float x, struct range_f32 r)
{
    x = x < r.lo ? r.lo : x;
    return x > r.hi ? r.hi : x;
}

/* Store the range of quantized values of INT8, UINT8 or INT16 output `t` under the activation: the type's range, cut at the
 * activation's bounds quantized with t's scale and rounded to nearest. ACT_NONE ignores the scale. Fails as activation_range does,
 * and with ST_BAD_MODEL unless t's scale is above 0 and the quantized bounds are below 2^30. TFLite's
 * CalculateActivationRangeQuantized. */
enum status activation_range_quant(enum activation a, const struct tensor *t, struct range_i32 *r, struct err *err);

/* Apply the activation to n floats in place: RELU, RELU6 and RELU_N1_TO_1 by comparisons (NaN becomes the lower bound, as in
 * TFLite's recurrent kernels; infinities stay if no bound cuts them), TANH, SIGMOID = 1 / (1 + exp(-v)), SIGN_BIT = 1 if the sign
 * bit is set, else 0. ACT_NONE and unknown ones change nothing. */
void activation_apply(float *v, size_t n, enum activation act);
