/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv.h - DEPTHWISE_CONV_2D's implementations. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_DEPTHWISE_CONV_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_DEPTHWISE_CONV_H

#include "conv_impl.h"

/* Output channel oc reads input channel oc / (g->oc / g->ic). */
extern const struct conv_impl dw_f32, dw_quant, dw_hybrid;

#endif
