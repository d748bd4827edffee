/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_point.h - the integer arithmetic that quantized kernels share: multiplying by a real number in fixed point.
 *
 * Integer kernels are bit-exact with TFLite's reference kernels, so the roundings here are part of the contract, one by one. TFLite
 * rounds twice when it scales 32-bit accumulators (once in the high multiply, once in the shift) and once when it scales 64-bit
 * ones. Every helper is branch-free so that loops around it vectorise, and wraps if TFLite's would overflow, so that a hostile
 * scale gives a wrong number but never undefined behaviour.
 *
 * Which one a kernel takes follows TFLite's kernel of that operator:
 *   fixed_scale      int32 sums: convolutions, elementwise operators, SOFTMAX, SVDF
 *   fixed_scale_up   products that TFLite leaves to ruy even as a reference: the basic LSTM cell
 *   fixed_scale64    int64 sums: INT16 activations, reductions
 * kernels_cpu/quant/requant.h is the same for whole rows of sums with a scale per channel. Source of the roundings: gemmlowp's
 * fixedpoint.h and TFLite's kernels/internal/common. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_FIXED_POINT_H
#define DELEGAUGE_KERNELS_CPU_QUANT_FIXED_POINT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/tensor/tensor.h"

/* real = mult * 2^(shift - 31); |mult| is in [2^30, 2^31) or 0. TFLite passes the two as quantized_multiplier and shift. 0.75 is
 * {0x60000000, 0}, 3 is {0x60000000, 2}, 1 is {0x40000000, 1}. */
struct fixed_mul {
    int32_t mult;
    int32_t shift; /* -31..30; above 0 multiplies before the product, else divides after it */
};

/* The multiplier nearest to `real`, halves away from zero: TFLite's QuantizeMultiplier. False, and 0, if `real` is not finite or
 * not below 2^30 in magnitude; numbers below 2^-32, too small to move an int32 sum, become 0. */
bool fixed_from_double(double real, struct fixed_mul *out);

/* round(a * b / 2^31), halves up; the one product that does not fit, of -2^31 with itself, saturates. gemmlowp's
 * SaturatingRoundingDoublingHighMul. */
static inline int32_t fixed_mul_high(int32_t a, int32_t b)
{
    int64_t p = ((int64_t)a * b + (INT64_C(1) << 30)) >> 31;

    return p > INT32_MAX ? INT32_MAX : (int32_t)p;
}

/* round(x / 2^n), halves away from zero; 0 <= n <= 31. gemmlowp's RoundingDivideByPOT. */
static inline int32_t fixed_shift_right(int32_t x, int32_t n)
{
    int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
    int32_t threshold = (mask >> 1) + (x < 0);

    return (x >> n) + ((x & mask) > threshold);
}

/* x * 2^n, wrapping if C would not define it; 0 <= n <= 31. */
static inline int32_t fixed_shift_left(int32_t x, int32_t n)
{
    return (int32_t)((uint32_t)x << n);
}

/* x * real, for 32-bit accumulators: x * 2^left, high product, then the right shift, each rounded. Source: TFLite's
 * MultiplyByQuantizedMultiplier for int32, as built without TFLITE_SINGLE_ROUNDING. */
static inline int32_t fixed_scale(int32_t x, struct fixed_mul m)
{
    int32_t left = m.shift > 0 ? m.shift : 0, right = m.shift > 0 ? 0 : -m.shift;

    return fixed_shift_right(fixed_mul_high(fixed_shift_left(x, left), m.mult), right);
}

/* The same for products that come from ruy's matrix multiplication: there the shift rounds halves up. */
static inline int32_t fixed_scale_up(int32_t x, struct fixed_mul m)
{
    int32_t left = m.shift > 0 ? m.shift : 0, right = m.shift > 0 ? 0 : -m.shift;
    int64_t half = right ? INT64_C(1) << (right - 1) : 0;

    return (int32_t)((fixed_mul_high(fixed_shift_left(x, left), m.mult) + half) >> right);
}

/* Store the factor that fixed_scale64 multiplies by, and the distance of its shift then: 1 .. 46. */
static inline void fixed_scale64_parts(struct fixed_mul m, int32_t *mult, int32_t *shift)
{
    *mult = m.mult < 0x7fff0000 ? (m.mult + (1 << 15)) >> 16 : 0x7fff;
    *shift = m.shift < 14 ? 15 - m.shift : 1;
}

/* x * real, rounded once, halves up, for 64-bit accumulators (16-bit activations): TFLite keeps 15 bits of the multiplier here,
 * so that the product of a 48-bit sum fits. Larger sums wrap, and so does a result beyond int32. Shifts above 14 cannot be
 * expressed that way; they saturate at 14, as does nothing that a quantizer writes. */
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

/* Return the scale of a tensor quantized as a whole; 0 if it is not quantized or per channel, as TFLite's kernels see it. Whether
 * it is a number to divide by is for quant_check (quant_check.h) to say. */
static inline float quant_scale(const struct tensor *t)
{
    return t->quant.n == 1 ? t->quant.scale[0] : 0;
}

/* Likewise the zero point; of a hostile file the low 32 bits. */
static inline int32_t quant_zero(const struct tensor *t)
{
    return t->quant.n == 1 && t->quant.zero_point ? (int32_t)t->quant.zero_point[0] : 0;
}

#endif
