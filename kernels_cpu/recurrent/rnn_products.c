/* SPDX-License-Identifier: Apache-2.0 */
/* rnn_products.c - the fast products of recurrent cells: eight lanes of sums, rows shared between threads. */
#include "kernels_cpu/recurrent/rnn_products.h"

#include "kernels_cpu/quant/hybrid.h"

void rnn_assign(float *y, const float *bias, int32_t batch, int32_t n)
{
    for (int32_t b = 0; b < batch; b++, y += n)
        for (int32_t r = 0; r < n; r++)
            y[r] = bias ? bias[r] : 0;
}

size_t rnn_vectors_bytes(int32_t batch, int32_t n)
{
    size_t bytes = (size_t)batch * ((size_t)n * sizeof(int16_t) + sizeof(float));

    return (bytes + 15) / 16 * 16;
}

void rnn_vectors_init(struct rnn_vectors *v, enum cpu_mode mode, const float *x, int32_t batch, int32_t n, bool asymmetric,
                      void *scratch)
{
    *v = (struct rnn_vectors){.x = x, .batch = batch, .n = n};
    if (!scratch)
        return;
    v->scale = scratch;
    v->q = (int16_t *)(v->scale + batch);
    for (size_t b = 0; b < (size_t)batch; b++)
        v->scale[b] = hybrid_quantize(mode, x + b * (size_t)n, (size_t)n, asymmetric, v->q + b * (size_t)n, NULL);
}

static float dot(const float *a, const float *b, int32_t n)
{
    float lane[8] = {0}, sum;
    int32_t i = 0;

    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            lane[k] += a[i + k] * b[i + k];
    sum = ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Wraps where the sum of very long rows overflows, as it does in TFLite. */
static int32_t dot_hybrid(const int8_t *a, const int16_t *b, int32_t n)
{
    uint32_t sum = 0;

    for (int32_t i = 0; i < n; i++)
        sum += (uint32_t)(a[i] * b[i]);
    return (int32_t)sum;
}

static void product_rows(void *arg, size_t begin, size_t end)
{
    const struct rnn_product *p = arg;
    const struct rnn_matrix *m = p->m;
    size_t cols = (size_t)m->cols, rows = (size_t)m->rows;

    for (size_t b = 0; b < (size_t)p->v->batch; b++)
        for (size_t r = begin; r < end; r++) {
            float *y = &p->out[b * rows + r];

            if (m->f32)
                *y += dot(m->f32 + r * cols, p->v->x + b * cols, m->cols);
            else
                *y += (float)dot_hybrid(m->i8 + r * cols, p->v->q + b * cols, m->cols) * (p->v->scale[b] * m->scale);
        }
}

static void diagonal_add(const struct rnn_matrix *m, const struct rnn_vectors *v, float *out)
{
    size_t n = (size_t)m->rows;

    for (size_t i = 0; i < (size_t)v->batch * n; i++)
        out[i] += m->f32[i % n] * v->x[i];
}

void rnn_matrix_add(const struct cpu_call *c, const struct rnn_matrix *m, const struct rnn_vectors *v, float *out)
{
    struct rnn_product job = {m, v, out};
    size_t work = (size_t)m->cols * (size_t)v->batch;

    if (m->diagonal) {
        diagonal_add(m, v, out);
        return;
    }
    /* a piece of 32768 multiplications is worth waking a thread */
    threads_for(c->threads, (size_t)m->rows, work ? 32768 / work + 1 : (size_t)m->rows + 1,
                c->double_sums && m->f32   ? rnn_product_doubles
                : c->mode == CPU_REFERENCE ? rnn_product_plain
                                           : product_rows,
                &job);
}

void matvec_add(const struct cpu_call *c, const float *m, int32_t rows, int32_t cols, const float *v, int32_t n_batch, float *out)
{
    const struct rnn_matrix matrix = {.f32 = m, .rows = rows, .cols = cols};
    const struct rnn_vectors vectors = {.x = v, .batch = n_batch, .n = cols};

    rnn_matrix_add(c, &matrix, &vectors, out);
}
