/* SPDX-License-Identifier: Apache-2.0 */
/* conv.h - CONV_2D's implementations. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_CONV_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_CONV_H

#include "conv_impl.h"

extern const struct conv_impl conv_f32, conv_quant, conv_hybrid;

#endif
