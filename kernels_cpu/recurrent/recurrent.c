/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent.c - products with float and 8-bit weights, and how recurrent kernels find their tensors. */
#include <math.h>
#include <string.h>

#include "recurrent.h"
#include "../quant/fixed_point.h"
#include "../quant/hybrid.h"

/* ---- products ---- */

size_t rnn_vectors_bytes(int32_t batch, int32_t n)
{
    size_t bytes = (size_t)batch * ((size_t)n * sizeof(int16_t) + sizeof(float));

    return (bytes + 15) / 16 * 16;
}

void rnn_vectors_init(struct rnn_vectors *v, const float *x, int32_t batch, int32_t n, bool asymmetric, void *scratch)
{
    *v = (struct rnn_vectors){.x = x, .batch = batch, .n = n};
    if (!scratch)
        return;
    v->scale = scratch;
    v->q = (int16_t *)(v->scale + batch);
    for (size_t b = 0; b < (size_t)batch; b++)
        v->scale[b] = hybrid_quantize(x + b * (size_t)n, (size_t)n, asymmetric, v->q + b * (size_t)n, NULL);
}

struct product {
    const struct rnn_matrix *m;
    const struct rnn_vectors *v;
    float *out;
};

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
    const struct product *p = arg;
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

void rnn_matrix_add(struct threads *threads, const struct rnn_matrix *m, const struct rnn_vectors *v, float *out)
{
    struct product job = {m, v, out};
    size_t work = (size_t)m->cols * (size_t)v->batch;

    if (m->diagonal) {
        diagonal_add(m, v, out);
        return;
    }
    /* a piece of 32768 multiplications is worth waking a thread */
    threads_for(threads, (size_t)m->rows, work ? 32768 / work + 1 : (size_t)m->rows + 1, product_rows, &job);
}

void matvec_add(struct threads *threads, const float *m, int32_t rows, int32_t cols, const float *v, int32_t n_batch, float *out)
{
    const struct rnn_matrix matrix = {.f32 = m, .rows = rows, .cols = cols};
    const struct rnn_vectors vectors = {.x = v, .batch = n_batch, .n = cols};

    rnn_matrix_add(threads, &matrix, &vectors, out);
}

/* ---- elementwise ---- */

void rnn_activate(float *v, size_t n, enum activation act)
{
    for (size_t i = 0; i < n; i++)
        switch (act) {
        case ACT_RELU: v[i] = v[i] > 0 ? v[i] : 0; break; /* NaN becomes the lower end, as in TFLite */
        case ACT_RELU6: v[i] = v[i] > 0 ? v[i] > 6 ? 6 : v[i] : 0; break;
        case ACT_RELU_N1_TO_1: v[i] = v[i] > -1 ? v[i] > 1 ? 1 : v[i] : -1; break;
        case ACT_TANH: v[i] = tanhf(v[i]); break;
        case ACT_SIGN_BIT: v[i] = signbit(v[i]) ? 1 : 0; break;
        case ACT_SIGMOID: v[i] = 1.0f / (1.0f + expf(-v[i])); break;
        default: return;
        }
}

void rnn_assign(float *y, const float *bias, int32_t batch, int32_t n)
{
    for (int32_t b = 0; b < batch; b++, y += n)
        for (int32_t i = 0; i < n; i++)
            y[i] = bias ? bias[i] : 0;
}

void rnn_store(float *y, size_t width, const struct rnn_step *s, const float *result, int32_t n)
{
    if (n > 0)
        for (size_t b = 0; b < (size_t)s->batch; b++)
            memcpy(y + (s->row + b) * width, result + b * (size_t)n, (size_t)n * sizeof *y);
}

/* ---- the node's tensors ---- */

enum status rnn_matrix_from_node(const struct node *n, uint32_t i, int32_t rows, int32_t cols, struct rnn_matrix *out,
                                 struct err *err)
{
    const struct tensor *t = node_in(n, i);

    *out = (struct rnn_matrix){.rows = rows < 0 ? 1 : rows, .cols = cols};
    if (!t)
        return ST_OK;
    if (t->type != TYPE_FLOAT32 && t->type != TYPE_INT8 && t->type != TYPE_UINT8)
        return cpu_bad_type(n, t, err);
    if (rows < 0 && (t->rank != 1 || t->dim[0] != cols))
        return err_set(err, ST_BAD_MODEL, "input %u is %s, expected [%d]", i, TENSOR_TEXT(t), cols);
    if (rows >= 0 && (t->rank != 2 || t->dim[0] != rows || t->dim[1] != cols))
        return err_set(err, ST_BAD_MODEL, "input %u is %s, expected [%d,%d]", i, TENSOR_TEXT(t), rows, cols);
    if (t->type == TYPE_FLOAT32)
        out->f32 = t->data;
    else
        out->i8 = t->data;
    out->scale = quant_scale(t);
    return ST_OK;
}

enum status rnn_vector_from_node(const struct node *n, uint32_t i, int32_t cols, const float **out, struct err *err)
{
    const struct tensor *t = node_in(n, i);

    *out = NULL;
    if (!t)
        return ST_OK;
    if (t->type != TYPE_FLOAT32)
        return cpu_bad_type(n, t, err);
    if (t->rank != 1 || t->dim[0] != cols)
        return err_set(err, ST_BAD_MODEL, "input %u is %s, expected [%d]", i, TENSOR_TEXT(t), cols);
    *out = t->data;
    return ST_OK;
}

enum status rnn_diagonal_from_node(const struct node *n, uint32_t i, int32_t rows, struct rnn_matrix *out, struct err *err)
{
    *out = (struct rnn_matrix){.rows = rows, .cols = rows, .diagonal = true};
    return rnn_vector_from_node(n, i, rows, &out->f32, err);
}

enum status rnn_check_state(const struct node *n, uint32_t i, enum tensor_type type, int32_t batch, int32_t units, struct err *err)
{
    const struct tensor *t = node_in(n, i);

    if (!t)
        return err_set(err, ST_BAD_MODEL, "the state, input %u, is omitted", i);
    if (!t->is_variable)
        return err_set(err, ST_BAD_MODEL, "the state, input %u, must be a variable tensor", i);
    if (t->type != type || tensor_elems(t) != (size_t)batch * (size_t)units)
        return err_set(err, ST_BAD_MODEL, "the state, input %u, is %s, expected %s[%d,%d]", i, TENSOR_TEXT(t), type_name(type),
                       batch, units);
    return ST_OK;
}

struct rnn_walk rnn_walk_over(const struct tensor *x, bool time_major, bool backward)
{
    if (x->rank == 2)
        return (struct rnn_walk){x->dim[0], 1, true, backward};
    return (struct rnn_walk){x->dim[time_major ? 1 : 0], x->dim[time_major ? 0 : 1], time_major, backward};
}
