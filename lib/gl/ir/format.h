/* SPDX-License-Identifier: Apache-2.0 */
/* format.h - the storage of four channels, apart from their meaning (enum ir_type), and the objects that hold them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gl_format {
    GL_FORMAT_FLOAT, /* of IR_FLOAT and IR_BOOL: four 32-bit floats */
    GL_FORMAT_HALF,  /* four 16-bit floats, the first in the low bits */
    GL_FORMAT_INT,   /* of IR_INT: four 32-bit integers */
    GL_FORMAT_INT8,  /* of IR_INT within -128 and 127: four bytes of a word, the first in the low bits */
    GL_FORMAT_UINT8, /* within 0 and 255, likewise */
    GL_FORMATS
};

/* One row per format. In `load` and `store`, `t` is the element of the buffer and `v` the vector of four. */
struct gl_format_row {
    uint32_t bytes;            /* of four channels */
    const char *vec;           /* "vec4": the type that shaders compute with */
    const char *element;       /* "uvec2": of a storage buffer */
    const char *load, *store;  /* GLSL: v of t, t of v */
    const char *image, *units; /* the image's format; the letter before "imageBuffer" */
};

extern const struct gl_format_row gl_formats[GL_FORMATS];

/* The same for textures, whose texels are of as many bytes; `t` is the texel. Halves are the bits that buffers have: images round
 * to halves as the driver likes, and NaN and infinities may be lost (Mesa's llvmpipe makes 0 and 65472 of them), but the storage of
 * a value must not change it. */
struct gl_texel_row {
    const char *load, *store;  /* GLSL: v of t, t of v */
    const char *image, *units; /* the image's format; the letter before "image2DArray" and "sampler2DArray" */
};

extern const struct gl_texel_row gl_texels[GL_FORMATS];

/* The object in which a value is stored; in buffers vec4 after vec4, in the order of ir_vector_at. */
enum gl_storage {
    GL_STORAGE_BUFFER, /* a range of a buffer, read and written as a storage block */
    GL_STORAGE_IMAGE,  /* the same, which may be read through a view of it as an image buffer, if that is wanted */
    GL_STORAGE_TEXTURE /* a 2-D array texture of its own (texture.h) */
};

/* Width of a GL_THROUGH_COPY, whose rows lie one after the other: vector i is in row i >> SHIFT. */
#define GL_COPY_SHIFT 10
#define GL_COPY_WIDTH (1 << GL_COPY_SHIFT)

/* The ways in which a shader reaches a binding. Blocks, image units and texture units are each counted from 0 in every shader; the
 * first uniform block is that of numbers. */
enum gl_through {
    GL_THROUGH_BLOCK,   /* a storage block, at a binding point of these */
    GL_THROUGH_IMAGE,   /* an image buffer that is read, at an image unit */
    GL_THROUGH_TEXTURE, /* a 2-D array texture that is read, at a texture unit */
    GL_THROUGH_STORE,   /* a 2-D array texture that is written, at an image unit */
    GL_THROUGH_TEXEL,   /* a texture buffer that is read, at a texture unit */
    GL_THROUGH_UNIFORM, /* a uniform block, of constants */
    GL_THROUGH_COPY,    /* a 2-D array texture of one layer, a copy of constants, at a texture unit */
    GL_THROUGH_FOUR,    /* four of these, at as many units: vector i is number i / 4 of the one numbered i % 4 */
    GL_THROUGHS
};

/* Return true if no finite number among f[n] becomes infinite as a half. */
bool gl_fits_half(const float *f, size_t n);
