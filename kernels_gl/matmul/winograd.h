/* SPDX-License-Identifier: Apache-2.0 */
/* winograd.h - convolutions of 3x3 by products of transformed tiles (Lavin and Gray, "Fast Algorithms for Convolutional Neural
 * Networks", 2015): tile x tile pixels of output take (tile + 2)^2 products instead of 9 tile^2.
 *
 * Three steps: each tile of the input becomes as many values, of positions 0 to (tile + 2)^2 - 1; the values of a position are
 * multiplied by the transformed filters of that position, a product of matrices; and sums of positions are pixels. A value of
 * positions has a batch for each, position p of batch b being batch b * (tile + 2)^2 + p, and a pixel for each tile.
 *
 * Sums come out in another order and by way of differences, which for tile 4 lose about one decimal digit; an infinity or NaN in
 * the input makes NaN of the whole tiles that it meets. */
#ifndef DELEGAUGE_KERNELS_GL_WINOGRAD_H
#define DELEGAUGE_KERNELS_GL_WINOGRAD_H

#include "kernels_gl/common/window.h"

/* The position at which a number added to all of it is added to all pixels of the tile, and nothing else. */
static inline int32_t winograd_all(int32_t tile)
{
    return tile + 3;
}

/* The shape of the value of positions for an output of shape y and these channels. */
struct ir_shape winograd_shape(struct ir_shape y, int32_t tile, int32_t channels);

/* v = the tiles of x, transformed, the first of which begin so far above and left of it. */
struct ir_op *winograd_input(struct ir *ir, struct ir_value *x, int32_t pad_h, int32_t pad_w, int32_t tile, struct ir_value *v);

/* y = the pixels that v stands for. */
struct ir_op *winograd_output(struct ir *ir, struct ir_value *v, int32_t tile, struct ir_value *y);

#endif
