/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - GATHER and GATHER_ND: slices picked by index. */
#include "kernels_cpu/common/move.h"

static enum status check_indices(const struct node *n, const struct tensor *t, struct err *err)
{
    return t->type == TYPE_INT16 || t->type == TYPE_INT32 || t->type == TYPE_INT64 ? ST_OK : cpu_bad_type(n, t, err);
}

struct gather {
    int32_t axis, batch_dims;
    size_t batches, outer, length, inner, picks; /* x is [batches, outer, length, inner], indices [batches, picks] */
};

static enum status gather_plan(const struct node *n, struct gather *g, struct err *err)
{
    const struct opt_gather *opt = n->opt;
    const struct tensor *x = n->in[0], *at = n->in[1];
    int32_t batch = opt->batch_dims < 0 ? opt->batch_dims + at->rank : opt->batch_dims;
    enum status st = shape_axis(opt->axis, x->rank, &g->axis, err);

    if (st)
        return st;
    if (batch < 0 || batch > g->axis || batch > at->rank)
        return err_set(err, ST_BAD_MODEL, "batch_dims %d with axis %d and indices of rank %d", opt->batch_dims, g->axis, at->rank);
    for (int32_t i = 0; i < batch; i++)
        if (x->dim[i] != at->dim[i])
            return err_set(err, ST_BAD_MODEL, "batch dimension %d is %d long in the input, %d in the indices", i, x->dim[i],
                           at->dim[i]);
    g->batch_dims = batch;
    g->batches = shape_count(x->dim, 0, batch);
    g->outer = shape_count(x->dim, batch, g->axis);
    g->length = (size_t)x->dim[g->axis];
    g->inner = shape_count(x->dim, g->axis + 1, x->rank);
    g->picks = shape_count(at->dim, batch, at->rank);
    return ST_OK;
}

static enum status gather_shape(struct node *n, struct err *err)
{
    int32_t dim[2 * TENSOR_MAX_RANK], rank = 0;
    const struct tensor *x = n->in[0], *at = n->in[1];
    struct gather g;
    enum status st;

    if ((st = gather_plan(n, &g, err)))
        return st;
    for (int32_t i = 0; i < g.axis; i++)
        dim[rank++] = x->dim[i];
    for (int32_t i = g.batch_dims; i < at->rank; i++)
        dim[rank++] = at->dim[i];
    for (int32_t i = g.axis + 1; i < x->rank; i++)
        dim[rank++] = x->dim[i];
    return shape_set(n, 0, dim, rank, err);
}

static enum status gather_prepare(struct cpu_call *c, struct err *err)
{
    enum status st = check_indices(c->node, c->node->in[1], err);

    return st ? st : move_prepare_strings(c, err);
}

static enum status gather_copy(struct cpu_call *c, const void *arg, uint32_t bits, void *dst, const void *src, struct err *err)
{
    const struct tensor *at = c->node->in[1];
    struct gather g;
    enum status st = gather_plan(c->node, &g, err);

    (void)arg;
    if (st)
        return st;
    for (size_t b = 0; b < g.batches; b++)
        for (size_t i = 0; i < g.picks; i++) {
            int64_t pick = tensor_int(at, b * g.picks + i);
            struct move m = {.dst0 = (ptrdiff_t)((b * g.outer * g.picks + i) * g.inner)};

            if (pick < 0 || (uint64_t)pick >= g.length)
                return err_set(err, ST_FAILED, "index %zu is %lld, dimension %d is %zu long", b * g.picks + i, (long long)pick,
                               g.axis, g.length);
            m.src0 = (ptrdiff_t)((b * g.outer * g.length + (size_t)pick) * g.inner);
            move_dim(&m, g.outer, (ptrdiff_t)(g.picks * g.inner), (ptrdiff_t)(g.length * g.inner));
            move_dim(&m, g.inner, 1, 1);
            move_run(&m, bits, dst, src, c->threads);
        }
    return ST_OK;
}

static enum status gather_run(struct cpu_call *c, struct err *err)
{
    return move_elements(c, 0, gather_copy, NULL, err);
}

static enum status gather_nd_shape(struct node *n, struct err *err)
{
    int32_t dim[2 * TENSOR_MAX_RANK], rank = 0, depth;
    const struct tensor *x = n->in[0], *at = n->in[1];

    if (at->rank < 1 || x->rank < 1)
        return err_set(err, ST_BAD_MODEL, "input of rank %d and indices of rank %d, both must be at least 1", x->rank, at->rank);
    depth = at->dim[at->rank - 1];
    if (depth > x->rank)
        return err_set(err, ST_BAD_MODEL, "indices of %d numbers for an input of rank %d", depth, x->rank);
    for (int32_t i = 0; i < at->rank - 1; i++)
        dim[rank++] = at->dim[i];
    for (int32_t i = depth; i < x->rank; i++)
        dim[rank++] = x->dim[i];
    return shape_set(n, 0, dim, rank, err);
}

static enum status gather_nd_copy(struct cpu_call *c, const void *arg, uint32_t bits, void *dst, const void *src, struct err *err)
{
    const struct tensor *x = c->node->in[0], *at = c->node->in[1];
    int32_t depth = at->dim[at->rank - 1];
    size_t picks = shape_count(at->dim, 0, at->rank - 1), inner = shape_count(x->dim, depth, x->rank);

    (void)arg;
    for (size_t i = 0; i < picks; i++) {
        struct move m = {.dst0 = (ptrdiff_t)(i * inner)};
        size_t from = 0;

        for (int32_t d = 0; d < depth; d++) {
            int64_t pick = tensor_int(at, i * (size_t)depth + (size_t)d);

            if (pick < 0 || pick >= x->dim[d])
                return err_set(err, ST_FAILED, "index %zu is %lld in dimension %d, which is %d long", i, (long long)pick, d,
                               x->dim[d]);
            from = from * (size_t)x->dim[d] + (size_t)pick;
        }
        m.src0 = (ptrdiff_t)(from * inner);
        move_dim(&m, inner, 1, 1);
        move_run(&m, bits, dst, src, c->threads);
    }
    return ST_OK;
}

static enum status gather_nd_run(struct cpu_call *c, struct err *err)
{
    return move_elements(c, 0, gather_nd_copy, NULL, err);
}

const struct cpu_kernel cpu_gather = {.arity = {2, 2, 1}, .shape = gather_shape, .prepare = gather_prepare, .run = gather_run};
const struct cpu_kernel cpu_gather_nd = {
    .arity = {2, 2, 1}, .shape = gather_nd_shape, .prepare = gather_prepare, .run = gather_nd_run};
