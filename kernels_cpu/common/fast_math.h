/* SPDX-License-Identifier: Apache-2.0 */
/* fast_math.h - float functions for loops that compilers vectorise: no calls, no branches.
 *
 * CPU_FAST's EXP, ELU, TANH, LOGISTIC, GELU and SOFTMAX of float32 call them in loops that are cloned for each kind of CPU
 * (clones.h); CPU_REFERENCE calls libm, as TFLite's reference kernels do. opcheck compares the two.
 *
 * The error is at most 1e-6 * max(1, |result|) against libm; NaN gives NaN, and infinities give the same limits. Coefficients are
 * Chebyshev fits on the intervals named. Every step is an IEEE operation in the order written (no fused products,
 * -ffp-contract=off), so a result does not depend on the width of vectors. The rounding mode must be to nearest, as it is at the
 * start of a program. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A call within a loop would keep it from being vectorised. */
#define FAST_FN static inline __attribute__((always_inline))

/* The float with these IEEE 754 bits. */
FAST_FN float fast_from_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Return x clamped to [lo, hi] by two selections; NaN becomes lo. */
FAST_FN float fast_within(float x, float lo, float hi)
{
    return x > lo ? (x < hi ? x : hi) : lo;
}

/* exp(x) = 2 * half * (1 + rest) for x in [-86, 88.72]: half is 2^(n - 1), since 2^n may be 2^128, which is no float, and 1 + rest
 * lies within [1 / sqrt(2), sqrt(2)]. They are kept apart because exp(x) - 1 needs rest before adding 1 rounds it away. Method of
 * Cody and Waite: x = n * ln 2 + r, exp(x) = 2^n * exp(r). */
struct fast_power {
    float half, rest;
};

FAST_FN struct fast_power fast_power(float x)
{
    /* Adding 1.5 * 2^23 rounds to a whole number. */
    const float n = (x * 0x1.715476p0f + 0x1.8p23f) - 0x1.8p23f;
    /* ln 2 in two parts, the first with so few bits that n times it is exact. */
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    /* (exp(r) - 1 - r) / r^2 for |r| < ln(2) / 2. */
    const float q = (((1.3926184e-3f * r + 8.3631791e-3f) * r + 4.16665546e-2f) * r + 1.666657699e-1f) * r + 0.5f;

    /* An exponent field of 127 is 2^0, so n + 126 is half of 2^n. */
    return (struct fast_power){fast_from_bits((uint32_t)((int32_t)n + 126) << 23), r + r * r * q};
}

/* Return exp(x). Results below exp(-86), about 4.5e-38, are 0; above 88.72283, the logarithm of the largest float, infinity. */
FAST_FN float fast_exp(float x)
{
    const float lo = -86, hi = 88.72283f;
    const struct fast_power e = fast_power(fast_within(x, lo, hi));
    const float y = (e.half + e.half * e.rest) * 2;

    return x != x ? x : x < lo ? 0 : x > hi ? INFINITY : y;
}

/* Return x if x >= 0, else exp(x) - 1, without loss of digits near 0: -1 at minus infinity. NaN stays NaN. */
FAST_FN float fast_elu(float x)
{
    const struct fast_power e = fast_power(fast_within(x, -86, 0));
    const float scale = 2 * e.half;

    return x < 0 ? scale * e.rest + (scale - 1) : x;
}

/* Return 1 / (1 + exp(-x)), computed from exp(-|x|), which cannot overflow: below 0 as exp(x) / (1 + exp(x)). */
FAST_FN float fast_logistic(float x)
{
    const float e = fast_exp(-fabsf(x));

    return (x < 0 ? e : 1) / (1 + e);
}

/* Return (1 - exp(-2 |x|)) / (1 + exp(-2 |x|)) with x's sign; near 0, where that cancels, an odd polynomial. */
FAST_FN float fast_tanh(float x)
{
    const float z = x * x, e = fast_exp(-2 * fabsf(x));
    /* (tanh(x) - x) / x^3 for |x| < 0.625. */
    const float t = (((-6.0967142e-3f * z + 2.0997179e-2f) * z - 5.38509096e-2f) * z + 1.333276974e-1f) * z - 3.333332894e-1f;

    return fabsf(x) < 0.625f ? x + x * z * t : copysignf((1 - e) / (1 + e), x);
}

/* Return x * erfc(-x / sqrt(2)) / 2, GELU with approximate = false; erfc by Abramowitz and Stegun 7.1.26, whose error is at most
 * 1.5e-7. */
FAST_FN float fast_gelu(float x)
{
    const float z = fabsf(x) * (float)M_SQRT1_2, t = 1 / (1 + 0.3275911f * z);
    const float p = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t;
    const float beyond = 0.5f * p * fast_exp(-z * z);

    return x < 0 ? x * beyond : x * (1 - beyond);
}

/* Return x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), the approximation of Hendrycks and Gimpel (2016): GELU with
 * approximate = true. */
FAST_FN float fast_gelu_tanh(float x)
{
    const float scale = (float)(M_2_SQRTPI * M_SQRT1_2);

    return 0.5f * x * (1 + fast_tanh(scale * (x + 0.044715f * x * x * x)));
}
