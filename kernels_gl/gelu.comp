// SPDX-License-Identifier: Apache-2.0
// gelu.comp - functions for GELU's epilogue (kernels_gl/activation.c): a * P(X <= a) of the normal distribution.

// By Abramowitz and Stegun 7.1.26: within 1.5e-7.
vec4 erf4(vec4 a)
{
    vec4 x = abs(a), t = vec4(1.0) / (vec4(1.0) + 0.3275911 * x);
    vec4 q = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;

    return sign(a) * (vec4(1.0) - q * exp(-x * x));
}

vec4 gelu_erf(vec4 a)
{
    return vec4(0.5) * a * (vec4(1.0) + erf4(a * 0.70710678));
}

// The approximation by tanh; exp overflows long before tanh differs from +-1.
vec4 gelu_tanh(vec4 a)
{
    return vec4(0.5) * a * (vec4(1.0) + tanh(clamp(0.79788456 * (a + 0.044715 * a * a * a), vec4(-20.0), vec4(20.0))));
}
