/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - shape inference that several ops share. */
#include "lib/graph/shape.h"

enum status shape_arity(const struct node *n, uint32_t min_in, uint32_t max_in, uint32_t n_out, struct err *err)
{
    if (n->n_in < min_in || n->n_in > max_in || n->n_out != n_out) {
        if (min_in == max_in)
            return err_set(err, ST_BAD_MODEL, "%u inputs and %u outputs, expected %u and %u", n->n_in, n->n_out, min_in, n_out);
        return err_set(err, ST_BAD_MODEL, "%u inputs and %u outputs, expected %u to %u and %u", n->n_in, n->n_out, min_in, max_in,
                       n_out);
    }
    for (uint32_t i = 0; i < min_in; i++)
        if (!n->in[i])
            return err_set(err, ST_BAD_MODEL, "input %u is omitted", i);
    for (uint32_t i = 0; i < n_out; i++)
        if (!n->out[i])
            return err_set(err, ST_BAD_MODEL, "output %u is omitted", i);
    return ST_OK;
}

enum status shape_set(struct node *n, uint32_t i, const int32_t *dim, int32_t rank, struct err *err)
{
    return tensor_set_shape(n->out[i], dim, rank, err);
}

enum status shape_like(struct node *n, uint32_t i, const struct tensor *t, struct err *err)
{
    return tensor_set_shape(n->out[i], t->dim, t->rank, err);
}

enum status shape_same(struct node *n, struct err *err)
{
    return shape_like(n, 0, n->in[0], err);
}

enum status shape_unary(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 1, 1, 1, err);

    return st ? st : shape_same(n, err);
}

enum status shape_broadcast(const struct tensor *a, const struct tensor *b, int32_t *dim, int32_t *rank, struct err *err)
{
    *rank = a->rank > b->rank ? a->rank : b->rank;
    for (int32_t i = 0; i < *rank; i++) {
        int32_t ai = i - (*rank - a->rank), bi = i - (*rank - b->rank);
        int32_t x = ai < 0 ? 1 : a->dim[ai], y = bi < 0 ? 1 : b->dim[bi];

        if (x != y && x != 1 && y != 1)
            return err_set(err, ST_BAD_MODEL, "%s and %s do not broadcast: %d against %d", TENSOR_TEXT(a), TENSOR_TEXT(b), x, y);
        dim[i] = x == 1 ? y : x;
    }
    return ST_OK;
}

enum status shape_binary(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], rank;
    enum status st = shape_arity(n, 2, 2, 1, err);

    if (!st)
        st = shape_broadcast(n->in[0], n->in[1], dim, &rank, err);
    return st ? st : shape_set(n, 0, dim, rank, err);
}

enum status shape_ints(const struct tensor *t, int32_t *out, uint32_t max, uint32_t *count, struct err *err)
{
    size_t n;

    if (t->type != TYPE_INT32 && t->type != TYPE_INT64 && t->type != TYPE_INT16 && t->type != TYPE_INT8)
        return err_set(err, ST_BAD_MODEL, "%s holds sizes, expected INT32 or INT64", TENSOR_TEXT(t));
    if (t->rank > 1)
        return err_set(err, ST_BAD_MODEL, "%s holds sizes, expected a vector", TENSOR_TEXT(t));
    n = tensor_elems(t);
    if (n > max)
        return err_set(err, ST_BAD_MODEL, "%s holds %zu sizes, the most expected is %u", TENSOR_TEXT(t), n, max);
    if (!t->is_known)
        return ST_LATER;
    for (size_t i = 0; i < n; i++) {
        int64_t v = tensor_int(t, i);

        out[i] = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
    }
    *count = (uint32_t)n;
    return ST_OK;
}

enum status shape_axis(int32_t axis, int32_t rank, int32_t *out, struct err *err)
{
    if (axis < -rank || axis >= rank)
        return err_set(err, ST_BAD_MODEL, "axis %d of a tensor of rank %d", axis, rank);
    *out = axis < 0 ? axis + rank : axis;
    return ST_OK;
}

enum status shape_window(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, enum padding padding, int32_t *out,
                         int32_t *pad_before, struct err *err)
{
    int64_t effective, n, pad;

    if (kernel < 1 || stride < 1 || dilation < 1)
        return err_set(err, ST_BAD_MODEL, "window %d with stride %d and dilation %d: each must be at least 1", kernel, stride,
                       dilation);
    effective = (int64_t)(kernel - 1) * dilation + 1;
    if (padding == PAD_SAME)
        n = ((int64_t)in + stride - 1) / stride;
    else if (padding == PAD_VALID)
        n = ((int64_t)in - effective + stride) / stride;
    else
        return err_set(err, ST_BAD_MODEL, "padding %d is neither SAME nor VALID", (int)padding);
    if (in > 0 && (int64_t)in - effective + stride < stride && padding == PAD_VALID)
        return err_set(err, ST_BAD_MODEL, "window %d with dilation %d does not fit into %d without padding", kernel, dilation, in);
    /* Kernels reckon where in the input an element of the window lies in 32 bits. */
    if (padding == PAD_SAME && in + effective > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "window %d with dilation %d over %d: more than 31 bits", kernel, dilation, in);
    if (n < 0)
        n = 0;
    pad = padding == PAD_SAME ? (n - 1) * stride + effective - in : 0;
    *out = (int32_t)n;
    *pad_before = pad > 0 ? (int32_t)(pad / 2) : 0;
    return ST_OK;
}
