/* SPDX-License-Identifier: Apache-2.0 */
/* limits_rows.c - the rows: sixteen bytes an access, as kernels make them, and independent chains of vec4. */
#include "limits.h"

/* Three chains of vec4 and what they take fit into 16 registers, which is what a CPU has. Every lane begins with another number, so
 * that no compiler computes one for all. */
#define CHAINS(type, scalar)                                                                                                       \
    type m = type(numbers.one), k = type(numbers.one), a = type(0, 1, 2, 3) + type(scalar(l & 1u)), b = a + type(4),               \
         c = b + type(4);
#define TEXT(...)   #__VA_ARGS__
#define EXPAND(...) TEXT(__VA_ARGS__)
#define STEP        "a = a * m + k; b = b * m + k; c = c * m + k; "

#define BUFFER  "layout(std430, binding = 1) readonly buffer Data { highp vec4 data[]; };\n"
#define WRITTEN "layout(std430, binding = 1) writeonly buffer Data { highp vec4 data[]; };\n"
#define TEXEL   "ivec3(int(at & ((1u << numbers.shift) - 1u)), int(at >> numbers.shift), 0)"

#define MAD(label, text, of, type, scalar, ...)                                                                                    \
    {                                                                                                                              \
        .name = label, .unit = "GFLOP/s", .what = text, .kind = LIMIT_MAD, .passes = 64, .work = 2.0 * 4 * 3 * 8 * 64,             \
        .precision = of, .begin = EXPAND(CHAINS(type, scalar)), .pass = STEP STEP STEP STEP STEP STEP STEP STEP, __VA_ARGS__       \
    }
#define ACCESS(label, text, of, how, n, decl, first, access, ...)                                                                  \
    {                                                                                                                              \
        .name = label, .unit = "GB/s", .what = text, .kind = of, .pattern = how, .passes = n, .work = 16.0 * (n), .declare = decl, \
        .begin = first, .pass = access, __VA_ARGS__                                                                                \
    }

/* Writes come before the reads of what they wrote. */
const struct limit_row limit_rows[] = {
    MAD("mad_fp32", "multiply-adds in float32", "highp float", vec4, float, .halves = false),
    MAD("mad_fp16", "multiply-adds in mediump", "mediump float", vec4, float, .halves = true),
    MAD("mad_int32", "multiply-adds in int32", "highp int", ivec4, int, .halves = false),
    ACCESS("buffer_write", "storage buffer, each vector once", LIMIT_WRITE, LIMIT_STREAM, 16, WRITTEN, NULL,
           "data[at] = value(at);", .zero = "data[at] = vec4(0.0);"),
    ACCESS("buffer_read", "storage buffer, each vector once", LIMIT_READ, LIMIT_STREAM, 16, BUFFER, NULL, "sum += data[at];",
           .halves = false),
    ACCESS("buffer_cached", "storage buffer, 16 KiB again and again", LIMIT_READ, LIMIT_LOCAL, 256, BUFFER, NULL,
           "sum += data[at];", .vectors = LIMIT_BLOCK_VECTORS),
    ACCESS("image_read", "the same through an image buffer, each vector once", LIMIT_READ, LIMIT_STREAM, 16,
           "layout(rgba32f, binding = 0) readonly uniform highp imageBuffer data;\n", NULL, "sum += imageLoad(data, int(at));",
           .images = true),
    ACCESS("texture_write", "2-D array texture, each texel once", LIMIT_WRITE, LIMIT_STREAM, 16,
           "layout(rgba32f, binding = 1) writeonly uniform highp image2DArray data;\n", NULL,
           "imageStore(data, " TEXEL ", value(at));", .textures = true, .zero = "imageStore(data, " TEXEL ", vec4(0.0));"),
    ACCESS("texture_read", "2-D array texture, each texel once", LIMIT_READ, LIMIT_STREAM, 16,
           "layout(binding = 0) uniform highp sampler2DArray data;\n", NULL, "sum += texelFetch(data, " TEXEL ", 0);",
           .textures = true),
    ACCESS("uniform_read", "uniform block, the same address in a workgroup", LIMIT_READ, LIMIT_SAME, 512,
           "layout(std140, binding = 1) uniform Block { highp vec4 data[1024]; };\n", NULL, "sum += data[at];",
           .vectors = LIMIT_BLOCK_VECTORS),
    ACCESS("shared_read", "shared memory of a workgroup", LIMIT_READ, LIMIT_LOCAL, 512, "shared highp vec4 data[256];\n",
           "for (highp uint i = l; i < 256u; i += 64u) data[i] = value(i); barrier();", "sum += data[at];", .vectors = 256),
    {.name = "dispatch", .unit = "us", .what = "a dispatch of one workgroup", .kind = LIMIT_COUNT},
    {.name = "dispatch_barrier", .unit = "us", .what = "the same and a barrier", .kind = LIMIT_COUNT, .barrier = true},
    {.name = "upload", .unit = "GB/s", .what = "host memory to a mapped buffer, 4 MiB at a time", .kind = LIMIT_UPLOAD},
    {.name = "readback", .unit = "GB/s", .what = "a mapped buffer to host memory, 4 MiB at a time", .kind = LIMIT_READBACK},
};

const size_t limit_n_rows = sizeof limit_rows / sizeof *limit_rows;
