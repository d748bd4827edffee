/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_inv_sqrt.h - 1 / sqrt(x) in fixed point, by Newton's method with TFLite's constants and roundings.
 *
 * Source: GetInvSqrtQuantizedMultiplierExp of TFLite's kernels/internal/common, which L2_NORMALIZATION, RSQRT and the layer
 * normalization of the integer LSTM call. Each step is y = y * (3/2 - x / 2 * y^2); five of them, from y = 1.
 *
 * The bits are TFLite's. What a quantized root loses is then a matter of the output's scale; nothing here fails, and the loops
 * end after a number of steps that does not depend on the value. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_FIXED_INV_SQRT_H
#define DELEGAUGE_KERNELS_CPU_QUANT_FIXED_INV_SQRT_H

#include "fixed_point.h"
#include "fixed_reciprocal.h"

/* 1 / sqrt(x) for x >= 1, as mult * 2^(shift - 31) with shift <= 0; x <= 1 gives 1 (INT32_MAX / 2^31). The iteration runs on x
 * moved to [1/4, 1) by pairs of bits, with 28 fractional bits; sqrt(2) / 2 makes up for the half pair. */
static inline struct fixed_mul fixed_inv_sqrt(int32_t x)
{
    const int32_t half_sqrt_2 = 1518500250, three_halves = 3 << 27;
    int32_t shift = 11, pairs, half, y = 1 << 28; /* y = 1: 28 fractional bits, 3 integer ones */

    if (x <= 1)
        return (struct fixed_mul){INT32_MAX, 0};
    for (; x >= 1 << 29; shift++)
        x /= 4; /* sqrt(4) = 2: one bit of the result */
    pairs = (__builtin_clz((uint32_t)x) - 1) / 2 - 1;
    shift -= pairs;
    x <<= 2 * pairs;
    half = fixed_shift_right(x >> 1, 1); /* x / 2, where x >> 1 is x with 28 fractional bits */
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
