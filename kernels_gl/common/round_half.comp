// SPDX-License-Identifier: Apache-2.0
// round_half.comp - floats to the nearest that 16 bits hold, ties to even: packHalf2x16 may round either way.
#ifndef ROUND_HALF // a template and a function behind it may both have it
#define ROUND_HALF
float round_half(float a)
{
    uint bits = floatBitsToUint(a), size = bits & 0x7fffffffu, sign = bits & 0x80000000u;

    if (size > 0x7f800000u)
        return a; // NaN
    if (size >= 0x477ff000u)
        return uintBitsToFloat(sign | 0x7f800000u); // 65520 and above
    if (size < 0x38800000u) // subnormal as a half: whole multiples of 2^-24
        return roundEven(a * 16777216.0) / 16777216.0;
    return uintBitsToFloat(sign | ((size + 0xfffu + (size >> 13 & 1u)) & 0xffffe000u));
}

vec4 round_half4(vec4 a)
{
    return vec4(round_half(a.x), round_half(a.y), round_half(a.z), round_half(a.w));
}
#endif
