/* SPDX-License-Identifier: Apache-2.0 */
/* rnn_products_plain.c - the reference products of recurrent cells: each sum in the order of its definition. */
#include "kernels_cpu/recurrent/rnn_products.h"

void rnn_product_plain(void *arg, size_t begin, size_t end)
{
    const struct rnn_product *p = arg;
    const struct rnn_matrix *m = p->m;

    for (int32_t b = 0; b < p->v->batch; b++)
        for (size_t r = begin; r < end; r++) {
            const size_t row = r * (size_t)m->cols, vector = (size_t)b * (size_t)m->cols;
            float sum = 0;
            uint32_t whole = 0;

            for (int32_t c = 0; m->f32 && c < m->cols; c++)
                sum += m->f32[row + (size_t)c] * p->v->x[vector + (size_t)c];
            for (int32_t c = 0; !m->f32 && c < m->cols; c++)
                whole += (uint32_t)(m->i8[row + (size_t)c] * p->v->q[vector + (size_t)c]);
            p->out[(size_t)b * (size_t)m->rows + r] += m->f32 ? sum : (float)(int32_t)whole * (p->v->scale[b] * m->scale);
        }
}

void rnn_product_doubles(void *arg, size_t begin, size_t end)
{
    const struct rnn_product *p = arg;
    const struct rnn_matrix *m = p->m;

    for (int32_t b = 0; b < p->v->batch; b++)
        for (size_t r = begin; r < end; r++) {
            const float *w = m->f32 + r * (size_t)m->cols, *x = p->v->x + (size_t)b * (size_t)m->cols;
            float *y = &p->out[(size_t)b * (size_t)m->rows + r];
            double sum = (double)*y;

            for (int32_t c = 0; c < m->cols; c++)
                sum += (double)w[c] * (double)x[c];
            *y = (float)sum;
        }
}
