/* SPDX-License-Identifier: Apache-2.0 */
/* ir_shape.h - the four extents of a value on the GPU: batches, rows, pixels of a row, channels in slices of four.
 *
 * A vec4 holds four neighbouring channels of a pixel; the last slice has room left over if the channels are no multiple of four.
 * Products of extents are uint64_t: two of them always fit, more only of values that passed gl_fits and of constants, which are in
 * memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ir_shape {
    int32_t b, h, w, c;
}; /* all at least 1 */

/* Return the extent along B, H, W or C (0 to 3). */
static inline int32_t ir_dim(struct ir_shape s, int axis)
{
    return (const int32_t[]){s.b, s.h, s.w, s.c}[axis];
}

/* Return the slices of four channels: at least 1, and no overflow at INT32_MAX channels. */
static inline int32_t ir_slices(struct ir_shape s)
{
    return (s.c - 1) / 4 + 1;
}

/* Return true if all extents are the same. */
static inline bool ir_same_shape(struct ir_shape a, struct ir_shape b)
{
    return a.b == b.b && a.h == b.h && a.w == b.w && a.c == b.c;
}

/* Return the count of numbers that mean something: without the room left over in the last slice. */
static inline uint64_t ir_elems(struct ir_shape s)
{
    return (uint64_t)s.b * (uint64_t)s.h * (uint64_t)s.w * (uint64_t)s.c;
}

/* Return the number of vec4 that a value of this shape takes: the invocations of gl_grid. */
static inline uint64_t ir_vectors(struct ir_shape s)
{
    return (uint64_t)s.b * (uint64_t)s.h * (uint64_t)s.w * (uint64_t)ir_slices(s);
}
