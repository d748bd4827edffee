/* SPDX-License-Identifier: Apache-2.0 */
/* data_movement.h - the operations that kernels which move data lower to: values one after the other, another shape.
 *
 * Functions return NULL or false if memory runs out or an argument is NULL. */
#ifndef DELEGAUGE_KERNELS_GL_DATA_MOVEMENT_H
#define DELEGAUGE_KERNELS_GL_DATA_MOVEMENT_H

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"

/* y = in[0] .. in[n - 1], n >= 1, one after the other along the axis. The last operation of several if one shader cannot bind so
 * many buffers. */
struct ir_op *ir_concatenate(struct ir *ir, struct ir_value *const *in, uint32_t n, int axis, struct ir_value *y);

/* p[4], of axis_gather.h, in such an operation's output becomes the place in operand *part. False: it is in several. */
struct place_along;
bool concatenation_follow(const struct ir_op *op, struct place_along *p, uint32_t *part);

/* x with another shape of as many elements, in dense order: x itself if it has that shape. Of a constant nothing is moved. */
struct ir_value *ir_reshaped(struct ir *ir, struct ir_value *x, struct ir_shape shape);

/* For an operation whose own output shape is not that of y: it writes the value that ir_begin_reshape() returns, which is y itself
 * if the shapes agree, and ir_end_reshape() makes y of that. */
struct ir_value *ir_begin_reshape(struct ir *ir, struct ir_value *y, struct ir_shape shape);
bool ir_end_reshape(struct ir *ir, struct ir_value *natural, struct ir_value *y);

/* y = x with the pixels of blocks of stride_h by stride_w, of which the output has pad_h and pad_w less in front, out of its
 * channels: pixel h, w of the block and channel c of y from channel (h * stride_w + w) * y.c + c. */
struct ir_op *ir_depth_to_space(struct ir *ir, struct ir_value *x, const struct ir_window *blocks, struct ir_value *y);

#endif
