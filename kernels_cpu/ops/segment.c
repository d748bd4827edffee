/* SPDX-License-Identifier: Apache-2.0 */
/* segment.c - SEGMENT_SUM and UNSORTED_SEGMENT_{SUM,PROD,MAX,MIN}: rows of one segment become one row. */
#include <float.h>

#include "kernels_cpu/common/move.h"

/* Folds n elements of x into y. */
#define FOLD(op, T, expr)                                                                                                          \
    static void op##_##T(void *dst, const void *src, size_t n)                                                                     \
    {                                                                                                                              \
        T *y = dst;                                                                                                                \
        const T *x = src;                                                                                                          \
                                                                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                                                           \
            T a = y[i], v = x[i];                                                                                                  \
                                                                                                                                   \
            y[i] = expr;                                                                                                           \
        }                                                                                                                          \
    }

FOLD(sum, float, a + v)
FOLD(prod, float, a *v)
FOLD(max, float, a < v ? v : a)
FOLD(min, float, v < a ? v : a)
FOLD(sum, int32_t, (int32_t)((uint32_t)a + (uint32_t)v))
FOLD(prod, int32_t, (int32_t)((uint32_t)a *(uint32_t)v))
FOLD(max, int32_t, a < v ? v : a)
FOLD(min, int32_t, v < a ? v : a)

struct segment_op {
    void (*fold_float)(void *, const void *, size_t), (*fold_int)(void *, const void *, size_t);
    float init_float;
    int32_t init_int;
};

static const struct segment_op op_sum = {sum_float, sum_int32_t, 0, 0}, op_prod = {prod_float, prod_int32_t, 1, 1},
                               op_max = {max_float, max_int32_t, -FLT_MAX, INT32_MIN},
                               op_min = {min_float, min_int32_t, FLT_MAX, INT32_MAX};

/* Set the output's shape: `segments`, then the data's dimensions behind those of the ids. */
static enum status rows_shape(struct node *n, int32_t segments, struct err *err)
{
    const struct tensor *x = n->in[0], *ids = n->in[1];
    int32_t dim[TENSOR_MAX_RANK], rank = 0;

    dim[rank++] = segments;
    for (int32_t i = ids->rank; i < x->rank; i++)
        dim[rank++] = x->dim[i];
    return shape_set(n, 0, dim, rank, err);
}

static enum status check_ids(const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0], *ids = n->in[1];

    if (ids->type != TYPE_INT32)
        return cpu_bad_type(n, ids, err);
    if (ids->rank < 1 || ids->rank > x->rank)
        return err_set(err, ST_BAD_MODEL, "ids of rank %d for data of rank %d", ids->rank, x->rank);
    for (int32_t i = 0; i < ids->rank; i++)
        if (ids->dim[i] != x->dim[i])
            return err_set(err, ST_BAD_MODEL, "dimension %d is %d long in the data, %d in the ids", i, x->dim[i], ids->dim[i]);
    return ST_OK;
}

/* Sorted ids begin with 0 and grow by at most 1, so that no segment is empty. */
static enum status segment_sum_shape(struct node *n, struct err *err)
{
    const struct tensor *ids;
    int64_t last = -1;
    enum status st;

    if ((st = shape_arity(n, 2, 2, 1, err)) || (st = check_ids(n, err)))
        return st;
    ids = n->in[1];
    if (ids->rank != 1)
        return err_set(err, ST_BAD_MODEL, "ids of rank %d, must be a vector", ids->rank);
    if (!ids->is_known)
        return ST_LATER;
    for (int32_t i = 0; i < ids->dim[0]; i++) {
        int64_t id = tensor_int(ids, (size_t)i);

        if (id < (last < 0 ? 0 : last) || id > last + 1)
            return err_set(err, ST_BAD_MODEL, "id %d is %lld after %lld", i, (long long)id, (long long)last);
        last = id;
    }
    return rows_shape(n, (int32_t)last + 1, err);
}

static enum status unsorted_shape(struct node *n, struct err *err)
{
    int32_t segments;
    uint32_t count;
    enum status st;

    if ((st = shape_arity(n, 3, 3, 1, err)) || (st = check_ids(n, err)) || (st = shape_ints(n->in[2], &segments, 1, &count, err)))
        return st;
    if (count != 1 || segments < 0)
        return err_set(err, ST_BAD_MODEL, "the number of segments must be one number, 0 or more");
    return rows_shape(n, segments, err);
}

/* Negative ids are passed over. */
static enum status segment_run(struct cpu_call *c, const struct segment_op *op, struct err *err)
{
    const struct tensor *x = c->node->in[0], *ids = c->node->in[1];
    struct tensor *y = c->node->out[0];
    bool is_float = x->type == TYPE_FLOAT32;
    size_t rows = tensor_elems(ids), inner = shape_count(x->dim, ids->rank, x->rank);

    move_fill(y->data, 0, tensor_elems(y), 32, is_float ? (const void *)&op->init_float : &op->init_int);
    for (size_t i = 0; i < rows; i++) {
        int64_t id = tensor_int(ids, i);

        if (id >= y->dim[0])
            return err_set(err, ST_FAILED, "id %zu is %lld, there are %d segments", i, (long long)id, y->dim[0]);
        if (id >= 0)
            (is_float ? op->fold_float : op->fold_int)((int32_t *)y->data + (size_t)id * inner,
                                                       (const int32_t *)x->data + i * inner, inner);
    }
    return ST_OK;
}

#define SEGMENT(name, shape_fn, op)                                                                                                \
    static enum status name##_run(struct cpu_call *c, struct err *err)                                                             \
    {                                                                                                                              \
        return segment_run(c, &op, err);                                                                                           \
    }                                                                                                                              \
    const struct cpu_kernel cpu_##name = {.shape = shape_fn, .in = {CPU_F32 | CPU_I32}, .prepare = move_prepare, .run = name##_run};

SEGMENT(segment_sum, segment_sum_shape, op_sum)
SEGMENT(unsorted_segment_sum, unsorted_shape, op_sum)
SEGMENT(unsorted_segment_prod, unsorted_shape, op_prod)
SEGMENT(unsorted_segment_max, unsorted_shape, op_max)
SEGMENT(unsorted_segment_min, unsorted_shape, op_min)
