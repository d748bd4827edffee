/* SPDX-License-Identifier: Apache-2.0 */
/* fixed16.h - 16-bit fixed-point arithmetic: products, logistic and tanh with TFLite's polynomial, constants and roundings.
 *
 * A number with i integer bits has 15 - i fractional bits: its value is the int16 divided by 2^(15 - i). 1.0 is 4096 with 3 integer
 * bits; with none it is not representable, and 32767 stands for it. Results that overflow in TFLite's arithmetic wrap here too.
 * Source: gemmlowp's fixedpoint.h (exp_on_negative_values, logistic, tanh, one_over_one_plus_x) for FixedPoint<int16_t, i>, which
 * TFLite's integer LSTM cells call: gates have i = 3, the cell state the i of its scale. LOGISTIC and TANH of INT16 interpolate a
 * table instead (sigmoid16.c).
 *
 * The results are TFLite's to the bit, not the nearest ones: within a few 2^-15 of the function. No function fails; each is a pure
 * function, so loops over them may be vectorised and shared between threads. fixed_exp.h and fixed_point.h are the 32-bit
 * forms of the same algorithms. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"

/* Return v clamped to int16. */
static inline int16_t fixed16_saturate(int32_t v)
{
    return (int16_t)fixed_clamp(v, INT16_MIN, INT16_MAX);
}

/* Return round(a * b / 2^15), halves up, as SaturatingRoundingDoublingHighMul for int16; (-2^15)^2, the one product that does not
 * fit, saturates. A product of numbers with i and j integer bits has i + j integer bits. */
static inline int16_t fixed16_mul(int16_t a, int16_t b)
{
    return fixed16_saturate((a * b + (1 << 14)) >> 15);
}

/* Return x * 2^n, 0 <= n <= 15, saturating. */
static inline int16_t fixed16_shift_left(int16_t x, int n)
{
    return fixed16_saturate(x * (1 << n));
}

/* A constant with 31 fractional bits, as gemmlowp writes them, rounded to 15. */
#define FIXED16(v) ((int16_t)(((v) + (1 << 15)) >> 16))

/* Return exp(a) for a in [-1/4, 0), both without integer bits: the Taylor series around -1/8 with x = a + 1/8, exp(-1/8) * (1 + x +
 * x^2/2 + x^3/6 + x^4/24). */
static inline int16_t fixed16_exp_quarter(int16_t a)
{
    const int16_t at_eighth = FIXED16(1895147668), third = FIXED16(715827883);
    const int16_t x = (int16_t)(a + (1 << 12)), x2 = fixed16_mul(x, x), x3 = fixed16_mul(x2, x), x4 = fixed16_mul(x2, x2);
    const int16_t x4_4 = (int16_t)fixed_shift_right(x4, 2);
    const int16_t rest = (int16_t)fixed_shift_right((int16_t)(fixed16_mul((int16_t)(x4_4 + x3), third) + x2), 1);

    return fixed16_saturate(at_eighth + fixed16_mul(at_eighth, (int16_t)(x + rest)));
}

/* Return exp(a), without integer bits, for a <= 0 with `bits` integer bits, 0 .. 7. a = part - remainder: fixed16_exp_quarter
 * computes exp(part), part in [-1/4, 0), and each bit of the remainder, a whole number of quarters, multiplies by a power of e.
 * exp(0) is the largest number, 1 - 2^-15; below -32, which only 6 and 7 integer bits can hold, the result is 0. */
static inline int16_t fixed16_exp(int16_t a, int bits)
{
    static const int16_t powers[] = {FIXED16(1672461947), FIXED16(1302514674), FIXED16(790015084), FIXED16(290630308),
                                     FIXED16(39332535),   FIXED16(720401),     FIXED16(242)}; /* e^-(1/4), e^-(1/2), e^-1, … */
    const int quarter_at = 13 - bits;
    const int16_t quarter = (int16_t)(1 << quarter_at), part = (int16_t)((a & (quarter - 1)) - quarter);
    const int16_t remainder = (int16_t)(part - a);
    int16_t y = fixed16_exp_quarter(fixed16_shift_left(part, bits));

    if (a == 0)
        return INT16_MAX;
    if (bits > 5 && a < -(32 << (15 - bits)))
        return 0;
    for (int i = 0; i < 7 && i - 2 < bits; i++)
        if (remainder & (1 << (quarter_at + i)))
            y = fixed16_mul(y, powers[i]);
    return y;
}

/* Return 2 / (1 + a), with two integer bits, for a in [0, 1] without integer bits: y = 1 / half, half = (1 + a) / 2, by three steps
 * of Newton's method, y = y + y * (1 - half * y), from the linear estimate that is best on [1/2, 1]. */
static inline int16_t fixed16_two_over_one_plus(int16_t a)
{
    const int16_t half = (int16_t)((a + INT16_MAX + 1) / 2);
    int16_t x = (int16_t)(FIXED16(1515870810) + fixed16_mul(half, FIXED16(-1010580540))); /* 48/17 - 32/17 * half */

    for (int i = 0; i < 3; i++) {
        const int16_t rest = (int16_t)((1 << 13) - fixed16_mul(half, x));

        x = (int16_t)(x + fixed16_shift_left(fixed16_mul(x, rest), 2));
    }
    return x;
}

/* Return 1 / (1 + exp(-a)), without integer bits, for a with `bits` integer bits, 0 .. 6; by symmetry from exp of the negative
 * side. Exactly 1/2 at 0. */
static inline int16_t fixed16_logistic(int16_t a, int bits)
{
    const int16_t negative = a > 0 ? (int16_t)-a : a;
    const int16_t y = fixed16_shift_left(fixed16_two_over_one_plus(fixed16_exp(negative, bits)), 1);

    return a == 0 ? 1 << 14 : a > 0 ? y : (int16_t)(INT16_MAX - y);
}

/* Return tanh(a) = 2 / (1 + exp(-2 |a|)) - 1 with a's sign, without integer bits, for a with `bits` integer bits, 0 .. 6. */
static inline int16_t fixed16_tanh(int16_t a, int bits)
{
    const int16_t negative = a > 0 ? (int16_t)-a : a;
    const int16_t two_over = fixed16_two_over_one_plus(fixed16_exp(negative, bits + 1));
    const int16_t y = fixed16_shift_left((int16_t)(two_over - (1 << 13)), 2);

    return a == 0 ? 0 : a > 0 ? y : (int16_t)-y;
}
