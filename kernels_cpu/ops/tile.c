/* SPDX-License-Identifier: Apache-2.0 */
/* tile.c - TILE and BROADCAST_TO: a tensor repeated along its dimensions. */
#include "kernels_cpu/common/move.h"

static enum status read_multiples(const struct node *n, int32_t *times, struct err *err)
{
    uint32_t count;
    enum status st = shape_ints(n->in[1], times, TENSOR_MAX_RANK, &count, err);

    if (st)
        return st;
    if (count != (uint32_t)n->in[0]->rank)
        return err_set(err, ST_BAD_MODEL, "%u multiples for rank %d", count, n->in[0]->rank);
    for (uint32_t i = 0; i < count; i++)
        if (times[i] < 0)
            return err_set(err, ST_BAD_MODEL, "multiple %u is %d", i, times[i]);
    return ST_OK;
}

static enum status tile_shape(struct node *n, struct err *err)
{
    int32_t times[TENSOR_MAX_RANK], dim[TENSOR_MAX_RANK];
    const struct tensor *x = n->in[0];
    enum status st;

    if ((st = read_multiples(n, times, err)))
        return st;
    for (int32_t i = 0; i < x->rank; i++)
        if (__builtin_mul_overflow(x->dim[i], times[i], &dim[i]))
            return err_set(err, ST_BAD_MODEL, "dimension %d, %d long, repeated %d times is too long", i, x->dim[i], times[i]);
    return shape_set(n, 0, dim, x->rank, err);
}

static enum status tile_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const struct tensor *y = c->node->out[0];
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    int32_t times[TENSOR_MAX_RANK];
    struct move m = {0};
    enum status st = read_multiples(c->node, times, err);

    if (st)
        return st;
    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < x->rank; i++) {
        move_dim(&m, (size_t)times[i], x->dim[i] * ys[i], 0);
        move_dim(&m, (size_t)x->dim[i], ys[i], xs[i]);
    }
    return move_tensor(c, &m, err);
}

static enum status broadcast_to_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], lead;
    const struct tensor *x = n->in[0];
    uint32_t rank;
    enum status st;

    if ((st = shape_ints(n->in[1], dim, TENSOR_MAX_RANK, &rank, err)))
        return st;
    lead = (int32_t)rank - x->rank;
    if (lead < 0)
        return err_set(err, ST_BAD_MODEL, "rank %d does not broadcast to rank %u", x->rank, rank);
    for (int32_t i = 0; i < x->rank; i++)
        if (x->dim[i] != 1 && x->dim[i] != dim[lead + i])
            return err_set(err, ST_BAD_MODEL, "dimension %d, %d long, does not broadcast to %d", i, x->dim[i], dim[lead + i]);
    return shape_set(n, 0, dim, (int32_t)rank, err);
}

static enum status broadcast_to_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const struct tensor *y = c->node->out[0];
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    int32_t lead = y->rank - x->rank;
    struct move m = {0};

    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < y->rank; i++)
        move_dim(&m, (size_t)y->dim[i], ys[i], i < lead || x->dim[i - lead] == 1 ? 0 : xs[i - lead]);
    return move_tensor(c, &m, err);
}

const struct cpu_kernel cpu_tile = {.arity = {2, 2, 1}, .shape = tile_shape, .prepare = move_prepare_strings, .run = tile_run};
const struct cpu_kernel cpu_broadcast_to = {
    .arity = {2, 2, 1}, .shape = broadcast_to_shape, .prepare = move_prepare_strings, .run = broadcast_to_run};
