/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.h - the folding of rows that go to one place into one, which SCATTER_ND and segments share. */
#ifndef DELEGAUGE_KERNELS_GL_SCATTER_H
#define DELEGAUGE_KERNELS_GL_SCATTER_H

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/common/split_k.h"

/* The folding of the next row v into the present value a, in shaders; and the value at places to which no row goes. */
struct fold_rows {
    const char *f, *i, *wide; /* the last of 64 bits (int64_value.h); NULL: not of these */
    float first;
    int32_t first_int;
};

extern const struct fold_rows fold_sum, fold_prod, fold_max, fold_min;

/* The rows of in[1], by turns, go to the places that the `depth` numbers in in[0] name, which count in dimensions of these extents;
 * rows that are out of range go nowhere. in[2], if there is one: the result of the rows before. */
struct scatter {
    struct turns turns;
    const struct fold_rows *fold;
    int32_t depth, extent[TENSOR_MAX_RANK];
    bool wide;   /* rows are of 64 bits: int64_value.h */
    bool sorted; /* in[0] holds the pairs that scatter_sorted made of the numbers */
};

/* Return the sorted pairs [1, 1, rows, 2] of the place that a row goes to, as the numbers `at` of [1, 1, rows, depth] say, and the
 * row's number. NULL if memory runs out. */
struct ir_value *scatter_sorted(struct ir *ir, struct ir_value *at, const struct scatter *t);

/* Define the number EXTENTi, for emit. */
void scatter_define_extent(struct gl_shader *p, const struct scatter *t, int32_t i);

/* Check that operand `x` holds rows of the output's type, and that `at` names their places. False with a reason. Indices computed
 * at run time that are out of range, which end a run on the CPU, name no place here. */
bool scatter_accept(const struct gl_limits *lim, const struct node *n, uint32_t at, uint32_t x, struct reason *why);

/* Folds the rows of x, as many as `at` has numbers for, into `to`; `t.turns` is not read. Fails only with ST_NOMEM. */
enum status scatter_lower(struct ir *ir, const struct tensor *at, const struct tensor *x, const struct tensor *to, struct scatter t,
                          struct err *err);

#endif
