/* SPDX-License-Identifier: Apache-2.0 */
/* conv_common.h - operands, sizes and bindings of direct convolutions (the kind "conv"), shared by its variants and by fused
 * operations that contain one. */
#pragma once

#include "kernels_gl/common/split_k.h"
#include "kernels_gl/common/window.h"

struct conv {
    struct ir_window win;  /* first: passes merge padding into it */
    const float *w, *bias; /* [out][kernel_h][kernel_w][in], [out] or NULL */
    const float *unit;     /* ir.unit when the operation was lowered */
    float to_counts;       /* ir.to_counts when the operation was lowered */
    bool full;             /* floats of 32 bits alone, without units or counts: Winograd is possible */
    int32_t tile;          /* not 0: the product over Winograd positions, of 3x3 filters (winograd.h) */
    struct split_k parts;
};

/* Append y = x convolved by *c; ir_conv takes *c from the node being lowered instead. NULL if memory runs out. */
struct ir_op *conv_new(struct ir *ir, struct ir_value *x, const struct conv *c, struct ir_value *y);

/* Return true if each output pixel is computed from the input pixel at the same place. */
bool conv_is_pointwise(const struct ir_op *op);

/* Return the number of elements of `w`. */
size_t conv_weights(const struct ir_op *op);

/* Return the steps of a sum: filter rows times columns times slices of the input. */
int64_t conv_steps(const struct ir_op *op);

/* Return true if pixels times slices of the output times steps are at least `work`. */
bool conv_makes(const struct ir_op *op, int64_t work);

/* Work, as of conv_makes, that pays for a program which takes several times as long to compile. */
#define CONV_HUGE (1 << 21)

/* Return true if the pixels contain the batch, as in tensors below rank 4 and rows of matrix products, and programs must suit any
 * batch (policy.any_batch): then all numbers of pixels use the same variant. */
bool conv_any_rows(const struct ir_op *op, const struct gl_limits *lim);

/* Bind and define the values and uniforms that all variants use, and the filter; `beside` as in struct filter. */
void conv_bind(struct gl_shader *p, const struct ir_op *op, int32_t beside);

/* Return true if the convolution multiplies each pixel's channels by finite floats: pointwise, not quantized, transformed or split.
 */
bool conv_is_product(const struct ir_op *op);

/* Return the filter of such a convolution, for window_filter. */
struct filter conv_filter(const struct ir_op *op);

/* ir_traits.reorder of convolutions. */
bool conv_reorder(struct ir *ir, struct ir_op *op, struct ir_shape from, bool *done);

/* Return true if the convolution, not fused, runs as the variant "straight", for which reading weights costs hardly anything
 * (conv_shared.c). */
bool conv_is_straight(const struct ir_op *op, const struct gl_limits *lim);
