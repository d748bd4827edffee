/* SPDX-License-Identifier: Apache-2.0 */
/* texture.h - values in 2-D array textures: the places of their vec4, and the values that take turns with one texture.
 *
 * Slice s of pixel h, w of batch b is the texel (w, h) of layer b * slices + s; of a value of single pixels it is the texel (s, b)
 * of the only layer, since devices have wider textures than deep ones. A texture cannot be a part of another or of a buffer, so
 * a value that is a view or has views (ir.h) is never kept so. */
#pragma once

#include "lib/gl/ir/ir.h"

/* Texels; all at least 1. */
struct gl_extent {
    uint32_t width, height, layers;
};

static inline bool gl_is_single_pixels(struct ir_shape s)
{
    return s.h == 1 && s.w == 1;
}

/* Return true if a value of that shape fits the largest texture of the device. False if none is ever to be used
 * (gl_limits.texture_reads). */
bool gl_fits_texture(const struct gl_limits *lim, struct ir_shape s);

/* Return the extent of the texture of a shape that fits one. */
struct gl_extent gl_extent_of(struct ir_shape s);

/* The life of a value in a texture, in steps, both ends included. */
struct gl_texture_use {
    struct gl_extent extent; /* width 0: there is no such value, and all else is of no matter */
    enum gl_format format;
    uint32_t first, last;
    uint32_t texture; /* the result */
};

/* Number textures for use[n]. Values of one extent and format that live one after the other share one, and no fewer textures could
 * hold all: each takes the one that was free first, in the order in which lives begin. Stores their count. Fails only with
 * ST_NOMEM. */
enum status gl_share_textures(struct gl_texture_use *use, uint32_t n, uint32_t *textures, struct err *err);
