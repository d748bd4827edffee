/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c - tensors made from a few numbers: FILL, RANGE, ONE_HOT, BROADCAST_ARGS. */
#include <math.h>

#include "kernels_cpu/common/move.h"

static enum status need_one(const struct tensor *t, const char *what, struct err *err)
{
    size_t elems = tensor_elems(t);

    return elems == 1 ? ST_OK : err_set(err, ST_BAD_MODEL, "%s has %zu elements, must have one", what, elems);
}

static enum status fill_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK];
    uint32_t rank;
    enum status st;

    if ((st = need_one(n->in[1], "the value", err)) || (st = shape_ints(n->in[0], dim, TENSOR_MAX_RANK, &rank, err)))
        return st;
    return shape_set(n, 0, dim, (int32_t)rank, err);
}

static enum status fill_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *value = c->node->in[1], *y = c->node->out[0];

    if (value->type == TYPE_STRING && y->type == TYPE_STRING)
        return ST_OK;
    return move_same_type(c->node, value, y, err);
}

static enum status fill_copy(struct cpu_call *c, const void *arg, uint32_t bits, void *dst, const void *src, struct err *err)
{
    (void)arg, (void)err;
    move_fill(dst, 0, tensor_elems(c->node->out[0]), bits, src);
    return ST_OK;
}

static enum status fill_run(struct cpu_call *c, struct err *err)
{
    return move_elements(c, 1, fill_copy, NULL, err);
}

static double number(const struct tensor *t)
{
    return t->type == TYPE_FLOAT32 ? (double)*(const float *)t->data : (double)tensor_int(t, 0);
}

/* Count the numbers from start to limit; float arithmetic for floats, exact for integers. */
static enum status range_count(const struct tensor *start, const struct tensor *limit, const struct tensor *delta, double *count,
                               struct err *err)
{
    double from = number(start), to = number(limit), step = number(delta);

    if (step == 0)
        return err_set(err, ST_BAD_MODEL, "the step is 0");
    if (!isfinite(from) || !isfinite(to) || !isfinite(step) || (from > to && step > 0) || (from < to && step < 0))
        return err_set(err, ST_BAD_MODEL, "no steps of %g lead from %g to %g", step, from, to);
    if (start->type == TYPE_FLOAT32) {
        *count = (double)ceilf(fabsf(((float)to - (float)from) / (float)step));
    } else {
        uint64_t a = (uint64_t)tensor_int(start, 0), b = (uint64_t)tensor_int(limit, 0), s = (uint64_t)tensor_int(delta, 0);
        uint64_t distance = from > to ? a - b : b - a, by = step < 0 ? 0 - s : s, steps = distance / by + (distance % by != 0);

        *count = (double)steps;
    }
    return ST_OK;
}

static enum status range_shape(struct node *n, struct err *err)
{
    enum status st = ST_OK;
    double count = 0;

    for (uint32_t i = 0; i < 3 && !st; i++) {
        enum tensor_type type = n->in[i]->type;

        if (type != TYPE_FLOAT32 && type != TYPE_INT32 && type != TYPE_INT64)
            return cpu_bad_type(n, n->in[i], err);
        if (!(st = need_one(n->in[i], "an input", err)))
            st = move_same_type(n, n->in[0], n->in[i], err);
    }
    if (st)
        return st;
    if (!n->in[0]->is_known || !n->in[1]->is_known || !n->in[2]->is_known)
        return ST_LATER;
    if ((st = range_count(n->in[0], n->in[1], n->in[2], &count, err)))
        return st;
    if (!(count <= INT32_MAX))
        return err_set(err, ST_BAD_MODEL, "the range has %g numbers", count);
    return shape_set(n, 0, (int32_t[]){(int32_t)count}, 1, err);
}

static enum status range_prepare(struct cpu_call *c, struct err *err)
{
    return move_same_type(c->node, c->node->in[0], c->node->out[0], err);
}

/* Steps are added up one by one, so that floats round as TFLite's do. */
static void range_run(struct cpu_call *c)
{
    struct tensor *y = c->node->out[0];
    const void *start = c->node->in[0]->data, *delta = c->node->in[2]->data;
    int32_t n = y->dim[0];

    if (y->type == TYPE_FLOAT32) {
        float v = *(const float *)start;

        for (int32_t i = 0; i < n; i++, v += *(const float *)delta)
            ((float *)y->data)[i] = v;
    } else {
        uint64_t v = (uint64_t)tensor_int(c->node->in[0], 0), step = (uint64_t)tensor_int(c->node->in[2], 0);

        for (int32_t i = 0; i < n; i++, v += step)
            if (y->type == TYPE_INT32)
                ((int32_t *)y->data)[i] = (int32_t)v;
            else
                ((int64_t *)y->data)[i] = (int64_t)v;
    }
}

