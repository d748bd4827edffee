/* SPDX-License-Identifier: Apache-2.0 */
/* conv.h - the common part of the variants of direct convolution (the kind "conv"), for the files that they are in. */
#ifndef DELEGAUGE_KERNELS_GL_CONV_H
#define DELEGAUGE_KERNELS_GL_CONV_H

#include "kernels_gl/common/split_k.h"

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

/* Bind and define the values that all variants read and write, and the grid of the output's vectors. */
void conv_bind(struct gl_shader *p, const struct ir_op *op);

/* ---- by workgroups that share memory (conv_shared.c): fits, emit, iterations and pays of struct gl_variant ---- */

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
