/* SPDX-License-Identifier: Apache-2.0 */
/* pick.h - how an operation is computed: the choice that tuning finds (tune.h) and tests force. All 0: as rules choose. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GL_GROUPS 9

/* The means by which shaders read buffers, as far as the device has them; else they read storage blocks. */
enum gl_reads {
    GL_READS_AS_SET, /* by policy.image_reads; of constants, as gl_pick.reads says */
    GL_READS_BLOCKS,
    GL_READS_IMAGES,
    GL_READS_TEXELS,
    GL_READS_UNIFORMS, /* constants alone, that fit a uniform block */
    GL_READS_TEXTURES, /* constants alone, each copied to a texture of its own */
    GL_READS_FOUR,     /* and each 4x4 block of weights to four, a row each: gl_weights_in_four */
};

/* The objects in which values are kept: a value is in a texture if one of its readers or its writer wants it there, none wants it
 * in a buffer, and it fits. */
enum gl_objects {
    GL_OBJECTS_AS_SET, /* by policy.textures: in buffers, or in textures if shaders read them */
    GL_OBJECTS_BUFFERS,
    GL_OBJECTS_TEXTURES,
};

struct gl_pick {
    uint16_t variant; /* index among the variants that fit, the ones that pay first; if fewer fit, the last is meant */
    bool own;         /* the variant's own program, whatever program others have (share_programs.c) */
    uint8_t group;    /* 0, or the number below GL_GROUPS of a shape of workgroups (codegen.c), for kernels that do not fix one */
    bool numbers;     /* numbers are in the text if policy.inline_uniforms does not put them there, and the other way round */
    uint8_t objects;  /* enum gl_objects, of the values that the operation reads and writes */
    bool blends;   /* of a bilinear resize: its readers make its pixels (gl_view_blends) if rules have it stored, and the other way
                      round */
    uint8_t reads; /* enum gl_reads, of all values that shaders read */
    uint8_t constants; /* enum gl_reads, of weights and tables alone */
};

/* True if all is as rules choose. */
static inline bool gl_pick_is_none(const struct gl_pick *p)
{
    return !p->variant && !p->own && !p->group && !p->numbers && !p->objects && !p->blends && !p->reads && !p->constants;
}
