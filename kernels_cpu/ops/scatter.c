/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.c - SCATTER_ND and SPARSE_TO_DENSE: elements put where indices say. */
#include <string.h>

#include "kernels_cpu/common/move.h"

static enum status scatter_nd_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], depth, outer;
    const struct tensor *at = n->in[0], *updates = n->in[1];
    uint32_t rank;
    enum status st;

    if ((st = shape_ints(n->in[2], dim, TENSOR_MAX_RANK, &rank, err)))
        return st;
    outer = at->rank - 1;
    depth = at->rank ? at->dim[outer] : 0;
    if (at->rank < 1 || depth > (int32_t)rank || updates->rank != outer + (int32_t)rank - depth)
        return err_set(err, ST_BAD_MODEL, "indices of %d numbers and updates of rank %d for an output of rank %u", depth,
                       updates->rank, rank);
    for (int32_t i = 0; i < updates->rank; i++)
        if (updates->dim[i] != (i < outer ? at->dim[i] : dim[i - outer + depth]))
            return err_set(err, ST_BAD_MODEL, "dimension %d of the updates is %d, expected %d", i, updates->dim[i],
                           i < outer ? at->dim[i] : dim[i - outer + depth]);
    return shape_set(n, 0, dim, (int32_t)rank, err);
}

/* Adds n elements of x to y; integers wrap. */
#define ADD(T, U)                                                                                                                  \
    static void add_##T(void *dst, const void *src, size_t n)                                                                      \
    {                                                                                                                              \
        T *y = dst;                                                                                                                \
        const T *x = src;                                                                                                          \
                                                                                                                                   \
        for (size_t i = 0; i < n; i++)                                                                                             \
            y[i] = (T)((U)y[i] + (U)x[i]);                                                                                         \
    }

ADD(float, float)
ADD(int32_t, uint32_t)
ADD(int64_t, uint64_t)
ADD(int8_t, uint32_t)
ADD(uint8_t, uint32_t)

static void add_bool(void *dst, const void *src, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)dst)[i] |= ((const uint8_t *)src)[i] != 0;
}

static void (*adder(enum tensor_type type))(void *, const void *, size_t)
{
    switch (type) {
    case TYPE_FLOAT32: return add_float;
    case TYPE_INT32: return add_int32_t;
    case TYPE_INT64: return add_int64_t;
    case TYPE_INT8: return add_int8_t;
    case TYPE_UINT8: return add_uint8_t;
    case TYPE_BOOL: return add_bool;
    default: return NULL;
    }
}

static enum status scatter_nd_prepare(struct cpu_call *c, struct err *err)
{
    if (!adder(c->node->in[1]->type))
        return cpu_bad_type(c->node, c->node->in[1], err);
    return move_same_type(c->node, c->node->in[1], c->node->out[0], err);
}

/* Return the element that index vector i, `depth` numbers long, selects in a tensor of dimensions `dim`. */
static enum status locate(const struct tensor *at, size_t i, int32_t depth, const int32_t *dim, size_t *element, struct err *err)
{
    *element = 0;
    for (int32_t d = 0; d < depth; d++) {
        int64_t v = tensor_int(at, i * (size_t)depth + (size_t)d);

        if (v < 0 || v >= dim[d])
            return err_set(err, ST_FAILED, "index %zu is %lld in dimension %d, which is %d long", i, (long long)v, d, dim[d]);
        *element = *element * (size_t)dim[d] + (size_t)v;
    }
    return ST_OK;
}

static enum status scatter_nd_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *at = c->node->in[0], *updates = c->node->in[1];
    struct tensor *y = c->node->out[0];
    int32_t depth = at->dim[at->rank - 1];
    size_t count = shape_count(at->dim, 0, at->rank - 1), inner = shape_count(y->dim, depth, y->rank), to;
    size_t bytes = type_bits(y->type) / 8;
    enum status st;

    if (y->bytes)
        memset(y->data, 0, y->bytes);
    for (size_t i = 0; i < count; i++) {
        if ((st = locate(at, i, depth, y->dim, &to, err)))
            return st;
        adder(y->type)((uint8_t *)y->data + to * inner * bytes, (const uint8_t *)updates->data + i * inner * bytes, inner);
    }
    return ST_OK;
}

/* Indices are a scalar (of one number), a vector (of one-number indices) or a matrix (a row each). */
static enum status sparse_to_dense_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], depth;
    const struct tensor *at = n->in[0], *values = n->in[2];
    uint32_t rank;
    size_t count;
    enum status st;

    if ((st = shape_ints(n->in[1], dim, TENSOR_MAX_RANK, &rank, err)))
        return st;
    if (at->rank > 2 || values->rank > 1 || tensor_elems(n->in[3]) != 1)
        return err_set(err, ST_BAD_MODEL, "indices of rank %d, values of rank %d, %zu defaults; expected at most 2, 1, 1", at->rank,
                       values->rank, tensor_elems(n->in[3]));
    depth = at->rank == 2 ? at->dim[1] : 1;
    count = at->rank ? (size_t)at->dim[0] : 1;
    if (depth != (int32_t)rank)
        return err_set(err, ST_BAD_MODEL, "indices of %d numbers for an output of rank %u", depth, rank);
    if (values->rank == 1 && (size_t)values->dim[0] != count)
        return err_set(err, ST_BAD_MODEL, "%d values for %zu indices", values->dim[0], count);
    return shape_set(n, 0, dim, (int32_t)rank, err);
}

static enum status sparse_to_dense_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    enum status st;

    if (type_bits(y->type) < 8)
        return cpu_bad_type(c->node, y, err);
    if ((st = move_same_type(c->node, c->node->in[2], y, err)))
        return st;
    return move_same_type(c->node, c->node->in[3], y, err);
}

static enum status sparse_to_dense_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *at = c->node->in[0], *values = c->node->in[2];
    struct tensor *y = c->node->out[0];
    size_t count = at->rank ? (size_t)at->dim[0] : 1, bytes = type_bits(y->type) / 8, to;
    enum status st;

    move_fill(y->data, 0, tensor_elems(y), type_bits(y->type), c->node->in[3]->data);
    for (size_t i = 0; i < count; i++) {
        if ((st = locate(at, i, y->rank, y->dim, &to, err)))
            return st;
        memcpy((uint8_t *)y->data + to * bytes, (const uint8_t *)values->data + (values->rank ? i : 0) * bytes, bytes);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_scatter_nd = {
    .arity = {3, 3, 1}, .shape = scatter_nd_shape, .in = {CPU_INDEX}, .prepare = scatter_nd_prepare, .run = scatter_nd_run};
const struct cpu_kernel cpu_sparse_to_dense = {.arity = {4, 4, 1},
                                               .shape = sparse_to_dense_shape,
                                               .in = {CPU_INDEX},
                                               .prepare = sparse_to_dense_prepare,
                                               .run = sparse_to_dense_run};
