// SPDX-License-Identifier: Apache-2.0
// floor_div.comp - floor(a / b) for FLOOR_DIV and FLOOR_MOD (kernels_gl/floor_div.c), right where the quotient is a whole number.
//
// A division may be off by some units of the last place (GLSL ES 3.10, section 4.5.1), as a * (1.0 / b) is, and then falls short of
// a whole number by a step. So it is asked whether the nearest whole number times b is a exactly.

#ifndef QUOTIENT
#define QUOTIENT(a, b) (a / b)
#endif

// The upper half of the bits of each fraction, so that products of such halves are exact.
vec4 upper(vec4 v)
{
    return uintBitsToFloat(floatBitsToUint(v) & 0xfffff000u);
}

// What was rounded off in p = a * b (T. J. Dekker, A floating-point technique for extending the available precision, 1971).
vec4 rounded_off(vec4 a, vec4 b, vec4 p)
{
    PRECISE vec4 ah = upper(a), bh = upper(b), al = a - ah, bl = b - bh;
    PRECISE vec4 e = ah * bh - p;

    e = e + ah * bl;
    e = e + al * bh;
    return e + al * bl;
}

vec4 floor_quotient(vec4 a, vec4 b)
{
    PRECISE vec4 q = QUOTIENT(a, b);
    vec4 whole = roundEven(q), down = floor(q);
    PRECISE vec4 p = whole * b;
    bvec4 same = equal(p, a), exact = equal(rounded_off(whole, b, p), vec4(0.0));

    return mix(down, whole, bvec4(same.x && exact.x, same.y && exact.y, same.z && exact.z, same.w && exact.w));
}

// The whole number from which a - b times it has the sign of b and is less than b, for FLOOR_MOD: the floor of the quotient before
// any rounding. Beyond 2^22 quotients have no place for a fraction.
vec4 floor_multiple(vec4 a, vec4 b)
{
    PRECISE vec4 q = QUOTIENT(a, b);
    vec4 whole = roundEven(q);
    PRECISE vec4 p = whole * b;
    PRECISE vec4 rest = (a - p) - rounded_off(whole, b, p);
    bvec4 below = lessThan(rest * sign(b), vec4(0.0));

    return mix(floor_quotient(a, b), whole - vec4(below), lessThan(abs(q), vec4(4194304.0)));
}

// Of integers: what GLSL makes of a negative operand is not relied on.
ivec4 floor_quotient(ivec4 a, ivec4 b)
{
    uvec4 x = uvec4(abs(a)), y = uvec4(abs(b)), q = x / y;
    bvec4 negative = lessThan(a ^ b, ivec4(0));
    ivec4 down = ivec4(q) + ivec4(notEqual(x - q * y, uvec4(0u)));

    return mix(ivec4(q), -down, negative);
}
