/* SPDX-License-Identifier: Apache-2.0 */
/* split.c - SPLIT, SPLIT_V, UNPACK: one tensor cut along an axis into several. */
#include <string.h>

#include "kernels_cpu/common/axis.h"
#include "kernels_cpu/common/move.h"

static enum status check_count(const struct node *n, uint32_t n_in, int option, struct err *err)
{
    if (option < 1 || (uint32_t)option != n->n_out)
        return err_set(err, ST_BAD_MODEL, "the option says %d outputs, the node has %u", option, n->n_out);
    return shape_arity(n, n_in, n_in, n->n_out, err);
}

/* Gives output i, `length` long along the axis, its shape. */
static enum status part_shape(struct node *n, uint32_t i, const struct tensor *x, int32_t axis, int32_t length, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK];

    memcpy(dim, x->dim, sizeof dim);
    dim[axis] = length;
    return shape_set(n, i, dim, x->rank, err);
}

/* Cuts x along the axis; every output takes as much of it as its own element count says. */
static void cut(struct cpu_call *c, const struct tensor *x, int32_t axis)
{
    size_t outer = shape_count(x->dim, 0, axis), row = shape_count(x->dim, axis, x->rank), at = 0;

    for (uint32_t i = 0; i < c->node->n_out; i++) {
        struct tensor *y = c->node->out[i];
        size_t part = outer ? tensor_elems(y) / outer : 0;
        struct move m = {.src0 = (ptrdiff_t)at};

        move_dim(&m, outer, (ptrdiff_t)part, (ptrdiff_t)row);
        move_dim(&m, part, 1, 1);
        move_run(&m, type_bits(x->type), y->data, x->data, c->threads);
        at += part;
    }
}

static enum status split_shape(struct node *n, struct err *err)
{
    const struct opt_split *opt = n->opt;
    const struct tensor *x;
    int32_t axis;
    enum status st;

    if ((st = check_count(n, 2, opt->num_splits, err)))
        return st;
    x = n->in[1];
    if ((st = axis_read(n->in[0], x->rank, &axis, err)))
        return st;
    if (x->dim[axis] % opt->num_splits)
        return err_set(err, ST_BAD_MODEL, "dimension %d, %d long, does not split into %d equal parts", axis, x->dim[axis],
                       opt->num_splits);
    for (uint32_t i = 0; i < n->n_out; i++)
        if ((st = part_shape(n, i, x, axis, x->dim[axis] / opt->num_splits, err)))
            return st;
    return ST_OK;
}

static enum status split_prepare(struct cpu_call *c, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->node->n_out && !st; i++)
        st = move_same_type(c->node, c->node->in[1], c->node->out[i], err);
    return st;
}

static enum status split_run(struct cpu_call *c, struct err *err)
{
    int32_t axis;
    enum status st = axis_read(c->node->in[0], c->node->in[1]->rank, &axis, err);

    if (!st)
        cut(c, c->node->in[1], axis);
    return st;
}

/* Gives each output its length; one of them may be -1, which takes the rest. */
static enum status split_v_lengths(struct node *n, int32_t axis, struct err *err)
{
    const struct tensor *x = n->in[0], *sizes = n->in[1];
    int64_t sum = 0, rest = -1, length = x->dim[axis];
    enum status st;

    for (uint32_t i = 0; i < n->n_out; i++) {
        int64_t v = tensor_int(sizes, i);

        if (v < -1 || v > length || (v == -1 && rest >= 0))
            return err_set(err, ST_BAD_MODEL, "size %u is %lld for a dimension %lld long", i, (long long)v, (long long)length);
        if (v == -1)
            rest = i;
        else
            sum += v;
    }
    if (sum > length || (rest < 0 && sum != length))
        return err_set(err, ST_BAD_MODEL, "sizes add up to %lld, dimension %d is %lld long", (long long)sum, axis,
                       (long long)length);
    for (uint32_t i = 0; i < n->n_out; i++)
        if ((st = part_shape(n, i, x, axis, (int32_t)(i == rest ? length - sum : tensor_int(sizes, i)), err)))
            return st;
    return ST_OK;
}

static enum status split_v_shape(struct node *n, struct err *err)
{
    const struct opt_split_v *opt = n->opt;
    const struct tensor *sizes;
    int32_t axis;
    enum status st;

    if ((st = check_count(n, 3, opt->num_splits, err)) || (st = axis_read(n->in[2], n->in[0]->rank, &axis, err)))
        return st;
    sizes = n->in[1];
    if (sizes->type != TYPE_INT32 && sizes->type != TYPE_INT64)
        return cpu_bad_type(n, sizes, err);
    if (sizes->rank != 1 || (uint32_t)sizes->dim[0] != n->n_out)
        return err_set(err, ST_BAD_MODEL, "the sizes must be a vector of %u", n->n_out);
    return sizes->is_known ? split_v_lengths(n, axis, err) : ST_LATER;
}

static enum status split_v_run(struct cpu_call *c, struct err *err)
{
    int32_t axis;
    enum status st = axis_read(c->node->in[2], c->node->in[0]->rank, &axis, err);

    if (!st)
        cut(c, c->node->in[0], axis);
    return st;
}

static enum status unstack_shape(struct node *n, struct err *err)
{
    const struct opt_unpack *opt = n->opt;
    int32_t dim[TENSOR_MAX_RANK], axis, rank = 0;
    const struct tensor *x;
    enum status st;

    if ((st = check_count(n, 1, opt->num, err)) || (st = shape_axis(opt->axis, n->in[0]->rank, &axis, err)))
        return st;
    x = n->in[0];
    if (x->dim[axis] != opt->num)
        return err_set(err, ST_BAD_MODEL, "dimension %d is %d long, but there are %d outputs", axis, x->dim[axis], opt->num);
    for (int32_t i = 0; i < x->rank; i++)
        if (i != axis)
            dim[rank++] = x->dim[i];
    for (uint32_t i = 0; i < n->n_out; i++)
        if ((st = shape_set(n, i, dim, rank, err)))
            return st;
    return ST_OK;
}

static enum status unstack_run(struct cpu_call *c, struct err *err)
{
    const struct opt_unpack *opt = c->node->opt;
    int32_t axis;
    enum status st = shape_axis(opt->axis, c->node->in[0]->rank, &axis, err);

    if (!st)
        cut(c, c->node->in[0], axis);
    return st;
}

const struct cpu_kernel cpu_split = {.shape = split_shape, .prepare = split_prepare, .run = split_run};
const struct cpu_kernel cpu_split_v = {.shape = split_v_shape, .prepare = move_prepare, .run = split_v_run};
const struct cpu_kernel cpu_unstack = {.shape = unstack_shape, .prepare = move_prepare, .run = unstack_run};
