/* SPDX-License-Identifier: Apache-2.0 */
/* pick.h - how an operation is computed, of the ways that there are: what tuning finds (tune.h) and tests force. All 0 is as rules
 * have it. */
#ifndef DELEGAUGE_GL_PICK_H
#define DELEGAUGE_GL_PICK_H

#include <stdbool.h>
#include <stdint.h>

#define GL_GROUPS 9

/* Through what shaders read buffers, as far as the device has such; what it has not stays a storage block. */
enum gl_reads {
    GL_READS_AS_SET, /* by policy.image_reads; of constants, as what else is read */
    GL_READS_BLOCKS,
    GL_READS_IMAGES,
    GL_READS_TEXELS,
    GL_READS_UNIFORMS, /* constants alone, that fit a uniform block */
    GL_READS_TEXTURES, /* constants alone, each copied to a texture of its own */
    GL_READS_FOUR,     /* and each 4x4 block of weights to four, a row each: gl_weights_in_four */
};

/* In what values are kept: in textures what some who read or write it want there and none wants in buffers, as far as it fits. */
enum gl_objects {
    GL_OBJECTS_AS_SET, /* by policy.textures: in buffers, or in textures what is read */
    GL_OBJECTS_BUFFERS,
    GL_OBJECTS_TEXTURES,
};

struct gl_pick {
    uint16_t variant; /* the one of this index among those that fit, those that pay first; where fewer fit, the last */
    bool own;         /* what that gives by itself, whatever program others have (share_programs.c) */
    uint8_t group;    /* 0, or the number below GL_GROUPS of a shape of workgroups (codegen.c), for kernels that do not fix one */
    bool numbers;     /* in the text where policy.inline_numbers does not have them there, and the other way round */
    uint8_t objects;  /* enum gl_objects, of what the operation reads and writes */
    bool blends;   /* of a bilinear resize: whoever reads it makes its pixels (gl_view_blends) where rules have it stored, and the
                      other way round */
    uint8_t reads; /* enum gl_reads, of what shaders read */
    uint8_t constants; /* of weights and tables alone */
};

/* As rules have it. */
static inline bool gl_pick_is_none(const struct gl_pick *p)
{
    return !p->variant && !p->own && !p->group && !p->numbers && !p->objects && !p->blends && !p->reads && !p->constants;
}

#endif
