/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_gather.c - STABLEHLO_GATHER: slices at computed places, arranged as the options say.
 *
 * The result's dimensions are batch dimensions, which run over the start indices, and offset dimensions, which run over the
 * slice (without its collapsed dimensions). Start indices are moved inside the operand. */

#include "kernels_cpu/ops/stablehlo_index.h"

static enum status gather_slices(const struct node *n, int32_t *slice, struct err *err)
{
    const struct opt_stablehlo_gather *o = n->opt;
    const struct tensor *x = n->in[0];

    if (o->num_slice_sizes != x->rank)
        return err_set(err, ST_BAD_MODEL, "%d slice sizes for rank %d", o->num_slice_sizes, x->rank);
    for (int32_t i = 0; i < x->rank; i++) {
        if (o->slice_sizes[i] < 0 || o->slice_sizes[i] > x->dim[i])
            return err_set(err, ST_BAD_MODEL, "slice size %lld of dimension %d, which is %d long", (long long)o->slice_sizes[i], i,
                           x->dim[i]);
        slice[i] = (int32_t)o->slice_sizes[i];
    }
    return ST_OK;
}

/* Which of the operand's dimensions are collapsed; these must be 1 long in the slice. */
static enum status gather_check(const struct node *n, const int32_t *slice, uint32_t *collapsed, uint32_t *offsets, struct err *err)
{
    const struct opt_stablehlo_gather *o = n->opt;
    const struct tensor *x = n->in[0], *at = n->in[1];
    int32_t rank = 0;
    enum status st;

    if ((st = stablehlo_mask(o->collapsed_slice_dims, o->num_collapsed_slice_dims, x->rank, collapsed, err)) ||
        (st = stablehlo_index_check(at, o->index_vector_dim, o->start_index_map, o->num_start_index_map, x->rank, err)))
        return st;
    rank = at->rank - (o->index_vector_dim < at->rank) + o->num_offset_dims;
    if (rank > TENSOR_MAX_RANK)
        return err_set(err, ST_UNSUPPORTED, "the result has rank %d, the most supported is %d", rank, TENSOR_MAX_RANK);
    if ((st = stablehlo_mask(o->offset_dims, o->num_offset_dims, rank, offsets, err)))
        return st;
    if (o->num_offset_dims + o->num_collapsed_slice_dims != x->rank)
        return err_set(err, ST_BAD_MODEL, "%d offset and %d collapsed dimensions for rank %d", o->num_offset_dims,
                       o->num_collapsed_slice_dims, x->rank);
    for (int32_t i = 0; i < x->rank; i++)
        if (*collapsed >> i & 1 && slice[i] != 1)
            return err_set(err, ST_BAD_MODEL, "collapsed dimension %d has slice size %d, must be 1", i, slice[i]);
    return ST_OK;
}

static enum status gather_shape(struct node *n, struct err *err)
{
    const struct opt_stablehlo_gather *o = n->opt;
    int32_t slice[TENSOR_MAX_RANK], dim[TENSOR_MAX_RANK], batch = 0, inside = 0, rank;
    uint32_t collapsed, offsets;
    const struct tensor *x = n->in[0], *at = n->in[1];
    enum status st;

    if ((st = gather_slices(n, slice, err)) || (st = gather_check(n, slice, &collapsed, &offsets, err)))
        return st;
    rank = at->rank - (o->index_vector_dim < at->rank) + o->num_offset_dims;
    for (int32_t i = 0; i < rank; i++)
        if (offsets >> i & 1) {
            while (inside < x->rank && collapsed >> inside & 1)
                inside++;
            dim[i] = slice[inside++];
        } else {
            batch += batch == o->index_vector_dim;
            dim[i] = at->dim[batch++];
        }
    return shape_set(n, 0, dim, rank, err);
}

static enum status gather_run(struct cpu_call *c, struct err *err)
{
    const struct opt_stablehlo_gather *o = c->node->opt;
    const struct tensor *x = c->node->in[0], *at = c->node->in[1];
    struct tensor *y = c->node->out[0];
    int32_t slice[TENSOR_MAX_RANK], batch_dim[TENSOR_MAX_RANK], n_batch = 0, inside = 0;
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK], batch_stride[TENSOR_MAX_RANK];
    struct move window = {0};
    uint32_t collapsed, offsets;
    size_t picks = 1;
    enum status st;

    if ((st = gather_slices(c->node, slice, err)) || (st = gather_check(c->node, slice, &collapsed, &offsets, err)))
        return st;
    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < y->rank; i++)
        if (offsets >> i & 1) {
            while (collapsed >> inside & 1)
                inside++;
            move_dim(&window, (size_t)slice[inside], ys[i], xs[inside]);
            inside++;
        } else {
            batch_dim[n_batch] = y->dim[i];
            batch_stride[n_batch++] = ys[i];
            picks *= (size_t)y->dim[i];
        }
    for (size_t i = 0; i < picks; i++) {
        int64_t start[TENSOR_MAX_RANK];
        struct move m = window;

        stablehlo_index_read(at, o->index_vector_dim, o->start_index_map, o->num_start_index_map, i, start);
        m.dst0 = stablehlo_offset(i, batch_dim, batch_stride, n_batch);
        for (int32_t d = 0; d < x->rank; d++) {
            int64_t last = x->dim[d] - slice[d];

            m.src0 += (start[d] < 0 ? 0 : start[d] > last ? last : start[d]) * xs[d];
        }
        move_run(&m, type_bits(x->type), y->data, x->data, c->threads);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_stablehlo_gather = {
    .arity = {2, 2, 1}, .shape = gather_shape, .prepare = move_prepare, .run = gather_run};