/* The axis counts in the output, which has one dimension more than the indices. */
static enum status one_hot_axis(const struct node *n, int32_t *axis, struct err *err)
{
    const struct opt_one_hot *opt = n->opt;

    return shape_axis(opt->axis, n->in[0]->rank + 1, axis, err);
}

static enum status one_hot_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK + 1], axis, depth;
    const struct tensor *x = n->in[0];
    uint32_t count;
    enum status st;

    if ((st = one_hot_axis(n, &axis, err)) || (st = shape_ints(n->in[1], &depth, 1, &count, err)))
        return st;
    if (count != 1 || depth < 0)
        return err_set(err, ST_BAD_MODEL, "the depth must be one number, 0 or more");
    if (x->rank == TENSOR_MAX_RANK)
        return err_set(err, ST_UNSUPPORTED, "rank %d cannot grow, the most supported is %d", x->rank, TENSOR_MAX_RANK);
    for (int32_t i = 0; i <= x->rank; i++)
        dim[i] = i < axis ? x->dim[i] : i == axis ? depth : x->dim[i - 1];
    return shape_set(n, 0, dim, x->rank + 1, err);
}

static enum status one_hot_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *on = c->node->in[2], *off = c->node->in[3], *y = c->node->out[0];
    enum status st;

    if (type_bits(y->type) < 8)
        return cpu_bad_type(c->node, y, err);
    if ((st = move_same_type(c->node, on, y, err)) || (st = move_same_type(c->node, off, y, err)) ||
        (st = need_one(on, "the value for on", err)))
        return st;
    return need_one(off, "the value for off", err);
}

static enum status one_hot_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *on = c->node->in[2], *off = c->node->in[3];
    struct tensor *y = c->node->out[0];
    uint32_t bits = type_bits(y->type);
    size_t elems = tensor_elems(x), inner, depth;
    int32_t axis;
    enum status st = one_hot_axis(c->node, &axis, err);

    if (st)
        return st;
    depth = (size_t)y->dim[axis];
    inner = shape_count(y->dim, axis + 1, y->rank);
    move_fill(y->data, 0, tensor_elems(y), bits, off->data);
    for (size_t i = 0; i < elems; i++) {
        int32_t hot = (int32_t)tensor_int(x, i); /* TFLite cuts 64 bits to 32, too */
        size_t outer = i / inner, at = i % inner;

        if (hot >= 0 && (size_t)hot < depth)
            move_fill(y->data, (outer * depth + (size_t)hot) * inner + at, 1, bits, on->data);
    }
    return ST_OK;
}

static enum status broadcast_args_shape(struct node *n, struct err *err)
{
    const struct tensor *a = n->in[0], *b = n->in[1];

    if (a->rank != 1 || b->rank != 1)
        return err_set(err, ST_BAD_MODEL, "shapes of rank %d and %d, both must be vectors", a->rank, b->rank);
    return shape_set(n, 0, (int32_t[]){a->dim[0] > b->dim[0] ? a->dim[0] : b->dim[0]}, 1, err);
}

static enum status broadcast_args_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *a = c->node->in[0];
    const enum status st = move_same_type(c->node, a, c->node->in[1], err);

    return st ? st : move_same_type(c->node, a, c->node->out[0], err);
}

static enum status broadcast_args_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *a = c->node->in[0], *b = c->node->in[1];
    struct tensor *y = c->node->out[0];

    for (int32_t i = 0; i < y->dim[0]; i++) {
        int32_t ai = i - (y->dim[0] - a->dim[0]), bi = i - (y->dim[0] - b->dim[0]);
        int64_t p = ai < 0 ? 1 : tensor_int(a, (size_t)ai), q = bi < 0 ? 1 : tensor_int(b, (size_t)bi);

        if (p != q && p != 1 && q != 1)
            return err_set(err, ST_BAD_MODEL, "%lld and %lld in dimension %d do not broadcast", (long long)p, (long long)q, i);
        if (y->type == TYPE_INT32)
            ((int32_t *)y->data)[i] = (int32_t)(p == 1 ? q : p);
        else
            ((int64_t *)y->data)[i] = p == 1 ? q : p;
    }
    return ST_OK;
}

const struct cpu_kernel cpu_fill = {.arity = {2, 2, 1}, .shape = fill_shape, .prepare = fill_prepare, .run = fill_run};
const struct cpu_kernel cpu_range = {.arity = {3, 3, 1}, .shape = range_shape, .prepare = range_prepare, .compute = range_run};
const struct cpu_kernel cpu_one_hot = {
    .arity = {4, 4, 1}, .shape = one_hot_shape, .in = {CPU_INDEX}, .prepare = one_hot_prepare, .run = one_hot_run};
const struct cpu_kernel cpu_broadcast_args = {.arity = {2, 2, 1},
                                              .shape = broadcast_args_shape,
                                              .in = {CPU_INDEX},
                                              .prepare = broadcast_args_prepare,
                                              .run = broadcast_args_run};
