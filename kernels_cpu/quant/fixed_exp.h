/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_exp.h - exp(x) for x <= 0 in fixed point, with the polynomial, constants and roundings of TFLite's gemmlowp.
 *
 * Source: exp_on_negative_values and exp_on_interval_between_negative_one_quarter_and_0_excl of gemmlowp's fixedpoint.h for
 * FixedPoint<int32_t, 5>. TFLite's quantized SOFTMAX and LOG_SOFTMAX call them on each value minus its row's largest, which is 0 or
 * less. Nothing fails; overflows wrap. The bits are gemmlowp's, and so are those of sums. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"

/* Return exp(a) for a in [-1/4, 0), both with 31 fractional bits: the Taylor series around -1/8 with x = a + 1/8, to the fourth
 * power, exp(-1/8) * (1 + x + (x^2 + (x^3 + x^4 / 4) / 3) / 2). */
static inline int32_t fixed_exp_quarter(int32_t a)
{
    const int32_t exp_of_minus_eighth = 1895147668, third = 715827883; /* times 2^31 */
    int32_t x = a + (1 << 28);
    int32_t x2 = fixed_mul_high(x, x), x3 = fixed_mul_high(x2, x), x4 = fixed_mul_high(x2, x2);
    int32_t rest = fixed_shift_right(fixed_mul_high(fixed_shift_right(x4, 2) + x3, third) + x2, 1);

    return exp_of_minus_eighth + fixed_mul_high(exp_of_minus_eighth, x + rest);
}

/* Return exp(a) with 31 fractional bits for a <= 0 with 26 fractional bits, so a >= -32: the part of a below a quarter by the
 * polynomial, then one product with exp(-2^i) for each bit of the quarters. exp(0) is the largest number, 1 - 2^-31. */
static inline int32_t fixed_exp_q5(int32_t a)
{
    /* exp(-2^i) for i = -2, ..., 4, times 2^31: 26 fractional bits leave room for quarters up to 31.75 */
    static const int32_t powers[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
    const int32_t quarter = 1 << 24;
    int32_t rest = (a & (quarter - 1)) - quarter;
    int32_t y = fixed_exp_quarter(fixed_shift_left_saturated(rest, 5));
    int32_t quarters = rest - a;

    for (int i = 0; i < 7; i++)
        if (quarters & quarter << i)
            y = fixed_mul_high(y, powers[i]);
    return a == 0 ? INT32_MAX : y;
}
