// SPDX-License-Identifier: Apache-2.0
// exact_fixed.comp - kernels_cpu/quant/fixed_point.h in GLSL, lane by lane: the same roundings to the bit.

// round(a * b / 2^31), halves up; never both -2^31.
ivec4 fixed_mul_high(ivec4 a, ivec4 b)
{
    ivec4 high, low;

    imulExtended(UNFOLDED(a), b, high, low);
    uvec4 sum = uvec4(low) + 0x40000000u;

    high += ivec4(lessThan(sum, uvec4(0x40000000u)));
    return high << 1 | ivec4(sum >> 31);
}

// round(x / 2^n), halves away from zero.
ivec4 fixed_shift_right(ivec4 x, ivec4 n)
{
    ivec4 mask = ivec4((uvec4(1u) << uvec4(n)) - 1u);
    ivec4 threshold = (mask >> 1) + ivec4(lessThan(x, ivec4(0)));

    return (x >> n) + ivec4(greaterThan(x & mask, threshold));
}

// x * real of a struct fixed_mul.
ivec4 fixed_scale(ivec4 x, ivec4 mult, ivec4 shift)
{
    return fixed_shift_right(fixed_mul_high(x << max(shift, 0), mult), max(-shift, 0));
}
