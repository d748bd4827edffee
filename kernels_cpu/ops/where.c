/* SPDX-License-Identifier: Apache-2.0 */
/* where.c - WHERE: the coordinates of all elements that are not 0, in order. */
#include "lib/graph/kernel.h"

static enum status where_shape(struct node *n, struct err *err)
{
    if (n->in[0]->rank == 0)
        return err_set(err, ST_BAD_MODEL, "the condition %s has no dimension", TENSOR_TEXT(n->in[0]));
    n->out[0]->type = TYPE_INT64;
    return ST_LATER;
}

/* NaN counts, -0 does not. */
static bool is_set(const struct tensor *x, size_t i)
{
    switch (type_bits(x->type)) {
    case 8: return ((const uint8_t *)x->data)[i] != 0;
    case 32: return x->type == TYPE_FLOAT32 ? ((const float *)x->data)[i] != 0 : ((const uint32_t *)x->data)[i] != 0;
    default: return ((const uint64_t *)x->data)[i] != 0;
    }
}

static void coordinates(const struct tensor *x, size_t i, int64_t *out)
{
    for (int32_t d = x->rank - 1; d >= 0; d--) {
        out[d] = (int64_t)(i % (size_t)x->dim[d]);
        i /= (size_t)x->dim[d];
    }
}

static enum status where_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const size_t elems = tensor_elems(x);
    size_t count = 0;
    int64_t *y;
    enum status st;

    for (size_t i = 0; i < elems; i++)
        count += is_set(x, i);
    if (count > INT32_MAX)
        return err_set(err, ST_NOMEM, "%zu coordinates are too many", count);
    if ((st = cpu_resize_output(c, 0, (int32_t[]){(int32_t)count, x->rank}, 2, 0, err)))
        return st;
    y = c->node->out[0]->data;
    for (size_t i = 0; i < elems; i++)
        if (is_set(x, i)) {
            coordinates(x, i, y);
            y += x->rank;
        }
    return ST_OK;
}

const struct cpu_kernel cpu_where = {
    .arity = {1, 1, 1},
    .shape = where_shape,
    .in = {CPU_F32 | CPU_INDEX | 1u << TYPE_BOOL | 1u << TYPE_INT8 | 1u << TYPE_UINT8 | 1u << TYPE_UINT32},
    .run = where_run};
