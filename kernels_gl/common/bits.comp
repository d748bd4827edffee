// SPDX-License-Identifier: Apache-2.0
// bits.comp - bits of FLOAT16, which is kept as floats of 32.
ivec4 bits_of_half4(vec4 a)
{
    return ivec4(packHalf2x16(vec2(a.x, 0.0)), packHalf2x16(vec2(a.y, 0.0)), packHalf2x16(vec2(a.z, 0.0)),
                 packHalf2x16(vec2(a.w, 0.0)));
}

vec4 half_of_bits4(ivec4 a)
{
    uvec4 bits = uvec4(a) & uvec4(65535u);

    return vec4(unpackHalf2x16(bits.x).x, unpackHalf2x16(bits.y).x, unpackHalf2x16(bits.z).x, unpackHalf2x16(bits.w).x);
}
