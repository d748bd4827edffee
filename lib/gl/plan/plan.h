/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - all data that running a partition needs besides GL objects and its tensors, as one block of bytes without pointers.
 *
 * Offsets count from the block's beginning, indices within its arrays, so that the block can be copied, or written to a file for
 * the machine that made it and read back: gl_plan_check vouches for every offset and index. The block has the content of the buffer
 * of numbers, but not of the buffers of constants. */
#pragma once

#include "lib/base/sha256.h"
#include "lib/delegate/delegate.h"
#include "lib/gl/ir/format.h"
#include "lib/gl/software/host_layout.h"

struct gl_limits;

/* Version of the format; increase it with every change of the content of a plan or its meaning. */
#define GL_PLAN_VERSION 12
#define GL_PLAN_MAGIC   0x4e4c5044 /* "DPLN" */

/* The buffers that dispatches bind ranges of. Values: everything that runs write, sharing memory; constants: weights, tables,
 * constant operands; staging: inputs and outputs of the partition in host order; state: variables that stay from run to run,
 * likewise; numbers: the numbers that shaders know by name. Textures are no buffer: a range of them is one byte, at the number of a
 * texture. */
enum gl_store {
    GL_STORE_VALUES,
    GL_STORE_CONSTANTS,
    GL_STORE_STAGING,
    GL_STORE_STATE,
    GL_STORE_UNIFORMS,
    GL_STORES,
    GL_STORE_TEXTURES = GL_STORES
};

/* The arrays of a plan, and their elements. */
enum gl_plan_part {
    GL_PLAN_DISPATCHES, /* struct gl_plan_dispatch, in order of execution: uploads, operations, downloads */
    GL_PLAN_BINDINGS,   /* struct gl_plan_binding, of one dispatch after the other */
    GL_PLAN_VIEWS,      /* struct gl_plan_view */
    GL_PLAN_TEXTURES,   /* struct gl_plan_texture, of other partitions too: all of a graph have the same */
    GL_PLAN_UPLOADS,    /* struct gl_plan_transfer, of inputs of the partition */
    GL_PLAN_DOWNLOADS,  /* struct gl_plan_transfer, of its outputs */
    GL_PLAN_DIRECT,     /* uint32_t, indices of bindings, of one value after the other, see gl_plan_transfer */
    GL_PLAN_PROGRAMS,   /* struct gl_plan_program */
    GL_PLAN_NODES,      /* uint32_t, indices in graph.nodes of the nodes that dispatches compute, for profiles */
    GL_PLAN_UNIFORMS,   /* int32_t, the whole buffer of that name */
    GL_PLAN_STRINGS,    /* char, each string with a 0 at its end */
    GL_PLAN_PARTS
};

/* `n` elements from byte `at` on, a multiple of 8. */
struct gl_plan_array {
    uint64_t at;
    uint32_t n, unused;
};

/* Element formats of constants. 8_BITS: integers of 8 bits, packed into words or not. */
enum gl_stored { GL_STORED_8_BITS, GL_STORED_FLOAT16, GL_STORED_FLOAT32, GL_STORED_INT32, GL_STORED };

struct gl_plan {
    uint32_t magic, version;
    uint64_t bytes;                        /* bytes of the block */
    uint64_t store_bytes[GL_STORES];       /* bytes that each buffer must have at least */
    uint64_t weights[GL_STORED];           /* bytes of the constants by element format, without uniforms and gaps */
    uint64_t staging_read;                 /* staging holds uploads below this offset, downloads from it on */
    uint64_t texture_bytes;                /* bytes of all textures */
    uint64_t lower_bound, unshared;        /* bounds of store_bytes[GL_STORE_VALUES] and texture_bytes, as in delegate_facts */
    uint32_t n_inputs, n_outputs, n_nodes; /* numbers of inputs and outputs of the partition; of nodes of the graph */
    uint32_t barriers;                     /* dispatches with a barrier */
    struct gl_plan_array parts[GL_PLAN_PARTS];
};

/* Text in the label of a dispatch that computes with 16-bit floats; a plan keeps nothing else of it. */
#define GL_IN_FP16 " in float16"

struct gl_plan_dispatch {
    uint64_t numbers; /* offset of its uniform block in the buffer of numbers: n_uniforms ivec4; none if n_uniforms is 0 */
    uint32_t n_uniforms;
    uint32_t program;
    uint32_t groups[3];
    uint32_t barrier; /* 1: first waits for the reads and writes of dispatches before it; else 0 */
    uint32_t first_binding, n_bindings;
    uint32_t first_node, n_nodes;
    uint32_t kind, label, why_copy; /* strings, see delegate_timing */
    uint32_t border;                /* 1 + the index of that tensor, 0: none */
};

