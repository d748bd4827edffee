/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - SHAPE and RANK: a tensor's form as data.
 *
 * The answer depends on the input's shape alone, so an input that is not constant does not matter. */
#include "kernels_cpu/common/move.h"

static enum status shape_shape(struct node *n, struct err *err)
{
    return shape_set(n, 0, &n->in[0]->rank, 1, err);
}

static void shape_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0];

    for (int32_t i = 0; i < x->rank; i++)
        if (y->type == TYPE_INT64)
            ((int64_t *)y->data)[i] = x->dim[i];
        else
            ((int32_t *)y->data)[i] = x->dim[i];
}

static enum status rank_shape(struct node *n, struct err *err)
{
    return shape_set(n, 0, n->in[0]->dim, 0, err);
}

static void rank_run(struct cpu_call *c)
{
    *(int32_t *)c->node->out[0]->data = c->node->in[0]->rank;
}

const struct cpu_kernel cpu_shape = {
    .arity = {1, 1, 1}, .shape = shape_shape, .out = {CPU_INDEX}, .compute = shape_run, .reads_shape_only = true};
const struct cpu_kernel cpu_rank = {
    .arity = {1, 1, 1}, .shape = rank_shape, .out = {CPU_I32}, .compute = rank_run, .reads_shape_only = true};
