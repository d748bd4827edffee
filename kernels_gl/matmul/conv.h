/* SPDX-License-Identifier: Apache-2.0 */
/* conv.h - variants of direct convolution that have files of their own: fits, emit, iterations and pays of each struct gl_variant;
 * and lowering, shared with DEPTHWISE_CONV_2D. */
#pragma once

#include "kernels_gl/matmul/conv_common.h"

/* Lower CONV_2D or DEPTHWISE_CONV_2D, whose strides and dilations *win has; sets the rest of *win. Fails as window_of and
 * requantize_sum. */
enum status conv_lower(struct ir *ir, const struct node *n, struct ir_window *win, enum padding padding, enum activation act,
                       struct err *err);

/* ---- workgroups with shared memory (conv_shared.c) ---- */

/* "straight": an invocation computes a pixel and several slices, all loops unrolled, weights in shared memory. */
bool conv_fits_straight(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_straight(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_staging(const struct ir_op *op);
bool conv_straight_pays(const struct ir_op *op, const struct gl_limits *lim);

/* is_written_alike, saves and costs of struct ir_sizes for the straight variant. */
bool conv_is_straight_alike(const struct ir_op *a, const struct ir_op *b);
uint64_t conv_straight_saves(const struct ir_op *op);
uint64_t conv_straight_costs(const struct ir_op *op);

/* "lanes": a workgroup computes a vector of the output; each invocation does some of the steps. */
bool conv_fits_lanes(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_lanes(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_lanes(const struct ir_op *op);
bool conv_lanes_pay(const struct ir_op *op, const struct gl_limits *lim);

/* "shared", of 1x1 filters: a workgroup computes a block of pixels and slices and shares both operands of a part of the sum at a
 * time (product_shared.h). */
bool conv_fits_shared(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_shared(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_shared(const struct ir_op *op);
bool conv_shared_pays(const struct ir_op *op, const struct gl_limits *lim);

/* ---- strips of a row (conv_rows.c): neighbouring pixels, whose windows read each input vector once ---- */

bool conv_fits_rows(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_rows(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_rows(const struct ir_op *op);
bool conv_rows_pay(const struct ir_op *op, const struct gl_limits *lim);
