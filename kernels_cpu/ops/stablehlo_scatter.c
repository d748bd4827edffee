/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_scatter.c - STABLEHLO_SCATTER: windows of updates combined into a tensor at computed places.
 *
 * Elements that would fall outside are left out, one by one. The computation is a subgraph of one operator at most. */
#include <string.h>

#include "kernels_cpu/ops/stablehlo_index.h"
#include "kernels_cpu/ops/stablehlo_reducer.h"
#include "lib/session/session.h"

/* How to combine, from the operator in the computation's subgraph; an empty one replaces. */
static enum status find_combine(struct cpu_call *c, stablehlo_combine *combine, struct err *err)
{
    const struct opt_stablehlo_scatter *o = c->node->opt;
    enum stablehlo_reduction op;
    enum status st = stablehlo_reduction_of(c, o->update_computation_subgraph_index, &op, err);

    if (st)
        return st;
    if (op != STABLEHLO_REPLACE && op != STABLEHLO_ADD && op != STABLEHLO_MUL && op != STABLEHLO_MAX && op != STABLEHLO_MIN)
        return err_set(err, ST_UNSUPPORTED, "the computation is none of replace, add, multiply, maximum, minimum");
    *combine = stablehlo_combiner(op, c->node->in[0]->type);
    return *combine ? ST_OK : cpu_bad_type(c->node, c->node->in[0], err);
}

/* Checks the options; windows are updates' dimensions, inserted are the operand's that windows lack. */
static enum status scatter_check(const struct node *n, uint32_t *windows, uint32_t *inserted, struct err *err)
{
    const struct opt_stablehlo_scatter *o = n->opt;
    const struct tensor *x = n->in[0], *at = n->in[1], *updates = n->in[2];
    int32_t batch = at->rank - (o->index_vector_dim < at->rank), k = 0;
    enum status st;

    if ((st = stablehlo_index_check(at, o->index_vector_dim, o->scatter_dims_to_operand_dims, o->num_scatter_dims_to_operand_dims,
                                    x->rank, err)) ||
        (st = stablehlo_mask(o->update_window_dims, o->num_update_window_dims, updates->rank, windows, err)) ||
        (st = stablehlo_mask(o->inserted_window_dims, o->num_inserted_window_dims, x->rank, inserted, err)))
        return st;
    if (updates->rank != batch + o->num_update_window_dims || o->num_update_window_dims + o->num_inserted_window_dims != x->rank)
        return err_set(err, ST_BAD_MODEL, "%d window and %d inserted dimensions for updates of rank %d and rank %d",
                       o->num_update_window_dims, o->num_inserted_window_dims, updates->rank, x->rank);
    for (int32_t i = 0; i < updates->rank; i++) {
        if (*windows >> i & 1)
            continue;
        k += k == o->index_vector_dim;
        if (updates->dim[i] != at->dim[k])
            return err_set(err, ST_BAD_MODEL, "dimension %d of the updates is %d, of the indices %d", i, updates->dim[i],
                           at->dim[k]);
        k++;
    }
    return ST_OK;
}

static enum status scatter_shape(struct node *n, struct err *err)
{
    uint32_t windows, inserted;
    enum status st = scatter_check(n, &windows, &inserted, err);

    return st ? st : shape_like(n, 0, n->in[0], err);
}

static enum status scatter_prepare(struct cpu_call *c, struct err *err)
{
    stablehlo_combine combine;
    enum status st = move_same_type(c->node, c->node->in[0], c->node->in[2], err);

    if (st || (st = move_prepare(c, err)))
        return st;
    return find_combine(c, &combine, err);
}

/* The updates of one index vector: a window of them and where it goes. */
struct window {
    int32_t rank;                  /* of the operand */
    int32_t size[TENSOR_MAX_RANK]; /* 1 along inserted dimensions */
    ptrdiff_t xs[TENSOR_MAX_RANK]; /* strides in the updates */
    ptrdiff_t ys[TENSOR_MAX_RANK];
    const struct tensor *y;
    stablehlo_combine combine;
};

static void put_window(const struct window *w, const uint8_t *updates, size_t bytes, size_t from, const int64_t *start)
{
    size_t n = shape_count(w->size, 0, w->rank);

    for (size_t i = 0; i < n; i++) {
        size_t rest = i;
        ptrdiff_t to = 0;
        bool inside = true;

        for (int32_t d = w->rank - 1; d >= 0; d--) {
            int64_t at;

            inside &= !__builtin_add_overflow(start[d], (int64_t)(rest % (size_t)w->size[d]), &at) && at >= 0 && at < w->y->dim[d];
            rest /= (size_t)w->size[d];
            to += inside ? at * w->ys[d] : 0;
        }
        if (inside)
            w->combine((uint8_t *)w->y->data + (size_t)to * bytes,
                       updates + (from + (size_t)stablehlo_offset(i, w->size, w->xs, w->rank)) * bytes);
    }
}

static enum status scatter_run(struct cpu_call *c, struct err *err)
{
    const struct opt_stablehlo_scatter *o = c->node->opt;
    const struct tensor *at = c->node->in[1], *updates = c->node->in[2];
    struct tensor *y = c->node->out[0];
    struct window w = {.rank = y->rank, .y = y};
    int32_t batch_dim[TENSOR_MAX_RANK], n_batch = 0, k = 0;
    ptrdiff_t us[TENSOR_MAX_RANK], batch_stride[TENSOR_MAX_RANK];
    uint32_t windows, inserted;
    size_t picks = 1;
    enum status st;

    if ((st = scatter_check(c->node, &windows, &inserted, err)) || (st = find_combine(c, &w.combine, err)))
        return st;
    if (y->bytes)
        memcpy(y->data, c->node->in[0]->data, y->bytes);
    move_strides(updates->dim, updates->rank, us);
    move_strides(y->dim, y->rank, w.ys);
    for (int32_t d = 0; d < y->rank; d++)
        w.size[d] = 1;
    for (int32_t i = 0; i < updates->rank; i++)
        if (windows >> i & 1) {
            while (inserted >> k & 1)
                k++;
            w.size[k] = updates->dim[i];
            w.xs[k++] = us[i];
        } else {
            batch_dim[n_batch] = updates->dim[i];
            batch_stride[n_batch++] = us[i];
            picks *= (size_t)updates->dim[i];
        }
    for (size_t i = 0; i < picks; i++) {
        int64_t start[TENSOR_MAX_RANK];

        stablehlo_index_read(at, o->index_vector_dim, o->scatter_dims_to_operand_dims, o->num_scatter_dims_to_operand_dims, i,
                             start);
        put_window(&w, updates->data, type_bits(y->type) / 8, (size_t)stablehlo_offset(i, batch_dim, batch_stride, n_batch), start);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_stablehlo_scatter = {
    .arity = {3, 3, 1}, .shape = scatter_shape, .prepare = scatter_prepare, .run = scatter_run, .reads_model = true};
