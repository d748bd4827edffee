/* SPDX-License-Identifier: Apache-2.0 */
/* fused_activation.h - the effect of the activation fused into an operator on its result.
 *
 * Most kernels of TFLite fuse only activations that are clamps and silently ignore TANH, SIGMOID and SIGN_BIT, so we refuse these:
 * activation_range and its like. Recurrent cells and hybrid products compute all of them: activation_apply.
 *
 * prepare asks for the range once; the loops then clamp, whatever the activation was. A range is two numbers more than a switch in
 * the loop, and vectorises. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_FUSED_ACTIVATION_H
#define DELEGAUGE_KERNELS_CPU_COMMON_FUSED_ACTIVATION_H

#include <float.h> /* FLT_MAX, the end of open ranges */

#include "kernels_cpu/quant/quant_check.h"
#include "lib/graph/kernel.h"

/* In real units, both ends included; lo <= hi. range_i32 (quant_check.h) is the same of quantized values. */
struct range_f32 {
    float lo, hi;
};

/* The clamp of a real result; ACT_NONE and RELU's upper end are the largest float. ST_UNSUPPORTED, and the range [0, 0], if the
 * activation is no clamp. TFLite's CalculateActivationRange. */
enum status activation_range(enum activation a, struct range_f32 *r, struct err *err);

/* v within the range. NaN stays NaN; infinities become the largest finite value even under ACT_NONE, as in TFLite, whose ranges end
 * there. */
static inline float activation_clamp(float x, struct range_f32 r)
{
    x = x < r.lo ? r.lo : x;
    return x > r.hi ? r.hi : x;
}

/* The range of quantized values of INT8, UINT8 or INT16 output `t` under the activation: the type's own, cut at the quantized
 * bounds of the real one, which round to nearest. Of ACT_NONE the scale does not matter. Fails as activation_range does, and with
 * ST_BAD_MODEL if t's scale is no positive number that expresses the bounds within 2^30. TFLite's
 * CalculateActivationRangeQuantized. */
enum status activation_range_quant(enum activation a, const struct tensor *t, struct range_i32 *r, struct err *err);

/* Apply the activation to n floats in place, in float: RELU, RELU6 and RELU_N1_TO_1 as comparisons (NaN becomes the lower bound, as
 * in TFLite's recurrent kernels; infinities stay if no bound cuts them), TANH, SIGMOID = 1 / (1 + exp(-v)), SIGN_BIT = 1 if the
 * sign bit is set, else 0. ACT_NONE and unknown ones change nothing. */
void activation_apply(float *v, size_t n, enum activation act);

#endif
