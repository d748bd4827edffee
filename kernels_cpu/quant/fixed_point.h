/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_point.h - the integer arithmetic that quantized kernels share: multiplying by a real number in fixed point.
 *
 * Integer kernels are bit-exact with TFLite's reference kernels, so each rounding here is part of the contract. TFLite rounds twice
 * when it scales 32-bit accumulators (in the high multiply, and in the shift) and once when it scales 64-bit ones. Every function
 * is branch-free, so that loops around it vectorise, and wraps if TFLite's would overflow: a hostile scale gives a wrong number,
 * never undefined behaviour.
 *
 * Choose the function that TFLite's kernel of the operator uses:
 *   fixed_scale      int32 sums: convolutions, elementwise operators, SOFTMAX, SVDF
 *   fixed_scale_up   products that TFLite leaves to ruy even as a reference: the basic LSTM cell
 *   fixed_scale64    int64 sums: INT16 activations, reductions
 * kernels_cpu/quant/requant.h scales whole rows of sums, with a scale per channel. Source of the roundings: gemmlowp's fixedpoint.h
 * and TFLite's kernels/internal/common. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/tensor/tensor.h"

/* real = mult * 2^(shift - 31); |mult| is in [2^30, 2^31) or 0. These are TFLite's quantized_multiplier and shift. 0.75 is
 * {0x60000000, 0}, 3 is {0x60000000, 2}, 1 is {0x40000000, 1}. */
struct fixed_mul {
    int32_t mult;
    int32_t shift; /* -31..31; above 0 multiplies before the product, else divides after it */
};

/* Store the multiplier nearest to `real`, halves away from zero: TFLite's QuantizeMultiplier. Return false and store 0 if `real` is
 * not finite or its magnitude is 2^30 or more. Magnitudes below 2^-32, too small to change an int32 sum, become 0. */
bool fixed_from_double(double real, struct fixed_mul *out);

/* Return round(a * b / 2^31), halves up; (-2^31)^2, the one product that does not fit, saturates. gemmlowp's
 * SaturatingRoundingDoublingHighMul. */
static inline int32_t fixed_mul_high(int32_t a, int32_t b)
{
    int64_t p = ((int64_t)a * b + (INT64_C(1) << 30)) >> 31;

    return p > INT32_MAX ? INT32_MAX : (int32_t)p;
}

/* Return round(x / 2^n), halves away from zero; 0 <= n <= 31. gemmlowp's RoundingDivideByPOT. */
static inline int32_t fixed_shift_right(int32_t x, int32_t n)
{
    int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
    int32_t threshold = (mask >> 1) + (x < 0);

    return (x >> n) + ((x & mask) > threshold);
}

/* Return x * 2^n, wrapping if C would not define it; 0 <= n <= 31. */
static inline int32_t fixed_shift_left(int32_t x, int32_t n)
{
    return (int32_t)((uint32_t)x << n);
}

/* Return x * real for 32-bit accumulators: x * 2^left, high product, then the right shift, each rounded. Source: TFLite's
 * MultiplyByQuantizedMultiplier for int32, as built without TFLITE_SINGLE_ROUNDING. */
static inline int32_t fixed_scale(int32_t x, struct fixed_mul m)
{
    int32_t left = m.shift > 0 ? m.shift : 0, right = m.shift > 0 ? 0 : -m.shift;

    return fixed_shift_right(fixed_mul_high(fixed_shift_left(x, left), m.mult), right);
}

/* Return x * real for sums of ruy's matrix multiplication, whose right shift rounds halves up. */
static inline int32_t fixed_scale_up(int32_t x, struct fixed_mul m)
{
    int32_t left = m.shift > 0 ? m.shift : 0, right = m.shift > 0 ? 0 : -m.shift;
    int64_t half = right ? INT64_C(1) << (right - 1) : 0;

    return (int32_t)((fixed_mul_high(fixed_shift_left(x, left), m.mult) + half) >> right);
}

/* Store the factor and the right shift, 1 .. 46, of fixed_scale64. */
static inline void fixed_scale64_parts(struct fixed_mul m, int32_t *mult, int32_t *shift)
{
    *mult = m.mult < 0x7fff0000 ? (m.mult + (1 << 15)) >> 16 : 0x7fff;
    *shift = m.shift < 14 ? 15 - m.shift : 1;
}

/* Return x * real for 64-bit accumulators (16-bit activations), rounded once, halves up. TFLite keeps 15 bits of the multiplier
 * here, so that the product with a 48-bit sum fits. Larger sums wrap, and so do results beyond int32. m.shift saturates at 14,
 * beyond any shift that a converter writes. */
static inline int32_t fixed_scale64(int64_t x, struct fixed_mul m)
{
    int32_t reduced, shift;
    uint64_t product;

    fixed_scale64_parts(m, &reduced, &shift);
    product = (uint64_t)x * (uint64_t)(int64_t)reduced + (UINT64_C(1) << (shift - 1));
    return (int32_t)((int64_t)product >> shift);
}

/* Return x clamped to [lo, hi]; lo <= hi. */
static inline int32_t fixed_clamp(int32_t x, int32_t lo, int32_t hi)
{
    x = x < lo ? lo : x;
    return x > hi ? hi : x;
}

/* Return the scale of a tensor quantized as a whole; 0 if it is not quantized or per channel, as TFLite's kernels read it.
 * quant_check (quant_check.h) tells if it is above 0 and finite. */
static inline float quant_scale(const struct tensor *t)
{
    return t->quant.n == 1 ? t->quant.scale[0] : 0;
}

/* Return the zero point of a tensor quantized as a whole, else 0; the low 32 bits if a hostile file has more. */
static inline int32_t quant_zero(const struct tensor *t)
{
    return t->quant.n == 1 && t->quant.zero_point ? (int32_t)t->quant.zero_point[0] : 0;
}

/* ---- 1 / x by Newton's method with TFLite's constants and roundings ----
 *
 * Source: one_over_one_plus_x_for_x_in_0_1 of gemmlowp's fixedpoint.h and GetReciprocal of TFLite's kernels/internal/common, which
 * quantized SOFTMAX and DIV call; LOG_SOFTMAX's logarithm needs the first alone. Three steps y = y + y * (1 - d * y) with d = (1 +
 * x) / 2, each of which doubles the number of right bits, from an estimate that is right to four bits. The bits are gemmlowp's.
 * Nothing fails. */

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

/* ---- 1 / sqrt(x) by Newton's method with TFLite's constants and roundings ----
 *
 * Source: GetInvSqrtQuantizedMultiplierExp of TFLite's kernels/internal/common, which L2_NORMALIZATION, RSQRT and the layer
 * normalization of the integer LSTM call. Five steps y = y * (3/2 - x / 2 * y^2) from y = 1. The bits are TFLite's. Nothing fails,
 * and the number of steps does not depend on the value. */

/* Return 1 / sqrt(x) for x >= 1, as mult * 2^(shift - 31) with shift <= 0; x <= 1 gives 1 (INT32_MAX / 2^31). The iteration runs on
 * x shifted to [1/4, 1) by pairs of bits, with 28 fractional bits; sqrt(2) / 2 makes up for the half pair. */
struct fixed_mul fixed_inv_sqrt(int32_t x);
