/* SPDX-License-Identifier: Apache-2.0 */
/* format.c - the formats as shaders see them; what stores a value is chosen by the last rewrite before views. */
#include "lib/gl/ir/format.h"

#include <math.h>

#define HALF_MAX 65504.0f

#define BYTES_STORE "int(uint(v.x & 255) | uint(v.y & 255) << 8 | uint(v.z & 255) << 16 | uint(v.w & 255) << 24)"

const struct gl_format_row gl_formats[GL_FORMATS] = {
    [GL_FORMAT_FLOAT] = {16, "vec4", "vec4", "t", "v", "rgba32f", ""},
    [GL_FORMAT_HALF] = {8, "vec4", "uvec2", "vec4(unpackHalf2x16(t.x), unpackHalf2x16(t.y))",
                        "uvec2(packHalf2x16(v.xy), packHalf2x16(v.zw))", "rgba16f", ""},
    [GL_FORMAT_INT] = {16, "ivec4", "ivec4", "t", "v", "rgba32i", "i"},
    [GL_FORMAT_INT8] = {4, "ivec4", "int", "ivec4(t << 24, t << 16, t << 8, t) >> 24", BYTES_STORE, "rgba8i", "i"},
    [GL_FORMAT_UINT8] = {4, "ivec4", "int", "ivec4(t, t >> 8, t >> 16, t >> 24) & 255", BYTES_STORE, "rgba8ui", "u"},
};

#define HALVES_STORE                                                                                                               \
    "uvec4(packHalf2x16(v.xy) & 65535u, packHalf2x16(v.xy) >> 16, packHalf2x16(v.zw) & 65535u, packHalf2x16(v.zw) >> 16)"

const struct gl_texel_row gl_texels[GL_FORMATS] = {
    [GL_FORMAT_FLOAT] = {"t", "v", "rgba32f", ""},
    [GL_FORMAT_HALF] = {"vec4(unpackHalf2x16(t.x | t.y << 16), unpackHalf2x16(t.z | t.w << 16))", HALVES_STORE, "rgba16ui", "u"},
    [GL_FORMAT_INT] = {"t", "v", "rgba32i", "i"},
    [GL_FORMAT_INT8] = {"t", "v", "rgba8i", "i"},
    [GL_FORMAT_UINT8] = {"ivec4(t)", "uvec4(v)", "rgba8ui", "u"},
};

bool gl_fits_half(const float *f, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fabsf(f[i]) > HALF_MAX && !isinf(f[i]))
            return false;
    return true;
}
