/* SPDX-License-Identifier: Apache-2.0 */
/* fast_math.h - float functions for loops that compilers vectorise: no calls, no branches.
 *
 * Within 1e-6 of libm's, of max(1, |result|); NaN gives NaN and infinities the same limits. Coefficients are Chebyshev fits on the
 * intervals named. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_FAST_MATH_H
#define DELEGAUGE_KERNELS_CPU_COMMON_FAST_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define FAST_FN static inline __attribute__((always_inline))

FAST_FN float fast_from_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* NaN goes to lo. */
FAST_FN float fast_within(float x, float lo, float hi)
{
    return x > lo ? (x < hi ? x : hi) : lo;
}

/* exp(x) = 2 * half * (1 + rest) for x in [-86, 88.72]: half is a power of two (half of it, since 2^128 is no float), and
 * 1 + rest lies within [1 / sqrt(2), sqrt(2)]. */
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

    return (struct fast_power){fast_from_bits((uint32_t)((int32_t)n + 126) << 23), r + r * r * q};
}

/* What would lie below exp(-86) is 0. */
FAST_FN float fast_exp(float x)
{
    const float lo = -86, hi = 88.72283f;
    const struct fast_power e = fast_power(fast_within(x, lo, hi));
    const float y = (e.half + e.half * e.rest) * 2;

    return x != x ? x : x < lo ? 0 : x > hi ? INFINITY : y;
}

/* x where x >= 0, exp(x) - 1 below. */
FAST_FN float fast_elu(float x)
{
    const struct fast_power e = fast_power(fast_within(x, -86, 0));
    const float scale = 2 * e.half;

    return x < 0 ? scale * e.rest + (scale - 1) : x;
}

FAST_FN float fast_logistic(float x)
{
    const float e = fast_exp(-fabsf(x));

    return (x < 0 ? e : 1) / (1 + e);
}

FAST_FN float fast_tanh(float x)
{
    const float z = x * x, e = fast_exp(-2 * fabsf(x));
    /* (tanh(x) - x) / x^3 for |x| < 0.625. */
    const float t = (((-6.0967142e-3f * z + 2.0997179e-2f) * z - 5.38509096e-2f) * z + 1.333276974e-1f) * z - 3.333332894e-1f;

    return fabsf(x) < 0.625f ? x + x * z * t : copysignf((1 - e) / (1 + e), x);
}

/* x times the share of the normal distribution below x; erfc by Abramowitz and Stegun 7.1.26. */
FAST_FN float fast_gelu(float x)
{
    const float z = fabsf(x) * (float)M_SQRT1_2, t = 1 / (1 + 0.3275911f * z);
    const float p = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t;
    const float beyond = 0.5f * p * fast_exp(-z * z);

    return x < 0 ? x * beyond : x * (1 - beyond);
}

FAST_FN float fast_gelu_tanh(float x)
{
    const float scale = (float)(M_2_SQRTPI * M_SQRT1_2);

    return 0.5f * x * (1 + fast_tanh(scale * (x + 0.044715f * x * x * x)));
}

#endif
