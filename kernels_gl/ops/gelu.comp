// SPDX-License-Identifier: Apache-2.0
// gelu.comp - functions for GELU's epilogue (kernels_gl/ops/activation.c): a * P(X <= a) of the normal distribution.

// erfc of z >= 0, by Chebyshev's polynomials (Press et al., Numerical Recipes, erfcc): within 1.2e-7 of the value, however small.
// 1 - erf would leave nothing of it beyond 5.5 / sqrt(2).
vec4 erfc4(vec4 z)
{
    vec4 t = vec4(1.0) / (vec4(1.0) + 0.5 * z);
    vec4 p = t * (t * (t * (t * (t * (0.17087277 * t - 0.82215223) + 1.48851587) - 1.13520398) + 0.27886807) - 0.18628806);

    p = t * (t * (t * (p + 0.09678418) + 0.37409196) + 1.00002368);
    return t * exp(p - 1.26551223 - z * z);
}

vec4 gelu_erf(vec4 a)
{
    vec4 e = erfc4(abs(a) * 0.70710678);

    return vec4(0.5) * a * mix(vec4(2.0) - e, e, lessThan(a, vec4(0.0)));
}

// The approximation by tanh; exp overflows long before tanh differs from +-1.
vec4 gelu_tanh(vec4 a)
{
    return vec4(0.5) * a * (vec4(1.0) + tanh(clamp(0.79788456 * (a + 0.044715 * a * a * a), vec4(-20.0), vec4(20.0))));
}
