/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul.h - what BATCH_MATMUL's implementations for the various types share. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_BATCH_MATMUL_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_BATCH_MATMUL_H

#include "../quant/requant.h"

/* y[batch][m][n] = x[m][k] w[k][n], or of their transposes, for every batch of the broadcast leading dimensions. */
struct bmm_shape {
    size_t m, n, k;
    bool adj_x, adj_y;
    size_t batches, x_batches, w_batches; /* matrices of y, x, w */
    int32_t rank;                         /* of the leading dimensions */
    int32_t dim[TENSOR_MAX_RANK];
    size_t x_stride[TENSOR_MAX_RANK], w_stride[TENSOR_MAX_RANK]; /* in matrices; 0 along broadcast ones */
};

/* Which matrices of x and w make matrix `batch` of y. */
void bmm_operands(const struct bmm_shape *s, size_t batch, size_t *x, size_t *w);

/* One combination of types. prepare fills c->packed, whose first member must be this pointer. */
struct bmm_impl {
    enum status (*prepare)(struct cpu_call *c, const struct bmm_shape *s, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

/* CPU_FAST by types; CPU_REFERENCE. */
extern const struct bmm_impl bmm_f32, bmm_quant, bmm_hybrid, bmm_plain;

/* Integers to integers of the same type: checks quantization; how sums are scaled: in 64 bits for 16-bit x. */
enum status bmm_quant_check(const struct node *n, struct err *err);
struct requant_spec bmm_quant_spec(const struct node *n, const struct bmm_shape *s);

/* Floats times INT8: checks the right side's scales and zero points. */
enum status bmm_hybrid_check(const struct node *n, const struct bmm_shape *s, struct err *err);

#endif
