// SPDX-License-Identifier: Apache-2.0
// round_bfloat.comp - floats to the nearest whose lower 16 bits are zero, ties to even. NaN stays one in the upper 16.
float round_bfloat(float a)
{
    uint bits = floatBitsToUint(a);

    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return uintBitsToFloat((bits & 0x80000000u) | 0x7fc00000u);
    return uintBitsToFloat((bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u);
}

vec4 round_bfloat4(vec4 a)
{
    return vec4(round_bfloat(a.x), round_bfloat(a.y), round_bfloat(a.z), round_bfloat(a.w));
}
