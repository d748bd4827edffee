/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.h - scatters rows and combines rows with the same destination, for SCATTER_ND and segment reductions. */
#pragma once

#include "kernels_gl/common/split_k.h"

/* GLSL that combines the next row v with the present value a, and the value of destinations without rows. */
struct fold_rows {
    const char *f, *i, *wide; /* for floats, integers and 64 bits (int64_value.h); NULL: none */
    float first;
    int32_t first_int;
};

extern const struct fold_rows fold_sum, fold_prod, fold_max, fold_min;

/* Attributes of a scatter. The rows of in[1], in order, go to the destinations given by the `depth` numbers per row in in[0], which
 * index dimensions of these extents; rows out of range are dropped. in[2], if there is one, is the result of the rows before. */
struct scatter {
    struct turns turns;
    const struct fold_rows *fold;
    int32_t depth, extent[TENSOR_MAX_RANK];
    bool wide;   /* 64-bit rows: int64_value.h */
    bool sorted; /* in[0] has scatter_sorted's pairs */
};

/* Return the pairs of destination and row number, sorted, [1, 1, rows, 2], for indices `at` [1, 1, rows, depth]. NULL if memory
 * runs out. */
struct ir_value *scatter_sorted(struct ir *ir, struct ir_value *at, const struct scatter *t);

/* Define the uniform EXTENTi, for emit. */
void scatter_define_extent(struct gl_shader *p, const struct scatter *t, int32_t i);

/* Check that operand `x` has the output's type and that `at` holds indices. Indices made at run time that are out of range, which
 * make a run fail on the CPU, are ignored here. False: *why. */
bool scatter_accept(const struct gl_limits *lim, const struct node *n, uint32_t at, uint32_t x, struct reason *why);

/* Scatter the rows of x to `to`, one row for each `depth` indices of `at`; t.turns is not read. Fails only with ST_NOMEM. */
enum status scatter_lower(struct ir *ir, const struct tensor *at, const struct tensor *x, const struct tensor *to, struct scatter t,
                          struct err *err);
