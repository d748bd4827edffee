/* SPDX-License-Identifier: Apache-2.0 */
/* unique.c - UNIQUE: the distinct elements of a vector, in the order in which they first appear, and each one's number. */
#include <string.h>

#include "kernels_cpu/common/elem_order.h"
#include "kernels_cpu/common/move.h"

static enum status unique_shape(struct node *n, struct err *err)
{
    enum status st;

    if (n->in[0]->rank != 1)
        return err_set(err, ST_BAD_MODEL, "rank %d, must be 1", n->in[0]->rank);
    if ((st = shape_like(n, 1, n->in[0], err)))
        return st;
    return ST_LATER;
}

static enum status unique_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];

    if (!elem_order_of(x->type))
        return cpu_bad_type(c->node, x, err);
    c->scratch_bytes = 3 * sizeof(int32_t) * (size_t)x->dim[0];
    return move_same_type(c->node, x, c->node->out[0], err);
}

static void put_number(struct tensor *t, size_t i, int32_t v)
{
    if (t->type == TYPE_INT64)
        ((int64_t *)t->data)[i] = v;
    else
        ((int32_t *)t->data)[i] = v;
}

static enum status unique_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0], *numbers = c->node->out[1];
    size_t n = (size_t)x->dim[0], bytes = type_bits(x->type) / 8;
    int32_t *sorted = c->scratch, *first = sorted + n, *number = first + n, count = 0;
    elem_order order = elem_order_of(x->type);
    enum status st = cpu_resize_output(c, 1, x->dim, 1, 0, err);

    if (st)
        return st;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (int32_t)i;
    elem_order_sort(x->data, order, sorted, first, n);
    for (size_t i = 0; i < n; i++) { /* the sort is stable: a run of equals begins with the first of them */
        bool same = i && !order(x->data, (size_t)sorted[i - 1], (size_t)sorted[i]);

        first[sorted[i]] = same ? first[sorted[i - 1]] : sorted[i];
    }
    for (size_t i = 0; i < n; i++)
        count += (size_t)first[i] == i;
    if ((st = cpu_resize_output(c, 0, &count, 1, 0, err)))
        return st;
    count = 0;
    for (size_t i = 0; i < n; i++) {
        if ((size_t)first[i] == i) {
            memcpy((uint8_t *)y->data + (size_t)count * bytes, (const uint8_t *)x->data + i * bytes, bytes);
            number[i] = count++;
        }
        put_number(numbers, i, number[first[i]]);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_unique = {
    .arity = {1, 1, 2}, .shape = unique_shape, .out = {0, CPU_INDEX}, .prepare = unique_prepare, .run = unique_run};
