/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul.h - BATCH_MATMUL's shapes, checks and implementations per combination of types.
 *
 * x is float32, INT8 or INT16. w is float32 or INT8 if x is float32, else INT8 or INT16. y has x's type, or INT32 for two INT8. */
#pragma once

#include "kernels_cpu/quant/requant.h"

/* Sizes of y[batch][m][n] = x[m][k] w[k][n], for every batch of the broadcast leading dimensions. With adj_x x is stored [k][m],
 * with adj_y w is stored [n][k]. */
struct bmm_shape {
    size_t m, n, k;
    bool adj_x, adj_y;
    size_t batches, x_batches, w_batches; /* matrices of y, x, w */
    int32_t rank;                         /* of the leading dimensions */
    int32_t dim[TENSOR_MAX_RANK];
    /* Matrices from one index of a leading dimension to the next, 0 along broadcast dimensions. */
    size_t x_stride[TENSOR_MAX_RANK], w_stride[TENSOR_MAX_RANK];
};

/* Store the indices of the matrices of x and w, in memory order, whose product is matrix `batch` < s->batches of y. */
void bmm_operands(const struct bmm_shape *s, size_t batch, size_t *x, size_t *w);

/* Implementation for one combination of types. prepare copies `s`, checks quantization and fills c->packed. */
struct bmm_impl {
    enum status (*prepare)(struct cpu_call *c, const struct bmm_shape *s, struct err *err);
    void (*compute)(struct cpu_call *c);
};

/* Implementations. CPU_FAST: float32, integers of x's type, and float32 times INT8 (bmm_hybrid); CPU_REFERENCE: bmm_plain for all
 * types. */
extern const struct bmm_impl bmm_f32, bmm_quant, bmm_hybrid, bmm_plain;

/* Integers, y of x's type. bmm_quant_check fails with ST_BAD_MODEL unless x, y and w have one scale each (several of w count as 0)
 * and 16-bit zero points are 0. bmm_quant_spec returns the scaling, of 64-bit sums if x is INT16. */
enum status bmm_quant_check(const struct node *n, struct err *err);
struct requant_spec bmm_quant_spec(const struct node *n, const struct bmm_shape *s);

/* float32 times INT8: check that w has one scale, or one per column, above 0, and zero points of 0. */
enum status bmm_hybrid_check(const struct node *n, const struct bmm_shape *s, struct err *err);
