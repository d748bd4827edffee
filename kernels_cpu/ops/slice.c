/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c - SLICE: a box cut out of a tensor. */
#include "kernels_cpu/common/move.h"

/* Reads begin and size of every dimension, size -1 resolved and both checked against the input. */
static enum status slice_box(const struct node *n, int32_t *begin, int32_t *size, struct err *err)
{
    const struct tensor *x = n->in[0];
    uint32_t n_begin, n_size;
    enum status st;

    if ((st = shape_ints(n->in[1], begin, TENSOR_MAX_RANK, &n_begin, err)) ||
        (st = shape_ints(n->in[2], size, TENSOR_MAX_RANK, &n_size, err)))
        return st;
    if (n_begin != (uint32_t)x->rank || n_size != (uint32_t)x->rank)
        return err_set(err, ST_BAD_MODEL, "%u begins and %u sizes for rank %d", n_begin, n_size, x->rank);
    for (int32_t i = 0; i < x->rank; i++) {
        if (size[i] == -1 && begin[i] >= 0 && begin[i] <= x->dim[i])
            size[i] = x->dim[i] - begin[i];
        if (begin[i] < 0 || size[i] < 0 || begin[i] > x->dim[i] || size[i] > x->dim[i] - begin[i])
            return err_set(err, ST_BAD_MODEL, "begin %d and size %d leave dimension %d, which is %d long", begin[i], size[i], i,
                           x->dim[i]);
    }
    return ST_OK;
}

/* Sizes that are known say what is cut wherever it begins; -1 reaches to the end from there. */
static enum status size_alone(const struct node *n, int32_t *size, struct err *err)
{
    const struct tensor *x = n->in[0];
    uint32_t count;
    enum status st = shape_ints(n->in[2], size, TENSOR_MAX_RANK, &count, err);

    if (st)
        return st;
    if (count != (uint32_t)x->rank)
        return err_set(err, ST_BAD_MODEL, "%u sizes for rank %d", count, x->rank);
    for (int32_t i = 0; i < x->rank; i++)
        if (size[i] == -1)
            return ST_LATER;
        else if (size[i] < 0 || size[i] > x->dim[i])
            return err_set(err, ST_BAD_MODEL, "size %d leaves dimension %d, which is %d long", size[i], i, x->dim[i]);
    return ST_OK;
}

static enum status slice_shape(struct node *n, struct err *err)
{
    int32_t begin[TENSOR_MAX_RANK], size[TENSOR_MAX_RANK];
    enum status st = n->in[1]->is_known ? slice_box(n, begin, size, err) : size_alone(n, size, err);

    return st ? st : shape_set(n, 0, size, n->in[0]->rank, err);
}

static enum status slice_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const struct tensor *y = c->node->out[0];
    int32_t begin[TENSOR_MAX_RANK], size[TENSOR_MAX_RANK];
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    struct move m = {0};
    enum status st = slice_box(c->node, begin, size, err);

    if (st)
        return st;
    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < x->rank; i++) {
        m.src0 += begin[i] * xs[i];
        move_dim(&m, (size_t)size[i], ys[i], xs[i]);
    }
    return move_tensor(c, &m, err);
}

const struct cpu_kernel cpu_slice = {.arity = {3, 3, 1}, .shape = slice_shape, .prepare = move_prepare_strings, .run = slice_run};
