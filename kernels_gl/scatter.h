/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.h - rows that go to one place are folded into one: what SCATTER_ND and segments share. */
#ifndef DELEGAUGE_KERNELS_GL_SCATTER_H
#define DELEGAUGE_KERNELS_GL_SCATTER_H

#include "kinds.h"
#include "operands.h"

/* How the next row v is folded into what is there, a, in shaders; and what there is where no row goes. */
struct fold_rows {
    const char *f, *i;
    float first;
    int32_t first_int;
};

extern const struct fold_rows fold_sum, fold_prod, fold_max, fold_min;

/* The rows first to end - 1 of in[1] go to where the `depth` numbers in in[0] say, which count in dimensions of these extents;
 * those that are out of range go nowhere. in[2], where there is one: what was computed of the rows before. */
struct scatter {
    const struct fold_rows *fold;
    int32_t first, end, depth, extent[TENSOR_MAX_RANK];
};

/* Operand `x` holds rows of the output's type, and `at` says where they go. False with a reason. Indices computed at run time that
 * are out of range, which end a run on the CPU, name no place here. */
bool scatter_accept(const struct gl_limits *lim, const struct node *n, uint32_t at, uint32_t x, struct reason *why);

/* Folds the rows of x, as many as `at` has numbers for, into `to`; first and end of `t` are not read. Fails only with ST_NOMEM. */
enum status scatter_lower(struct ir *ir, const struct tensor *at, const struct tensor *x, const struct tensor *to, struct scatter t,
                          struct err *err);

#endif
