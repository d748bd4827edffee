/* SPDX-License-Identifier: Apache-2.0 */
/* conv_common.h - what the variants of direct convolution (the kind "conv") and the operations that contain one share. */
#ifndef DELEGAUGE_KERNELS_GL_CONV_COMMON_H
#define DELEGAUGE_KERNELS_GL_CONV_COMMON_H

#include "kernels_gl/common/split_k.h"
#include "kernels_gl/common/window.h"

struct conv {
    struct ir_window win;  /* first: passes merge padding into it */
    const float *w, *bias; /* [out][kernel_h][kernel_w][in], [out] or NULL */
    const float *unit;     /* [out] or NULL: of the ir when it was lowered, */
    float to_counts;       /* too */
    bool full;             /* all it computes is float32, likewise */
    int32_t tile;          /* not 0: the product of positions that winograd.h has, of filters of 3x3 */
    struct split_k parts;
};

/* Append y = x convolved as *c has it; ir_conv takes *c from the node being lowered instead. NULL if memory runs out. */
struct ir_op *conv_new(struct ir *ir, struct ir_value *x, const struct conv *c, struct ir_value *y);

/* Return true if each output pixel is made of the input pixel at the same place. */
bool conv_is_pointwise(const struct ir_op *op);

/* Return the number of elements of `w`. */
size_t conv_weights(const struct ir_op *op);

/* Return the passes of a sum: filter rows times columns times slices of the input. */
int64_t conv_steps(const struct ir_op *op);

/* Return true if pixels times slices of the output times steps are at least `work`. */
bool conv_makes(const struct ir_op *op, int64_t work);

/* The work that is worth a program which takes several times as long to compile. */
#define CONV_HUGE (1 << 21)

/* Of tensors below rank 4, and so of the rows of matrix products, the batch is among the pixels: if there may be any number of
 * them, all are computed alike. */
bool conv_any_rows(const struct ir_op *op, const struct gl_limits *lim);

/* Bind and define the values that all variants read and write, and the grid of the output's vectors. `beside` is that of struct
 * filter. */
void conv_bind(struct gl_shader *p, const struct ir_op *op, int32_t beside);

/* Return true if it multiplies each pixel's channels by finite floats, and its filter is whole. */
bool conv_is_product(const struct ir_op *op);

/* Return its filter, for window_filter. */
struct filter conv_filter(const struct ir_op *op);

/* ir_traits.reorder of convolutions. */
bool conv_reorder(struct ir *ir, struct ir_op *op, struct ir_shape from, bool *done);

/* Return true if the convolution by itself is computed as a straight line, whose weights cost hardly anything to read
 * (conv_shared.c). */
bool conv_is_straight(const struct ir_op *op, const struct gl_limits *lim);

#endif
