/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_bytes.h - INT8 inputs as gemm_bytes takes them.
 *
 * A quantized sum is over (q - zero) * w, and q - zero may need 9 bits. So x[i] = q[i] + gemm_bytes_lift, zero point and all; in
 * the padding of an image, x is the low byte of gemm_bytes_zero, which stands for the real 0. Each sum is then too large by
 * gemm_bytes_zero * (sum of the channel's weights): a number per channel, known with the weights, that the caller takes off in
 * requant.offset. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_GEMM_BYTES_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_GEMM_BYTES_H

#include "kernels_cpu/matmul/gemm.h"
#include "kernels_cpu/quant/fixed_point.h"

/* 128 if the CPU multiplies UINT8 by INT8 (x86-64), 0 if it multiplies INT8 (arm64). */
extern const int32_t gemm_bytes_lift;

/* The zero point of x, as a number. */
static inline int32_t gemm_bytes_zero(const struct tensor *input)
{
    return quant_zero(input) + gemm_bytes_lift;
}

/* x[n] of INT8 q[n]. */
static inline void gemm_bytes_lifted(const void *q, size_t n, void *x)
{
    const uint8_t *from = q;
    uint8_t *to = x;

    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(from[i] + gemm_bytes_lift);
}

#endif
