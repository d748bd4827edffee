/* SPDX-License-Identifier: Apache-2.0 */
/* arg_minmax.c - ARG_MAX and ARG_MIN: the index along an axis of the largest or smallest element, the first of equals. */
#include "kernels_cpu/common/axis.h"
#include "kernels_cpu/common/move.h"

static enum status arg_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], rank = 0, axis;
    const struct tensor *x = n->in[0];
    enum status st;

    if ((st = axis_read(n->in[1], n->in[0]->rank, &axis, err)))
        return st;
    if (x->dim[axis] == 0)
        return err_set(err, ST_BAD_MODEL, "dimension %d, the axis, is empty", axis);
    for (int32_t i = 0; i < x->rank; i++)
        if (i != axis)
            dim[rank++] = x->dim[i];
    return shape_set(n, 0, dim, rank, err);
}

struct line {
    size_t length, inner; /* elements, and their distance */
};

/* The index of the first element that none beats. NaN beats nothing and every number beats NaN. */
#define FINDER(T)                                                                                                                  \
    static size_t find_##T(const void *data, size_t at, struct line l, bool max)                                                   \
    {                                                                                                                              \
        const T *x = (const T *)data + at;                                                                                         \
        T best = x[0];                                                                                                             \
        size_t found = 0;                                                                                                          \
                                                                                                                                   \
        for (size_t i = 1; i < l.length; i++) {                                                                                    \
            T v = x[i * l.inner];                                                                                                  \
                                                                                                                                   \
            if ((max ? v > best : v < best) || (best != best && v == v)) {                                                         \
                best = v;                                                                                                          \
                found = i;                                                                                                         \
            }                                                                                                                      \
        }                                                                                                                          \
        return found;                                                                                                              \
    }

FINDER(float)
FINDER(int32_t)
FINDER(int8_t)
FINDER(uint8_t)

static size_t (*finder(enum tensor_type type))(const void *, size_t, struct line, bool)
{
    switch (type) {
    case TYPE_FLOAT32: return find_float;
    case TYPE_INT32: return find_int32_t;
    case TYPE_INT8: return find_int8_t;
    case TYPE_UINT8:
    case TYPE_BOOL: return find_uint8_t;
    default: return NULL;
    }
}

static enum status arg_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];

    return finder(x->type) ? ST_OK : cpu_bad_type(c->node, x, err);
}

struct arg_job {
    size_t (*find)(const void *, size_t, struct line, bool);
    const void *x;
    struct tensor *y;
    struct line line;
    bool max;
};

static void arg_piece(void *arg, size_t begin, size_t end)
{
    const struct arg_job *j = arg;
    const size_t inner = j->line.inner;

    for (size_t i = begin; i < end; i++) {
        const size_t found = j->find(j->x, i / inner * j->line.length * inner + i % inner, j->line, j->max);

        if (j->y->type == TYPE_INT64)
            ((int64_t *)j->y->data)[i] = (int64_t)found;
        else
            ((int32_t *)j->y->data)[i] = (int32_t)found;
    }
}

static enum status arg_run(struct cpu_call *c, bool max, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    struct arg_job j = {.find = finder(x->type), .x = x->data, .y = c->node->out[0], .max = max};
    int32_t axis;
    enum status st = axis_read(c->node->in[1], c->node->in[0]->rank, &axis, err);

    if (st)
        return st;
    j.line = (struct line){(size_t)x->dim[axis], shape_count(x->dim, axis + 1, x->rank)};
    threads_for(c->threads, tensor_elems(j.y), 16384 / j.line.length + 1, arg_piece, &j);
    return ST_OK;
}

static enum status arg_max_run(struct cpu_call *c, struct err *err)
{
    return arg_run(c, true, err);
}

static enum status arg_min_run(struct cpu_call *c, struct err *err)
{
    return arg_run(c, false, err);
}

const struct cpu_kernel cpu_arg_max = {
    .arity = {2, 2, 1}, .shape = arg_shape, .out = {CPU_INDEX}, .prepare = arg_prepare, .run = arg_max_run};
const struct cpu_kernel cpu_arg_min = {
    .arity = {2, 2, 1}, .shape = arg_shape, .out = {CPU_INDEX}, .prepare = arg_prepare, .run = arg_min_run};
