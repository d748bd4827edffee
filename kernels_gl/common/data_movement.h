/* SPDX-License-Identifier: Apache-2.0 */
/* data_movement.h - operations that move data and that several kernels lower to: concatenation, reshapes, depth to space.
 *
 * Functions return NULL or false if memory runs out or an argument is NULL. */
#pragma once

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"

/* Append y = in[0] .. in[n - 1], n >= 1, concatenated along the axis, by several operations if one shader cannot bind all buffers;
 * returns the last of them. */
struct ir_op *ir_concatenate(struct ir *ir, struct ir_value *const *in, uint32_t n, int axis, struct ir_value *y);

/* Convert p[4] (axis_gather.h) from the output of a concatenation to its operand *part. False if the indices lie in several
 * operands. */
struct place_along;
bool concatenation_follow(const struct ir_op *op, struct place_along *p, uint32_t *part);

/* Return x with another shape of as many elements, in dense order; x itself if it has that shape. A constant is not copied. */
struct ir_value *ir_reshaped(struct ir *ir, struct ir_value *x, struct ir_shape shape);

/* For an operation whose output shape is not y's: ir_begin_reshape returns the value for it to write, with `shape`, or y itself if
 * the shapes agree; ir_end_reshape then appends the reshape of that value, `natural`, to y. */
struct ir_value *ir_begin_reshape(struct ir *ir, struct ir_value *y, struct ir_shape shape);
bool ir_end_reshape(struct ir *ir, struct ir_value *natural, struct ir_value *y);

/* Append y, whose blocks of stride_h by stride_w pixels come from x's channels: pixel (h, w) of a block and channel c of y from
 * channel (h * stride_w + w) * y.c + c of x. pad_h rows and pad_w columns are cut off in front of y. */
struct ir_op *ir_depth_to_space(struct ir *ir, struct ir_value *x, const struct ir_window *blocks, struct ir_value *y);