/* A range of a buffer as a storage block or a uniform block, a view of it at an image unit or a texture unit, or a texture. */
struct gl_plan_binding {
    uint64_t offset, bytes;
    uint32_t store;   /* enum gl_store */
    uint32_t through; /* enum gl_through */
    uint32_t point;   /* of that kind */
    uint32_t view;    /* view of GL_THROUGH_IMAGE, _TEXEL and _COPY, of _FOUR the first of four; else GL_PLAN_NO_VIEW */
};
#define GL_PLAN_NO_VIEW UINT32_MAX

/* A range of a buffer as shaders read it through images and texture buffers, or copied to a texture, of constants. */
struct gl_plan_view {
    uint64_t offset, bytes;
    uint32_t store;
    uint32_t format; /* GL_RGBA32F, GL_RGBA16F, GL_RGBA16UI, GL_RGBA32I, GL_RGBA8I or GL_RGBA8UI */
    uint32_t copy;   /* 1: of GL_THROUGH_COPY and _FOUR alone; 0: of the others */
    uint32_t unused;
};

/* A 2-D array texture. */
struct gl_plan_texture {
    uint32_t width, height, layers;
    uint32_t format; /* as of views */
};
#define GL_PLAN_MAX_EXTENT (1u << 20) /* texels along any dimension, more than any device has */

#define GL_PLAN_MAX_LAYOUTS 3 /* as many as an output has parts (IR_MAX_PARTS) */

/* A tensor's bytes in the staging buffer, dense; or in the state buffer, from which a run takes a variable and in which it leaves
 * it. */
struct gl_plan_transfer {
    uint64_t offset, bytes;
    uint32_t tensor; /* of the partition's inputs or outputs */
    uint32_t store;  /* GL_STORE_STAGING or GL_STORE_STATE */

    /* Entries of GL_PLAN_DIRECT: all bindings of the value, except in the transfer's own dispatch, which is left out if a buffer of
     * the caller's takes the value's place in them. None if it cannot. */
    uint32_t first_direct, n_direct;
    uint32_t dense; /* 1: the value lies as the tensor does in host memory, so that a dense buffer can; else 0 */

    /* The places in the buffer of values at which the CPU may write or read the value itself, for GL_STORE_STAGING alone; an output
     * may be made of several, whose elements follow each other in the tensor. None if it may not. */
    uint32_t n_layouts;
    struct gl_layout layouts[GL_PLAN_MAX_LAYOUTS];
};

struct gl_plan_program {
    char hash[SHA256_HEX_SIZE]; /* of its source */
    char unused[7];
};

/* Bytes of one element of a part. */
extern const uint32_t gl_plan_element[GL_PLAN_PARTS];

static inline uint32_t gl_plan_n(const struct gl_plan *p, enum gl_plan_part part)
{
    return p->parts[part].n;
}

/* Return the first element of a part. */
static inline const void *gl_plan_array(const struct gl_plan *p, enum gl_plan_part part)
{
    return (const char *)p + p->parts[part].at;
}

/* Return the string at that offset in GL_PLAN_STRINGS. */
static inline const char *gl_plan_string(const struct gl_plan *p, uint32_t at)
{
    return (const char *)gl_plan_array(p, GL_PLAN_STRINGS) + at;
}

/* Check data[n], aligned to 8 bytes, against the format: once this is ST_OK, no offset, index or string of the plan leads out of
 * the block, no range out of the buffers' store_bytes, the textures are of texture_bytes in all, and there are as many barriers as
 * it says. ST_BAD_MODEL: the message names the fault. */
enum status gl_plan_check(const void *data, size_t n, struct err *err);

/* Check that a checked plan keeps within the limits: grids, binding points, alignments and lengths of ranges, extents of textures;
 * and that it asks for no more staging or state than its transfers need. So GL takes all of it, short of memory. ST_BAD_MODEL: it
 * does not. */
enum status gl_plan_fits(const struct gl_plan *p, const struct gl_limits *lim, struct err *err);

/* Return true if plans of all partitions of a graph, which fit, are about the same memory, and their values need as much. n is at
 * least 1. */
bool gl_plans_agree(const struct gl_plan *const *ps, uint32_t n, const struct gl_limits *lim);

/* Return GL's name of the format of image buffers, and of textures. */
uint32_t gl_image_format(enum gl_format format);
uint32_t gl_texture_format(enum gl_format format);

/* Return the bytes of a texel of gl_plan_view.format; 0: it is none of these. */
uint64_t gl_plan_texel_bytes(uint32_t format);

/* Return the texels along the height of the texture of a view that is a copy, and the bytes of all copies, of a checked plan. */
uint64_t gl_plan_copy_rows(const struct gl_plan_view *v);
uint64_t gl_plan_copy_bytes(const struct gl_plan *p);

/* Check that a checked plan reads and writes tensors as this partition has them and names nodes that the graph has. ST_BAD_MODEL:
 * it does not. */
enum status gl_plan_suits(const struct gl_plan *p, const struct graph *g, const struct partition *part, struct err *err);
