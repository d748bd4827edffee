/* SPDX-License-Identifier: Apache-2.0 */
/* half_types.h - what a shader says to compute with 16-bit floats: by `mediump`, which drivers may take 32 bits for, or by types
 * that have exactly 16, in the templates of products alone.
 *
 * Templates of products say
 *   FACTOR4 and FACTOR(v)  what is multiplied, and a vec4 as such;
 *   SUM4 and AS_SUM(v)     what products are added up in, and a vec4 as such;
 *   MUL(a, b)              the product of a FACTOR4, or of one of its numbers, and a FACTOR4, as SUM4 takes it;
 *   ADD_TO(sum, v)         adds products, MUL + MUL + ..., to a SUM4;
 *   vec4(...)              a SUM4 for all else that is made of it.
 * Nothing is left to implicit conversions, and no literal or function is of 16 bits: so the text is right by each of the three
 * extensions, which differ in these. */
#pragma once

#include "lib/gl/device/limits.h"

/* By what a shader computes with 16-bit floats, if it does. */
enum gl_fp16 {
    GL_FP16_NONE,
    GL_FP16_MEDIUMP,
    GL_FP16_TYPES /* of gl_half_types: products; all else has 32 bits */
};

/* Those that shaders take: the device's, none where a quirk says so, or emulated ones. */
enum gl_half_types gl_half_types(const struct gl_limits *l);

/* "mediump", the extension of the types, or NULL for none. */
const char *gl_fp16_name(const struct gl_limits *l, enum gl_fp16 by);

/* Bytes of the longest head. */
#define GL_HALF_HEAD 480

/* Writes the precision of floats and the macros, for sums of 32 bits or of 16; before them the extension that they need, so that
 * only directives may stand before all this. */
void gl_half_head(const struct gl_limits *l, enum gl_fp16 by, bool sum32, char head[GL_HALF_HEAD]);
