/* SPDX-License-Identifier: Apache-2.0 */
/* reduction.c - the axes of a reduction, and the iteration over its input. */
#include "kernels_cpu/ops/reduction.h"

/* One bit per dimension to reduce. Of a scalar nothing is reduced, whatever the axes say. */
static enum status read_axes(const struct node *n, uint32_t *mask, struct err *err)
{
    const struct tensor *x = n->in[0], *axes = n->in[1];
    size_t count;
    int32_t axis;
    enum status st;

    *mask = 0;
    if (axes->type != TYPE_INT32)
        return cpu_bad_type(n, axes, err);
    if (!axes->is_known)
        return ST_LATER;
    count = tensor_elems(axes);
    for (size_t i = 0; i < count && x->rank; i++) {
        if ((st = shape_axis((int32_t)tensor_int(axes, i), x->rank, &axis, err)))
            return st;
        *mask |= 1u << axis;
    }
    return ST_OK;
}

enum status reduction_shape(struct node *n, struct err *err)
{
    const struct opt_reducer *opt = n->opt;
    int32_t dim[TENSOR_MAX_RANK], rank = 0;
    const struct tensor *x;
    uint32_t mask;
    enum status st;

    if ((st = shape_arity(n, 2, 2, 1, err)) || (st = read_axes(n, &mask, err)))
        return st;
    x = n->in[0];
    for (int32_t i = 0; i < x->rank; i++)
        if (!(mask >> i & 1))
            dim[rank++] = x->dim[i];
        else if (opt->keep_dims)
            dim[rank++] = 1;
    return shape_set(n, 0, dim, rank, err);
}

enum status reduction_plan(const struct node *n, struct reduction *r, struct err *err)
{
    const struct tensor *x = n->in[0];
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    int32_t kept[TENSOR_MAX_RANK];
    uint32_t mask;
    enum status st = read_axes(n, &mask, err);

    if (st)
        return st;
    *r = (struct reduction){
        .elems = tensor_elems(x), .outputs = tensor_elems(n->out[0]), .x = x->data, .all = mask == (1u << x->rank) - 1};
    r->per_output = r->outputs ? r->elems / r->outputs : 0;
    for (int32_t i = 0; i < x->rank; i++)
        kept[i] = mask >> i & 1 ? 1 : x->dim[i];
    move_strides(x->dim, x->rank, xs);
    move_strides(kept, x->rank, ys);
    for (int32_t i = 0; i < x->rank; i++)
        move_dim(&r->walk, (size_t)x->dim[i], mask >> i & 1 ? 0 : ys[i], xs[i]);
    return ST_OK;
}
