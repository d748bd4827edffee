/* SPDX-License-Identifier: Apache-2.0 */
/* focus.h - turns a convolution of pixel blocks, which strided slices and a concatenation made into channels, into a convolution of
 * the image itself. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* ir_traits.join of convolutions with window *win and *w of n weights: replace slices and concatenations by a larger filter and
 * stride, with the same weights in another order. An image with its channels before its rows is transposed first. */
bool focus_join(struct ir *ir, struct ir_op *op, const struct ir_op *first, struct ir_window *win, const float **w, size_t n,
                bool *done);
