// SPDX-License-Identifier: Apache-2.0
// pow.comp - functions for POW's epilogue (kernels_gl/ops/binary.c), where GLSL's pow() leaves a < 0 undefined.

// pow() is exp2(b * log2(a)): wrong for negative bases and where 0 * infinity arises.
float pow1(float a, float b)
{
    float r;

    if (b == 0.0 || a == 1.0)
        return 1.0;
    if (a == 0.0)
        r = b > 0.0 ? 0.0 : uintBitsToFloat(0x7f800000u);
    else if (floatBitsToUint(abs(a)) > 0x7f800000u) // NaN, which drivers' pow() may lose
        r = a;
    else
        r = pow(abs(a), b);
    if (a >= 0.0 || isinf(b))
        return r;
    if (b != floor(b))
        return isinf(a) ? r : uintBitsToFloat(0x7fc00000u);
    return mod(b, 2.0) == 1.0 ? -r : r;
}

vec4 pow4(vec4 a, vec4 b)
{
    return vec4(pow1(a.x, b.x), pow1(a.y, b.y), pow1(a.z, b.z), pow1(a.w, b.w));
}

// An exponent within 1e-5 of a positive whole number is that number.
float whole(float b)
{
    return b > 0.5 && abs(b - round(b)) < 1e-5 ? round(b) : b;
}

// Of integers, whose exponents are not negative: magnitudes stay at 2^31 once they are there.
uint times_saturated(uint a, uint b)
{
    uint high, low;

    umulExtended(uint(UNFOLDED(int(a))), b, high, low);
    return high != 0u ? 0x80000000u : min(low, 0x80000000u);
}

int pow_saturated(int a, int b)
{
    uint r = 1u, power = uint(abs(a));
    bool negative = a < 0 && (b & 1) == 1;

    for (int left = b; left > 0; left >>= 1) {
        if ((left & 1) == 1)
            r = times_saturated(r, power);
        power = times_saturated(power, power);
    }
    return negative ? -int(r) : int(min(r, 0x7fffffffu));
}

ivec4 pow_saturated4(ivec4 a, ivec4 b)
{
    return ivec4(pow_saturated(a.x, b.x), pow_saturated(a.y, b.y), pow_saturated(a.z, b.z), pow_saturated(a.w, b.w));
}

// With one exponent for all of them they wrap; exponents beyond 2^24 are the nearest float.
ivec4 pow_wrapped4(ivec4 a, int b)
{
    ivec4 r = ivec4(1), power = a;

    if (b >= 2147483584)
        return pow_saturated4(a, ivec4(b));
    for (int left = int(float(b)); left > 0; left >>= 1) {
        if ((left & 1) == 1)
            r *= power;
        power *= power;
    }
    return r;
}
