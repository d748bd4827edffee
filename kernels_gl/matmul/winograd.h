/* SPDX-License-Identifier: Apache-2.0 */
/* winograd.h - 3x3 convolutions by products of transformed tiles (Lavin and Gray, "Fast Algorithms for Convolutional Neural
 * Networks", 2015): tile x tile output pixels take (tile + 2)^2 products instead of 9 tile^2.
 *
 * Three steps: transform each input tile to (tile + 2)^2 values, one per position; for each position multiply its values by its
 * transformed filters, a matrix product; sum positions to output pixels. The value in between has a batch per position, position p
 * of batch b being batch b * (tile + 2)^2 + p, and a pixel per tile.
 *
 * Sums have another order and contain differences, which lose about one decimal digit with tile 4. An infinity or NaN in the input
 * makes NaN of every tile that reads it. */
#pragma once

#include "kernels_gl/common/window.h"

/* Return the position at which adding a number adds it to every pixel of the tile, and has no other effect: where the bias is
 * added. */
static inline int32_t winograd_all(int32_t tile)
{
    return tile + 3;
}

/* Return the shape of the value of positions for an output of shape y, with `channels` channels. */
struct ir_shape winograd_shape(struct ir_shape y, int32_t tile, int32_t channels);

/* Append v = the transformed tiles of x; the first tiles begin pad_h rows above and pad_w columns left of x. NULL if memory runs
 * out. */
struct ir_op *winograd_input(struct ir *ir, struct ir_value *x, int32_t pad_h, int32_t pad_w, int32_t tile, struct ir_value *v);

/* Append y = the output pixels of the products v. NULL if memory runs out. */
struct ir_op *winograd_output(struct ir *ir, struct ir_value *v, int32_t tile, struct ir_value *y);
