// SPDX-License-Identifier: Apache-2.0
// quotient.comp - a / b of integers, rounded towards 0, for DIV (kernels_gl/arith.c); GLSL leaves negative operands open.

ivec4 quotient(ivec4 a, ivec4 b)
{
    ivec4 q = ivec4(uvec4(abs(a)) / uvec4(abs(b)));

    return mix(q, -q, lessThan(a ^ b, ivec4(0)));
}
