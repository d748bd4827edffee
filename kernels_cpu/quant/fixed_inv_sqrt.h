/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_inv_sqrt.h - 1 / sqrt(x) in fixed point, by Newton's method with TFLite's constants and roundings. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_FIXED_INV_SQRT_H
#define DELEGAUGE_KERNELS_CPU_QUANT_FIXED_INV_SQRT_H

#include "fixed_point.h"
#include "fixed_reciprocal.h"

/* 1 / sqrt(x) for x >= 1; 0 counts as 1. The iteration runs on x moved to [1/4, 1) by pairs of bits, with 28 fractional bits. */
static inline struct fixed_mul fixed_inv_sqrt(int32_t x)
{
    const int32_t half_sqrt_2 = 1518500250, three_halves = 3 << 27;
    int32_t shift = 11, pairs, half, y = 1 << 28;

    if (x <= 1)
        return (struct fixed_mul){INT32_MAX, 0};
    for (; x >= 1 << 29; shift++)
        x /= 4;
    pairs = (__builtin_clz((uint32_t)x) - 1) / 2 - 1;
    shift -= pairs;
    x <<= 2 * pairs;
    half = fixed_shift_right(x >> 1, 1);
    for (int i = 0; i < 5; i++) {
        const int32_t cube = fixed_shift_left_saturated(fixed_mul_high(fixed_mul_high(y, y), y), 6);

        y = fixed_shift_left_saturated(fixed_mul_high(three_halves, y) - fixed_mul_high(half, cube), 3);
    }
    y = fixed_mul_high(y, half_sqrt_2);
    if (shift < 0) {
        y = fixed_shift_left(y, -shift);
        shift = 0;
    }
    return (struct fixed_mul){y, -shift};
}

#endif
