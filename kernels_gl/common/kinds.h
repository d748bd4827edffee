/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.h - operations that several kernels lower to. */
#ifndef DELEGAUGE_KERNELS_GL_KINDS_H
#define DELEGAUGE_KERNELS_GL_KINDS_H

#include "lib/gl/ir/kernel.h"

#define KIND(name) extern const struct ir_kind gl_kind_##name;
#include "kernels_gl/common/kinds.def"
#undef KIND

/* y = fn(operands), all broadcasting to the shape of y. The first operand that is made at run time is in[0]. p: see struct
 * ir_epilogue; may be NULL. */
struct ir_op *ir_map(struct ir *ir, const struct ir_fn *fn, struct ir_value *const operand[3], const float p[4],
                     struct ir_value *y);

/* y = x with another shape of as many elements, in dense BHWC order. */
struct ir_op *ir_reshape(struct ir *ir, struct ir_value *x, struct ir_value *y);

/* Whether the shader texts are to hold for any batch, and the first dimensions of a and b lie along different axes. */
bool ir_moves_batch(const struct ir *ir, const struct tensor *a, const struct tensor *b);

/* Convolution with a constant filter: w is [out][kernel_h][kernel_w][in] as TFLite has it, bias [out] or NULL. Both are
 * borrowed for the life of the ir. */
struct ir_op *ir_conv(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                      struct ir_value *y);

/* Depthwise convolution: w is [kernel_h][kernel_w][out]; the output has a multiple of the input's channels. */
struct ir_op *ir_depthwise(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                           struct ir_value *y);

/* y = the sums of the node's input 0 over the axes that its constant input 1 names; y has the shape of the output. Fails only
 * with ST_NOMEM. */
enum status ir_sum_axes(struct ir *ir, const struct node *n, struct ir_value *y, struct err *err);

/* Likewise their products in fixed point (exact_product.comp): each less x_zero; times mult / 2^shift, rounded, after every factor
 * but the first, and once more at the end; then plus y_zero, clamped. */
struct exact_product {
    int32_t x_zero, y_zero, lo, hi, mult, shift;
};
enum status ir_product_axes(struct ir *ir, const struct node *n, const struct exact_product *product, struct ir_value *y,
                            struct err *err);

/* y = the largest |x| over these axes, of which y has one element each. NaN are none. False: out of memory. */
bool ir_largest(struct ir *ir, struct ir_value *x, const bool over[4], struct ir_value *y);

/* Likewise the smallest value, but at most 0, and the largest, but at least 0. */
bool ir_range_to_zero(struct ir *ir, struct ir_value *x, const bool over[4], struct ir_value *low, struct ir_value *high);

/* Each row along C of x times each of z, both [1, 1, rows, depth], with none of them constant: y is [1, 1, rows of x, rows of z].
 */
struct ir_op *ir_rows_product(struct ir *ir, struct ir_value *x, struct ir_value *z, struct ir_value *y);

/* y = the sums of blocks of x, lane by lane: of block[0] to block[2] elements along B, H and W, of block[3] slices of four
 * channels; the last blocks are as long as x lasts. So y has four channels for each block of slices, or with block[3] = 1 the
 * channels of x. `part`: blocks are as long as split_k_length() said, and are not cut again. */
struct ir_op *ir_block_sums(struct ir *ir, struct ir_value *x, const int32_t block[4], bool part, struct ir_value *y);

/* The same of numbers of 64 bits (int64_value.h), whose blocks are parts. */
struct ir_op *ir_int64_block_sums(struct ir *ir, struct ir_value *x, const int32_t block[4], struct ir_value *y);

#endif
