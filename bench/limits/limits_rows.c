/* SPDX-License-Identifier: Apache-2.0 */
/* limits_rows.c - the table of rows: 16-byte accesses, as kernels make them, and the probe of op profiles (gl/probe.h). */
#include "bench/limits/limits.h"

#define BUFFER  "layout(std430, binding = 1) readonly buffer Data { highp vec4 data[]; };\n"
#define WRITTEN "layout(std430, binding = 1) writeonly buffer Data { highp vec4 data[]; };\n"
#define TEXEL   "ivec3(int(at & ((1u << numbers.shift) - 1u)), int(at >> numbers.shift), 0)"

#define MAD(label, text, of, ...)                                                                                                  \
    {                                                                                                                              \
        .name = label, .unit = "GFLOP/s", .what = text, .kind = LIMIT_MAD, .number = of, .passes = GL_PROBE_PASSES,                \
        .work = 2.0 * 4 * GL_PROBE_STEPS * GL_PROBE_PASSES, .probe = true, __VA_ARGS__                                             \
    }
#define COPY(label, text, of, ...)                                                                                                 \
    {                                                                                                                              \
        .name = label, .unit = "GB/s", .what = text, .kind = LIMIT_COPY, .from = of, .work = 2.0 * 16 * GL_PROBE_COPIES,           \
        .probe = true, __VA_ARGS__                                                                                                 \
    }
#define READ(label, text, of, ...)                                                                                                 \
    {                                                                                                                              \
        .name = label, .unit = "GB/s", .what = text, .kind = LIMIT_READ, .pattern = LIMIT_STREAM, .from = of,                      \
        .vectors = GL_PROBE_VECTORS, .work = 16.0 * GL_PROBE_READS, .probe = true, __VA_ARGS__                                     \
    }
#define ACCESS(label, text, of, how, n, decl, first, access, ...)                                                                  \
    {                                                                                                                              \
        .name = label, .unit = "GB/s", .what = text, .kind = of, .pattern = how, .passes = n, .work = 16.0 * (n), .declare = decl, \
        .begin = first, .pass = access, __VA_ARGS__                                                                                \
    }

/* Writes come before the reads of what they wrote. */
const struct limit_row limit_rows[] = {
    MAD("mad_fp32", "multiply-adds in float32", GL_NUMBER_FLOAT, .halves = false),
    MAD("mad_fp16", "multiply-adds in 16-bit floats", GL_NUMBER_HALF, .halves = true),
    MAD("mad_int32", "multiply-adds in int32", GL_NUMBER_INT, .halves = false),
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
    READ("buffer_read_4mib", "4 MiB of a storage buffer, each vector once", GL_PROBE_BUFFER, .images = false),
    READ("image_read_4mib", "the same through an image buffer", GL_PROBE_IMAGE, .images = true),
    READ("texture_read_4mib", "the same of a 2-D array texture", GL_PROBE_TEXTURE, .textures = true),
    COPY("buffer_copy", "4 MiB from storage buffer to storage buffer, read and written counted each", GL_PROBE_BUFFER,
         .images = false),
    COPY("image_copy", "the same from an image buffer", GL_PROBE_IMAGE, .images = true),
    COPY("texture_copy", "the same from a 2-D array texture", GL_PROBE_TEXTURE, .textures = true),
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
