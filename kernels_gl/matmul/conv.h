/* SPDX-License-Identifier: Apache-2.0 */
/* conv.h - variants of direct convolution in files of their own: fits, emit, iterations and pays of struct gl_variant. */
#ifndef DELEGAUGE_KERNELS_GL_CONV_H
#define DELEGAUGE_KERNELS_GL_CONV_H

#include "kernels_gl/matmul/conv_common.h"

/* ---- by workgroups that share memory (conv_shared.c) ---- */

/* A pixel and several slices an invocation, all passes written out one after the other, weights in shared memory. */
bool conv_fits_straight(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_straight(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_staging(const struct ir_op *op);
bool conv_straight_pays(const struct ir_op *op, const struct gl_limits *lim);

/* For struct ir_sizes. */
bool conv_is_straight_alike(const struct ir_op *a, const struct ir_op *b);
uint64_t conv_straight_saves(const struct ir_op *op);
uint64_t conv_straight_costs(const struct ir_op *op);

/* A vector of the output a workgroup, whose invocations have some of the passes each. */
bool conv_fits_lanes(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_lanes(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_lanes(const struct ir_op *op);
bool conv_lanes_pay(const struct ir_op *op, const struct gl_limits *lim);

/* Of 1x1 filters: blocks of pixels and slices, whose operands a workgroup shares a part of the sum at a time (product_shared.h). */
bool conv_fits_shared(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_shared(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_shared(const struct ir_op *op);
bool conv_shared_pays(const struct ir_op *op, const struct gl_limits *lim);

/* ---- by strips of a row (conv_rows.c), likewise: pixels beside each other, of whose windows no vector is read twice ---- */

bool conv_fits_rows(const struct ir_op *op, const struct gl_limits *lim);
void conv_emit_rows(struct gl_shader *p, const struct ir_op *op);
uint64_t conv_rows(const struct ir_op *op);
bool conv_rows_pay(const struct ir_op *op, const struct gl_limits *lim);

#endif
