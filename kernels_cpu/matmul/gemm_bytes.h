/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_bytes.h - conversion of INT8 inputs to the 8-bit elements of gemm_bytes.
 *
 * A quantized sum is over (q - zero) * w, and q - zero may need 9 bits. So x[i] = q[i] + gemm_bytes_lift, zero point included, and
 * padding is the low byte of gemm_bytes_zero, the real 0. Each sum is then too large by gemm_bytes_zero * (sum of the channel's
 * weights), which the caller subtracts through requant.offset. */
#pragma once

#include "kernels_cpu/matmul/gemm.h"
#include "kernels_cpu/quant/fixed_point.h"

/* 128 if the CPU multiplies UINT8 by INT8 (x86-64), 0 if it multiplies INT8 by INT8 (arm64). */
extern const int32_t gemm_bytes_lift;

/* Return the zero point of x. */
static inline int32_t gemm_bytes_zero(const struct tensor *input)
{
    return quant_zero(input) + gemm_bytes_lift;
}

/* Store x[n] for INT8 q[n]. */
static inline void gemm_bytes_lifted(const void *q, size_t n, void *x)
{
    const uint8_t *from = q;
    uint8_t *to = x;

    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(from[i] + gemm_bytes_lift);
}
