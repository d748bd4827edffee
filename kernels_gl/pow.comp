// SPDX-License-Identifier: Apache-2.0
// pow.comp - functions for POW's epilogue (kernels_gl/binary.c), where GLSL's pow() leaves a < 0 undefined.

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
