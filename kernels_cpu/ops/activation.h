/* SPDX-License-Identifier: Apache-2.0 */
/* activation.h - quantized activations in fixed point; activations by table use lut.h.
 *
 * Each function is a cpu_kernel.prepare for map_plan_run. */
#pragma once

#include "kernels_cpu/common/map.h"

/* Prepare RELU and its bounded variants of INT8, UINT8 or INT16: y = x * (x scale / y scale) in fixed point, clamped to lo .. hi as
 * quantized values of y. hi may be INFINITY. */
enum status activation_prepare_relu(struct cpu_call *c, float lo, float hi, struct err *err);

/* Prepare LEAKY_RELU of the same types: below x's zero point the factor is |x scale * alpha / y scale|, with alpha's sign applied
 * after it. */
enum status activation_prepare_leaky_relu(struct cpu_call *c, float alpha, struct err *err);

/* Prepare HARD_SWISH, x * relu6(x + 3) / 6, of INT8 or UINT8, in TFLite's 16-bit arithmetic. */
enum status activation_prepare_hard_swish(struct cpu_call *c, struct err *err);

/* Prepare LOGISTIC or TANH of INT16; the output's scale is 1/32768. */
enum status activation_prepare_logistic16(struct cpu_call *c, struct err *err);
enum status activation_prepare_tanh16(struct cpu_call *c, struct err *err);
