/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_reciprocal.h - 1 / x in fixed point, by Newton's method with TFLite's constants and roundings.
 *
 * Source: one_over_one_plus_x_for_x_in_0_1 of gemmlowp's fixedpoint.h and GetReciprocal of TFLite's kernels/internal/common, which
 * quantized SOFTMAX and DIV call; LOG_SOFTMAX's logarithm needs the first alone. Three steps y = y + y * (1 - d * y) with d = (1 +
 * x) / 2, each of which doubles the number of right bits, from an estimate that is right to four bits. The bits are gemmlowp's.
 * Nothing fails. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"

/* Return x * 2^n, 0 <= n <= 31, saturating. */
static inline int32_t fixed_shift_left_saturated(int32_t x, int32_t n)
{
    const int64_t wide = (int64_t)x * (INT64_C(1) << n);

    return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

/* Return 1 / (1 + x) for x in [0, 1), both with 31 fractional bits. The iteration has 29 fractional bits, since its values reach
 * 48/17. */
static inline int32_t fixed_one_over_one_plus(int32_t x)
{
    const int32_t half_denominator = (int32_t)(((int64_t)x + INT32_MAX + 1) / 2);
    int32_t y = 1515870810 + fixed_mul_high(half_denominator, -1010580540); /* 48/17 - 32/17 * half_denominator */

    for (int i = 0; i < 3; i++) {
        const int32_t rest = (1 << 29) - fixed_mul_high(half_denominator, y);

        y += fixed_shift_left_saturated(fixed_mul_high(y, rest), 2);
    }
    return fixed_shift_left_saturated(y, 1);
}

/* Return r for 1 / x = r * 2^-(31 + *shift), x > 0 (callers exclude 0): r has 31 fractional bits and lies in [1/2, 1]. x is first
 * shifted to [1, 2), so *shift is the position of its highest bit, 0 .. 31. */
static inline int32_t fixed_reciprocal(uint32_t x, int32_t *shift)
{
    const int32_t zeros = __builtin_clz(x);

    *shift = 31 - zeros;
    return fixed_one_over_one_plus((int32_t)((x << zeros) - (1u << 31)));
}
