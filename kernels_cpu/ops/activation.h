/* SPDX-License-Identifier: Apache-2.0 */
/* activation.h - the quantized halves of the activations that work in fixed point; activations that work by table need no more than
 * lut.h. Prepare functions; run them with map_plan_run. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_ACTIVATION_H
#define DELEGAUGE_KERNELS_CPU_OPS_ACTIVATION_H

#include "kernels_cpu/common/map.h"

/* RELU and its kin for INT8, UINT8 and INT16: y = clamp(round(lo / y scale) + zero .. round(hi / y scale) + zero) of the input
 * times x scale / y scale in fixed point; hi may be INFINITY. */
enum status activation_prepare_relu(struct cpu_call *c, float lo, float hi, struct err *err);

/* LEAKY_RELU for the same types: below x's zero point the factor is |x scale * alpha / y scale|, with alpha's sign after it. */
enum status activation_prepare_leaky_relu(struct cpu_call *c, float alpha, struct err *err);

/* HARD_SWISH, x * relu6(x + 3) / 6, for INT8 and UINT8, in TFLite's 16-bit arithmetic. */
enum status activation_prepare_hard_swish(struct cpu_call *c, struct err *err);

/* LOGISTIC and TANH for INT16; the output's scale is 1/32768. */
enum status activation_prepare_logistic16(struct cpu_call *c, struct err *err);
enum status activation_prepare_tanh16(struct cpu_call *c, struct err *err);

#endif
