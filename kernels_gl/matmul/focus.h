/* SPDX-License-Identifier: Apache-2.0 */
/* focus.h - a convolution of the pixels of blocks, which strided slices and joins have made channels: one of the image itself. */
#ifndef DELEGAUGE_KERNELS_GL_FOCUS_H
#define DELEGAUGE_KERNELS_GL_FOCUS_H

#include "lib/gl/ir/kernel.h"

/* For ir_traits.join of convolutions with window *win and *w of n weights: larger filters and strides take the place of slices and
 * joins, with the same weights in another order. An image of planes is transposed first. */
bool focus_join(struct ir *ir, struct ir_op *op, const struct ir_op *first, struct ir_window *win, const float **w, size_t n,
                bool *done);

#endif
