/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.h - rows that go to one place are folded into one: what SCATTER_ND and segments share. */
#ifndef DELEGAUGE_KERNELS_GL_SCATTER_H
#define DELEGAUGE_KERNELS_GL_SCATTER_H

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/common/split_k.h"

/* How the next row v is folded into what is there, a, in shaders; and what there is where no row goes. */
struct fold_rows {
    const char *f, *i, *wide; /* the last of 64 bits (int64_value.h); NULL: not of these */
    float first;
    int32_t first_int;
};

extern const struct fold_rows fold_sum, fold_prod, fold_max, fold_min;

/* The rows of in[1], by turns, go to where the `depth` numbers in in[0] say, which count in dimensions of these extents;
 * those that are out of range go nowhere. in[2], where there is one: what was computed of the rows before. */
struct scatter {
    struct turns turns;
    const struct fold_rows *fold;
    int32_t depth, extent[TENSOR_MAX_RANK];
    bool wide;   /* rows are of 64 bits: int64_value.h */
    bool sorted; /* in[0] has what scatter_sorted made of the numbers */
};

/* Pairs of where rows go, as the numbers `at` of [1, 1, rows, depth] say, and which they are, sorted: [1, 1, rows, 2]. NULL: out of
 * memory. */
struct ir_value *scatter_sorted(struct ir *ir, struct ir_value *at, const struct scatter *t);

/* For emit: the number EXTENTi. */
void scatter_define_extent(struct gl_shader *p, const struct scatter *t, int32_t i);

/* Operand `x` holds rows of the output's type, and `at` says where they go. False with a reason. Indices computed at run time that
 * are out of range, which end a run on the CPU, name no place here. */
bool scatter_accept(const struct gl_limits *lim, const struct node *n, uint32_t at, uint32_t x, struct reason *why);

/* Folds the rows of x, as many as `at` has numbers for, into `to`; `t.turns` is not read. Fails only with ST_NOMEM. */
enum status scatter_lower(struct ir *ir, const struct tensor *at, const struct tensor *x, const struct tensor *to, struct scatter t,
                          struct err *err);

#endif
