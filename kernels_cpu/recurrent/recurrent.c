/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent.c - how recurrent kernels find their tensors and walk through them. */
#include "kernels_cpu/recurrent/recurrent.h"

#include <string.h>

#include "kernels_cpu/quant/fixed_point.h"

/* ---- rows ---- */

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
