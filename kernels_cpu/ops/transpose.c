/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - TRANSPOSE: dimensions in another order. */
#include "kernels_cpu/common/move.h"

static enum status read_perm(const struct node *n, int32_t *perm, struct err *err)
{
    int32_t rank = n->in[0]->rank;
    uint32_t count, seen = 0;
    enum status st = shape_ints(n->in[1], perm, TENSOR_MAX_RANK, &count, err);

    if (st)
        return st;
    if (count != (uint32_t)rank)
        return err_set(err, ST_BAD_MODEL, "a permutation of %u for rank %d", count, rank);
    for (int32_t i = 0; i < rank; i++) {
        if ((st = shape_axis(perm[i], rank, &perm[i], err)))
            return st;
        if (seen >> perm[i] & 1)
            return err_set(err, ST_BAD_MODEL, "the permutation has %d twice", perm[i]);
        seen |= 1u << perm[i];
    }
    return ST_OK;
}

static enum status transpose_shape(struct node *n, struct err *err)
{
    int32_t perm[TENSOR_MAX_RANK], dim[TENSOR_MAX_RANK];
    enum status st;

    if ((st = read_perm(n, perm, err)))
        return st;
    for (int32_t i = 0; i < n->in[0]->rank; i++)
        dim[i] = n->in[0]->dim[perm[i]];
    return shape_set(n, 0, dim, n->in[0]->rank, err);
}

static enum status transpose_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const struct tensor *y = c->node->out[0];
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    int32_t perm[TENSOR_MAX_RANK];
    struct move m = {0};
    enum status st = read_perm(c->node, perm, err);

    if (st)
        return st;
    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < y->rank; i++)
        move_dim(&m, (size_t)y->dim[i], ys[i], xs[perm[i]]);
    return move_tensor(c, &m, err);
}

const struct cpu_kernel cpu_transpose = {
    .arity = {2, 2, 1}, .shape = transpose_shape, .prepare = move_prepare_strings, .run = transpose_run};
