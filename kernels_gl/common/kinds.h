/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.h - kinds of operations, and functions that append operations for several kernels. */
#pragma once

#include "lib/gl/ir/kernel.h"

#define KIND(name) extern const struct ir_kind gl_kind_##name;
#include "kernels_gl/common/kinds.def"
#undef KIND

/* Append y = fn(operands), each broadcast to the shape of y. in[0] is the first operand that is not constant. p: see struct
 * ir_epilogue; may be NULL. */
struct ir_op *ir_map(struct ir *ir, const struct ir_fn *fn, struct ir_value *const operand[3], const float p[4],
                     struct ir_value *y);

/* Append y = x with another shape of as many elements, in dense BHWC order. */
struct ir_op *ir_reshape(struct ir *ir, struct ir_value *x, struct ir_value *y);

/* Return true if shader texts must hold for any batch and tensors a and b have their batch along different axes. */
bool ir_moves_batch(const struct ir *ir, const struct tensor *a, const struct tensor *b);

/* Append a convolution with constant filter w [out][kernel_h][kernel_w][in], as in TFLite, and bias [out] or NULL. The ir borrows
 * both. */
struct ir_op *ir_conv(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                      struct ir_value *y);

/* Append a depthwise convolution with filter w [kernel_h][kernel_w][out]; `out` is a multiple of the input's channels. */
struct ir_op *ir_depthwise(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                           struct ir_value *y);

/* Append y = sums of the node's input 0 over the axes in its constant input 1; y has the output's shape. Fails only with ST_NOMEM.
 */
enum status ir_sum_axes(struct ir *ir, const struct node *n, struct ir_value *y, struct err *err);

/* Append y = products of the node's input 0 over the axes in its constant input 1, in fixed point (exact_product.comp): of each
 * element minus x_zero; times mult / 2^shift, rounded, after every factor but the first, and once more at the end; then plus
 * y_zero, clamped to lo .. hi. */
struct exact_product {
    int32_t x_zero, y_zero, lo, hi, mult, shift;
};
enum status ir_product_axes(struct ir *ir, const struct node *n, const struct exact_product *product, struct ir_value *y,
                            struct err *err);

/* Append y = largest |x| over the axes, along which y has one element; NaN are ignored. False if memory runs out. */
bool ir_largest(struct ir *ir, struct ir_value *x, const bool over[4], struct ir_value *y);

/* Append low = smallest value of x over the axes, but at most 0, and high = largest value, but at least 0. False if memory runs
 * out. */
bool ir_range_to_zero(struct ir *ir, struct ir_value *x, const bool over[4], struct ir_value *low, struct ir_value *high);

/* Append the product of each row of x with each row of z, both [1, 1, rows, depth] and neither constant: y is [1, 1, rows of x,
 * rows of z]. */
struct ir_op *ir_rows_product(struct ir *ir, struct ir_value *x, struct ir_value *z, struct ir_value *y);

/* Append y = sums of blocks of x, lane by lane: block[0] to block[2] elements along B, H and W, block[3] slices of four channels;
 * the last blocks end with x. So y has four channels for each block of slices, or x's channels if block[3] is 1. `part`: blocks
 * already have the length of split_k_length() and are not split again. */
struct ir_op *ir_block_sums(struct ir *ir, struct ir_value *x, const int32_t block[4], bool part, struct ir_value *y);

/* Append such sums of 64-bit integers (int64_value.h); their blocks are not split again. */
struct ir_op *ir_int64_block_sums(struct ir *ir, struct ir_value *x, const int32_t block[4], struct ir_value *y);
