/* SPDX-License-Identifier: Apache-2.0 */
/* rnn_products.h - products of a recurrent cell: weights that are float or have 8 bits ("hybrid") times a batch of float vectors.
 *
 * Hybrid products quantize each vector to 8 bits with a scale of its own (quant/hybrid.h), sum in 32-bit integers and scale the
 * sum:
 *
 *   float:   out[b][r] += sum over c of m[r][c] * x[b][c]
 *   hybrid:  out[b][r] += (float)(sum over c of m[r][c] * q[b][c]) * (scale of vector b * scale of m)
 *
 * Integer sums wrap, as in TFLite. CPU_REFERENCE sums in the order of c (rnn_products_plain.c); CPU_FAST in eight lanes. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"
#include "lib/graph/kernel.h"

/* [rows, cols], row-major, borrowed from the node's tensor. A vector is a matrix of one row. */
struct rnn_matrix {
    const float *f32;
    const int8_t *i8;
    float scale; /* of i8 */
    int32_t rows, cols;
    bool diagonal; /* square, and only its diagonal [rows] is stored, in f32 */
};

/* Return a tensor of cell_weights() as a matrix, or a FLOAT32[n] as a diagonal one. */
static inline struct rnn_matrix rnn_matrix_of(const struct tensor *t, bool diagonal)
{
    const bool f32 = t->type == TYPE_FLOAT32;

    return (struct rnn_matrix){.f32 = f32 ? t->data : NULL,
                               .i8 = f32 ? NULL : t->data,
                               .scale = quant_scale(t),
                               .rows = t->rank == 2 || diagonal ? t->dim[0] : 1,
                               .cols = t->dim[t->rank - 1],
                               .diagonal = diagonal};
}

/* Return the real number at element i. */
static inline float rnn_matrix_at(const struct rnn_matrix *m, size_t i)
{
    return m->f32 ? m->f32[i] : m->scale * (float)m->i8[i];
}

/* A batch of vectors: as they are, and quantized for hybrid products. */
struct rnn_vectors {
    const float *x; /* [batch, n] */
    int16_t *q;     /* likewise, less the zero points; NULL: not quantized */
    float *scale;   /* [batch] */
    int32_t batch, n;
};

/* Return the bytes of scratch to quantize so many vectors, a multiple of 16. */
size_t rnn_vectors_bytes(int32_t batch, int32_t n);

/* x is borrowed. scratch: rnn_vectors_bytes, aligned to 16, in use as long as v, or NULL for float products alone. */
void rnn_vectors_init(struct rnn_vectors *v, enum cpu_mode mode, const float *x, int32_t batch, int32_t n, bool asymmetric,
                      void *scratch);

/* out [batch, rows] += the products of m with v, quantized if m has 8 bits; v->n is m->cols. Takes mode and
 * threads from c; threads take rows. */
void rnn_matrix_add(const struct cpu_call *c, const struct rnn_matrix *m, const struct rnn_vectors *v, float *out);

/* Give each of `batch` rows of y [batch, n] a copy of bias[n], or zeros if that is NULL: the start of sums. */
void rnn_assign(float *y, const float *bias, int32_t batch, int32_t n);

/* The same for floats m [rows, cols] and v [n_batch, cols]. */
void matvec_add(const struct cpu_call *c, const float *m, int32_t rows, int32_t cols, const float *v, int32_t n_batch, float *out);

/* A job of threads_for: rows [begin, end) of one product. */
struct rnn_product {
    const struct rnn_matrix *m; /* not diagonal */
    const struct rnn_vectors *v;
    float *out;
};

/* Compute the products for CPU_REFERENCE: the formulas above, one product after the other. `arg` is a struct rnn_product. */
void rnn_product_plain(void *arg, size_t begin, size_t end);

/* The same with sums of double, for products of floats if c->double_sums. */
void rnn_product_doubles(void *arg, size_t begin, size_t end);
