/* SPDX-License-Identifier: Apache-2.0 */
/* half_types.c - the macros by which templates of products compute with 16-bit floats. */
#include "lib/gl/device/half_types.h"

#include <stdio.h>

static const char *const names[] = {[GL_HALF_TYPES_NV] = "GL_NV_gpu_shader5",
                                    [GL_HALF_TYPES_AMD] = "GL_AMD_gpu_shader_half_float",
                                    [GL_HALF_TYPES_EXT] = "GL_EXT_shader_explicit_arithmetic_types_float16",
                                    [GL_HALF_TYPES_EMULATED] = "emulated types"};

enum gl_half_types gl_half_types(const struct gl_limits *l)
{
    return l->policy.emulated_halves ? GL_HALF_TYPES_EMULATED : l->policy.no_half_types ? GL_HALF_TYPES_NONE : l->half_types;
}

const char *gl_fp16_name(const struct gl_limits *l, enum gl_fp16 by)
{
    return by == GL_FP16_TYPES ? names[gl_half_types(l)] : by == GL_FP16_MEDIUMP ? "mediump" : NULL;
}

/* What is emulated is rounded to the digits of a half, whatever its exponent: factors, each product, and a sum whenever something
 * was added. Packing would round the exponent, too, and takes llvmpipe's compiler ten times as long. */
static const char emulated_text[] = "vec4 half4(vec4 v)\n{\n    highp uvec4 u = floatBitsToUint(v);\n\n"
                                    "    return uintBitsToFloat((u + 0xfffu + (u >> 13 & 1u)) & 0xffffe000u);\n}\n";

/* An expression of GLSL ES has the highest precision of its operands: products of `mediump` are such, and so would be their sum, if
 * `highp` did not come first. */
void gl_half_head(const struct gl_limits *l, enum gl_fp16 by, bool sum32, char head[GL_HALF_HEAD])
{
    const bool types = by == GL_FP16_TYPES, emulated = types && gl_half_types(l) == GL_HALF_TYPES_EMULATED;
    const bool wide = by && sum32;
    const char *type = types && !emulated ? "f16vec4" : "vec4", *round = emulated ? "half4" : types ? type : "";

    snprintf(head, GL_HALF_HEAD,
             "%s%s%sprecision %s float;\n%s#define FACTOR4 %s\n#define FACTOR(v) %s(v)\n#define MUL(a, b) %s((a) * (b))\n"
             "#define SUM4 %s\n#define AS_SUM(v) %s(v)\n#define ADD_TO(sum, v) %s\n",
             types && !emulated ? "#extension " : "", types && !emulated ? names[gl_half_types(l)] : "",
             types && !emulated ? " : require\n" : "", by == GL_FP16_MEDIUMP ? "mediump" : "highp", emulated ? emulated_text : "",
             type, round,
             emulated        ? round
             : types && wide ? "vec4"
                             : "",
             wide ? "highp vec4" : type, wide ? "" : round,
             wide       ? "sum = sum + v"
             : emulated ? "sum = half4(sum + v)"
                        : "sum += v");
}
