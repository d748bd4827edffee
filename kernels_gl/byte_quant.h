/* SPDX-License-Identifier: Apache-2.0 */
/* byte_quant.h - 8-bit quantized tensors, which cross a partition's border as bytes and are IR_INT inside. */
#ifndef DELEGAUGE_KERNELS_GL_BYTE_QUANT_H
#define DELEGAUGE_KERNELS_GL_BYTE_QUANT_H

#include "../lib/gl/kernel.h"

#define TAKES_BYTES (1u << TYPE_INT8 | 1u << TYPE_UINT8)

struct byte_limits {
    int32_t lo, hi;
};

/* Of INT8 or UINT8. */
struct byte_limits byte_limits_of(enum tensor_type type);

/* One scale for the whole tensor, and a zero point of its type. A subnormal scale may count as 0 on a GPU: refused. */
bool byte_quant_fits(const struct tensor *t, struct reason *why);

/* Its zero point; 0 where it has none. */
int32_t byte_quant_zero(const struct tensor *t);

#endif
