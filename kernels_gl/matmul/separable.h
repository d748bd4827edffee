/* SPDX-License-Identifier: Apache-2.0 */
/* separable.h - a depthwise convolution and the 1x1 convolution that is its only reader, in one dispatch.
 *
 * The value between the two is neither stored nor read. Floats only; sums add up in the same order as in separate dispatches. */
#pragma once

#include "kernels_gl/common/window.h"

/* ir_traits.join of convolutions. */
bool separable_join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done);

/* ---- parts of the depthwise convolution (depthwise_conv.c) ---- */

/* Return true if depthwise_conv_taps.comp can compute it by tiles, with weights that are plain floats. */
bool depthwise_has_tiles(const struct ir_op *op, const struct gl_limits *lim);

/* Bind its weights as `name`: a vector of biases for each slice of channels, then the taps of each slice. */
void depthwise_bind_floats(struct gl_shader *p, const char *name, const struct ir_op *op);

/* Define the macros of depthwise_conv_taps.comp for tiles of tile[0] x tile[1] pixels of an output of shape y. Stores the numbers
 * of tiles in *tiles_h and *tiles_w. */
void depthwise_tiles(struct gl_shader *p, const struct ir_window *w, const int32_t tile[2], struct ir_shape y, int32_t *tiles_h,
                     int32_t *tiles_w);
