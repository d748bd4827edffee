// SPDX-License-Identifier: Apache-2.0
// floor_div.comp - FLOOR_DIV and FLOOR_MOD (kernels_gl/ops/floor_div.c) of floats exactly as the CPU has them, whatever the
// quotient.
//
// A device's own division may be off by some units of the last place (GLSL ES 3.10, section 4.5.1), and a - b * floor(a / b) of
// floats is right for small quotients alone. So both are computed of the significands as integers, 8 bits of the quotient a step.

#define SIGN_BIT 0x80000000u
#define INFINITE 0x7f800000u
#define HIDDEN   0x800000u

// Of the magnitude u of a float, its significand and its exponent, as it is stored; that of subnormal ones is the least.
uvec4 significand(uvec4 u)
{
    return (u & (HIDDEN - 1u)) | mix(uvec4(HIDDEN), uvec4(0u), lessThan(u, uvec4(HIDDEN)));
}

ivec4 exponent(uvec4 u)
{
    return max(ivec4(u >> 23), ivec4(1));
}

// By how many places a significand above 0 is to be shifted for its highest bit to be the hidden one.
ivec4 places_above(uvec4 bits)
{
    return ivec4(150) - ivec4(floatBitsToUint(vec4(bits)) >> 23);
}

// Both at once.
bvec4 both(bvec4 a, bvec4 b)
{
    return bvec4(uvec4(a) * uvec4(b));
}

// u / v, of magnitudes above 0, rounded to nearest. For its floor: what is between 0 and 1 may be any such number.
vec4 rounded_quotient(uvec4 u, uvec4 v)
{
    uvec4 rest = significand(u), by = significand(v), q = uvec4(1u), inexact;
    ivec4 above_u = places_above(rest), above_v = places_above(by);
    ivec4 e = exponent(u) - above_u - exponent(v) + above_v + 127;
    bvec4 less;

    rest <<= uvec4(above_u);
    by <<= uvec4(above_v);
    less = lessThan(rest, by);
    e -= ivec4(less);
    rest = (rest << uvec4(less)) - by;
    for (int i = 0; i < 3; i++) { // 24 bits behind the first one
        rest <<= 8;
        q = q << 8 | rest / by;
        rest %= by;
    }
    inexact = min(rest, uvec4(1u));
    // Up to half the least subnormal number it rounds to 0.
    bvec4 vanishes = lessThanEqual(e + ivec4(min((q - (HIDDEN << 1)) | inexact, uvec4(1u))), ivec4(-23));
    q = (q >> 1) + ((q & 1u) & (inexact | (q >> 1)));
    q += (uvec4(clamp(e, ivec4(1), ivec4(254))) << 23) - HIDDEN;
    q = mix(q, uvec4(INFINITE), greaterThan(e, ivec4(254)));
    q = mix(q, uvec4(HIDDEN), lessThan(e, ivec4(1)));
    return uintBitsToFloat(mix(q, uvec4(0u), vanishes));
}

vec4 floor_quotient(vec4 a, vec4 b)
{
    uvec4 x = floatBitsToUint(a), y = floatBitsToUint(b), u = x & ~SIGN_BIT, v = y & ~SIGN_BIT;
    vec4 q = rounded_quotient(max(u, uvec4(1u)), max(v, uvec4(1u)));

    q = mix(q, vec4(0.0), equal(u, uvec4(0u)));
    q = uintBitsToFloat(floatBitsToUint(q) | ((x ^ y) & SIGN_BIT));
    return floor(mix(a / b, q, both(lessThan(max(u, v), uvec4(INFINITE)), notEqual(v, uvec4(0u)))));
}

// The rest of u / v, of magnitudes, v above 0.
vec4 rest_of(uvec4 u, uvec4 v)
{
    uvec4 by = significand(v), rest = significand(u) % by, bits;
    ivec4 e = exponent(v), left = mix(exponent(u) - e, ivec4(0), lessThan(u, v)), at;

    while (any(greaterThan(left, ivec4(0)))) {
        rest = (rest << uvec4(clamp(left, ivec4(0), ivec4(8)))) % by;
        left -= 8;
    }
    bits = floatBitsToUint(vec4(rest));
    at = ivec4(bits >> 23) + e - 150;
    bits = mix(rest << uvec4(min(e - 1, ivec4(23))), bits + (uvec4(e - 150) << 23), greaterThan(at, ivec4(0)));
    bits = mix(bits, rest, equal(rest, uvec4(0u)));
    return uintBitsToFloat(mix(bits, u, lessThan(u, v)));
}

// It has the sign of b, but where it is 0 that of a. There is none of an infinite a, of b = 0 and of what is no number.
vec4 floor_rest(vec4 a, vec4 b)
{
    uvec4 x = floatBitsToUint(a), y = floatBitsToUint(b), u = x & ~SIGN_BIT, v = y & ~SIGN_BIT;
    uvec4 rest = floatBitsToUint(rest_of(u, max(v, uvec4(1u)))) | (x & SIGN_BIT);
    PRECISE vec4 turned = uintBitsToFloat(rest) + b;

    rest = mix(rest, floatBitsToUint(turned), both(notEqual(rest & ~SIGN_BIT, uvec4(0u)), notEqual((x ^ y) & SIGN_BIT, uvec4(0u))));
    // A NaN is greater than infinity.
    bvec4 fits = both(lessThan(u, uvec4(INFINITE)), lessThan(v - 1u, uvec4(INFINITE)));
    return uintBitsToFloat(mix(uvec4(0x7fc00000u), rest, fits));
}

// Of integers: what GLSL makes of a negative operand is not relied on.
ivec4 floor_quotient(ivec4 a, ivec4 b)
{
    uvec4 x = uvec4(abs(a)), y = uvec4(abs(b)), q = x / y;
    bvec4 negative = lessThan(a ^ b, ivec4(0));
    ivec4 down = ivec4(q) + ivec4(notEqual(x - q * y, uvec4(0u)));

    return mix(ivec4(q), -down, negative);
}
