/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h - what a device offers to compute shaders, read once when it is opened, and what is better done in another way there.
 *
 * All decisions that depend on the device look here and nowhere else, so that a larger device can stand in for a smaller one:
 * gl_limits_clamp. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/gl/device/policy.h"

/* Types of 16-bit floats, float16_t and its vectors, by the extension that has them; with all three numbers are made of others, and
 * others of them, by constructors, are multiplied and added, lie in arrays and in shared variables. */
enum gl_half_types {
    GL_HALF_TYPES_NONE,
    GL_HALF_TYPES_NV,      /* GL_NV_gpu_shader5 */
    GL_HALF_TYPES_AMD,     /* GL_AMD_gpu_shader_half_float */
    GL_HALF_TYPES_EXT,     /* GL_EXT_shader_explicit_arithmetic_types_float16 */
    GL_HALF_TYPES_EMULATED /* for tests (gl_policy.emulated_halves), never a device's: floats that are rounded */
};

/* Buffers that one shader of ours binds at most, however many the device has. */
#define GL_MAX_BINDINGS 32

struct gl_limits {
    uint32_t storage_blocks;      /* buffers that one compute shader may bind; at most GL_MAX_BINDINGS */
    uint32_t output_resources;    /* buffers and images that it may bind together (MAX_COMBINED_SHADER_OUTPUT_RESOURCES of
                                     OpenGL ES 3.1 counts storage blocks, image uniforms and fragment outputs); storage_blocks is
                                     never more */
    uint64_t storage_block_bytes; /* largest range that one of them may bind */
    uint32_t storage_align;       /* of the offset of a bound range, bytes: gl_range_align */
    uint32_t group_count[3];      /* workgroups per dispatch */
    uint32_t group_size[3];       /* invocations per workgroup, by dimension and in all */
    uint32_t group_invocations;
    uint32_t shared_bytes;         /* of shared variables per workgroup */
    uint32_t uniform_blocks;       /* that one compute shader may have */
    uint32_t uniform_block_bytes;  /* in the largest of them */
    uint32_t uniform_align;        /* of the offset of its range, bytes */
    uint32_t image_units;          /* images that a shader may have: image buffers, and textures that it writes; at most
                                      GL_MAX_BINDINGS */
    uint32_t image_reads;          /* of them, inputs and constants that it may read through image buffers; 0: none */
    uint64_t image_vectors;        /* vec4 in the largest image buffer */
    uint32_t texel_reads;          /* at texture units: inputs in texture buffers and in textures, and constants; 0: none */
    uint32_t uniform_reads;        /* constants that it may read as uniform blocks, beside that of numbers; 0: none */
    uint32_t texture_reads;        /* values that it may read from 2-D array textures; 0: none is kept in one */
    uint32_t texture_size;         /* texels along the width and the height of the largest texture of any kind */
    uint32_t texture_layers;       /* in the deepest */
    bool precise;                  /* GL_EXT_gpu_shader5: shaders may say `precise` */
    enum gl_half_types half_types; /* that shaders may use; see half_types.h */
    struct gl_policy policy;       /* what a table of quirks knows about the driver, beside what the driver says itself */
};

/* What every OpenGL ES 3.1 device has (the minima of the specification's tables), without any extension, of unknown driver; but
 * that values are kept in buffers alone. */
extern const struct gl_limits gl_limits_least;

/* The alignment of a buffer range's offset, bytes. Planning and checking both call this. It is at least 16, since shaders declare
 * vectors of four words, which std430 aligns to 16 bytes even if the device allows smaller offsets. */
static inline uint32_t gl_range_align(const struct gl_limits *l)
{
    return l->storage_align < 16 ? 16 : l->storage_align;
}

/* Calls see() for each member but the policy, by the name that it has above, "group_count_x" and so on for those with three. */
void gl_limits_see(const struct gl_limits *l, void (*see)(void *arg, const char *name, uint64_t value), void *arg);

/* How many numbers tell one gl_limits from another. */
#define GL_LIMITS_NUMBERS 46

/* Writes every member into out, those of the policy included: two devices whose numbers are equal are the same to all who ask
 * limits. A member that is added to either struct is added there. */
void gl_limits_numbers(const struct gl_limits *l, uint64_t out[GL_LIMITS_NUMBERS]);

/* Lowers *l to what `most` has too: the smaller number of each pair (of alignments the larger), a feature only if both have it. */
void gl_limits_clamp(struct gl_limits *l, const struct gl_limits *most);
