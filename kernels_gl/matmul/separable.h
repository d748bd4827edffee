/* SPDX-License-Identifier: Apache-2.0 */
/* separable.h - a depthwise convolution and the convolution of 1x1 that alone reads it, in one dispatch.
 *
 * The value between the two is neither stored nor read. Of floats alone; sums add up in the order in which they do apart. */
#ifndef DELEGAUGE_KERNELS_GL_SEPARABLE_H
#define DELEGAUGE_KERNELS_GL_SEPARABLE_H

#include "kernels_gl/common/window.h"

/* For ir_traits.join of convolutions. */
bool separable_join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done);

/* ---- of a depthwise convolution (depthwise_conv.c) ---- */

/* Tiles of it can be computed as depthwise_conv_taps.comp has them, by plain floats. */
bool depthwise_has_tiles(const struct ir_op *op, const struct gl_limits *lim);

/* Binds its weights as `name`: vectors of biases for each slice of channels, then for each slice its taps. */
void depthwise_bind_floats(struct gl_shader *p, const char *name, const struct ir_op *op);

/* Define the macros that depthwise_conv_taps.comp needs for tiles of that many pixels of an output of shape y. Stores the numbers
 * of tiles in *tiles_h and *tiles_w. */
void depthwise_tiles(struct gl_shader *p, const struct ir_window *w, int32_t rows, int32_t columns, struct ir_shape y,
                     int32_t *tiles_h, int32_t *tiles_w);

#endif
