// SPDX-License-Identifier: Apache-2.0
// quotient.comp - a / b of integers, rounded towards 0, for DIV (kernels_gl/ops/arith.c); GLSL leaves negative operands open.
// The one quotient that does not fit, of the least integer by -1, is the greatest, as on the CPU.

ivec4 quotient(ivec4 a, ivec4 b)
{
    uvec4 q = uvec4(abs(a)) / uvec4(abs(b));

    return mix(ivec4(min(q, uvec4(0x7fffffffu))), -ivec4(q), lessThan(a ^ b, ivec4(0)));
}
