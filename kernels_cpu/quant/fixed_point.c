/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_point.c - from a real number to a multiplier and a shift; and 1 / sqrt(x). */
#include "kernels_cpu/quant/fixed_point.h"

bool fixed_from_double(double real, struct fixed_mul *out)
{
    int shift;
    int64_t q;

    *out = (struct fixed_mul){0, 0};
    if (!isfinite(real) || fabs(real) >= 0x1p30)
        return false;
    if (real == 0)
        return true;
    q = (int64_t)round(frexp(real, &shift) * 0x1p31);
    if (q == INT64_C(1) << 31) {
        q /= 2;
        shift++;
    }
    if (shift >= -31)
        *out = (struct fixed_mul){(int32_t)q, shift};
    return true;
}

struct fixed_mul fixed_inv_sqrt(int32_t x)
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
