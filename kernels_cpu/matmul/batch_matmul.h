/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul.h - the shared part of BATCH_MATMUL's implementations for the various types.
 *
 * x is float32, INT8 or INT16; w float32 or INT8 beside floats, else INT8 or INT16; y of x's type, or INT32 of two INT8. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_BATCH_MATMUL_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_BATCH_MATMUL_H

#include "kernels_cpu/quant/requant.h"

/* y[batch][m][n] = x[m][k] w[k][n], or of their transposes, for every batch of the broadcast leading dimensions. */
struct bmm_shape {
    size_t m, n, k;
    bool adj_x, adj_y;
    size_t batches, x_batches, w_batches; /* matrices of y, x, w */
    int32_t rank;                         /* of the leading dimensions */
    int32_t dim[TENSOR_MAX_RANK];
    /* How many matrices further the next one along a leading dimension lies. */
    size_t x_stride[TENSOR_MAX_RANK], w_stride[TENSOR_MAX_RANK]; /* 0 along broadcast ones */
};

/* Which matrices of x and w, counted in memory order, make matrix `batch` < s->batches of y. */
void bmm_operands(const struct bmm_shape *s, size_t batch, size_t *x, size_t *w);

/* One combination of types. prepare checks quantization and fills c->packed, whose first member must be this pointer, since run
 * finds itself by it; `s` is copied. */
struct bmm_impl {
    enum status (*prepare)(struct cpu_call *c, const struct bmm_shape *s, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

/* CPU_FAST has one for each kind of types: bmm_f32, bmm_quant (integers), bmm_hybrid (floats times INT8). CPU_REFERENCE has
 * bmm_plain for all. */
extern const struct bmm_impl bmm_f32, bmm_quant, bmm_hybrid, bmm_plain;

/* Integers to integers of the same type: checks quantization; how sums are scaled: in 64 bits for 16-bit x. */
enum status bmm_quant_check(const struct node *n, struct err *err);
struct requant_spec bmm_quant_spec(const struct node *n, const struct bmm_shape *s);

/* Floats times INT8: checks the right side's scales and zero points. */
enum status bmm_hybrid_check(const struct node *n, const struct bmm_shape *s, struct err *err);

#endif
