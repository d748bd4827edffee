/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul.c - BATCH_MATMUL: shape, checks, broadcasting, and the choice of implementation by type. */
#include "kernels_cpu/matmul/batch_matmul.h"
#include "lib/graph/macs.h"

/* Return dimension i of a tensor extended to `rank` by leading ones. */
static int32_t extended_dim(const struct tensor *t, int32_t rank, int32_t i)
{
    i -= rank - t->rank;
    return i < 0 ? 1 : t->dim[i];
}

static enum status bmm_shape_init(const struct node *n, struct bmm_shape *s, struct err *err)
{
    const struct opt_batch_matmul *o = n->opt;
    const struct tensor *x = n->in[0], *w = n->in[1];
    int32_t rank = x->rank > w->rank ? x->rank : w->rank, xk, wk;

    if (x->rank < 2 || w->rank < 2)
        return err_set(err, ST_BAD_MODEL, "operands of rank %d and %d are no matrices", (int)x->rank, (int)w->rank);
    *s = (struct bmm_shape){.adj_x = o->adj_x, .adj_y = o->adj_y, .batches = 1, .x_batches = 1, .w_batches = 1, .rank = rank - 2};
    xk = x->dim[x->rank - (o->adj_x ? 2 : 1)];
    wk = w->dim[w->rank - (o->adj_y ? 1 : 2)];
    if (xk != wk)
        return err_set(err, ST_BAD_MODEL, "inner dimensions %d and %d differ", (int)xk, (int)wk);
    s->k = (size_t)xk;
    s->m = (size_t)x->dim[x->rank - (o->adj_x ? 1 : 2)];
    s->n = (size_t)w->dim[w->rank - (o->adj_y ? 2 : 1)];
    for (int32_t i = rank - 3; i >= 0; i--) {
        int32_t xd = extended_dim(x, rank, i), wd = extended_dim(w, rank, i);

        if (xd != wd && xd != 1 && wd != 1)
            return err_set(err, ST_BAD_MODEL, "leading dimensions %d and %d do not broadcast", (int)xd, (int)wd);
        s->dim[i] = xd == 1 ? wd : xd;
        s->x_stride[i] = xd == 1 ? 0 : s->x_batches;
        s->w_stride[i] = wd == 1 ? 0 : s->w_batches;
        s->batches *= (size_t)s->dim[i];
        s->x_batches *= (size_t)xd;
        s->w_batches *= (size_t)wd;
    }
    return ST_OK;
}

void bmm_operands(const struct bmm_shape *s, size_t batch, size_t *x, size_t *w)
{
    *x = *w = 0;
    for (int32_t i = s->rank - 1; i >= 0; i--) {
        size_t at = batch % (size_t)s->dim[i];

        batch /= (size_t)s->dim[i];
        *x += at * s->x_stride[i];
        *w += at * s->w_stride[i];
    }
}

static enum status bmm_shape(struct node *n, struct err *err)
{
    struct bmm_shape s;
    enum status st;

    if ((st = bmm_shape_init(n, &s, err)))
        return st;
    s.dim[s.rank] = (int32_t)s.m;
    s.dim[s.rank + 1] = (int32_t)s.n;
    return shape_set(n, 0, s.dim, s.rank + 2, err);
}

/* Return the implementation for these types, or NULL. */
static const struct bmm_impl *bmm_choose(enum tensor_type x, enum tensor_type w, enum tensor_type y)
{
    if (x == TYPE_FLOAT32 && y == TYPE_FLOAT32)
        return w == TYPE_FLOAT32 ? &bmm_f32 : w == TYPE_INT8 ? &bmm_hybrid : NULL;
    if (x == TYPE_INT8 && w == TYPE_INT8)
        return y == TYPE_INT8 || y == TYPE_INT32 ? &bmm_quant : NULL;
    if (x == TYPE_INT16 && y == TYPE_INT16)
        return w == TYPE_INT8 || w == TYPE_INT16 ? &bmm_quant : NULL;
    return NULL;
}

static enum status bmm_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct bmm_impl *impl = bmm_choose(n->in[0]->type, n->in[1]->type, n->out[0]->type);
    struct bmm_shape s;
    enum status st;

    if (!impl)
        return err_set(err, ST_UNSUPPORTED, "no CPU kernel for %s times %s giving %s", type_name(n->in[0]->type),
                       type_name(n->in[1]->type), type_name(n->out[0]->type));
    if ((st = bmm_shape_init(n, &s, err)))
        return st;
    if (c->mode == CPU_REFERENCE)
        impl = &bmm_plain;
    c->compute = impl->compute;
    return impl->prepare(c, &s, err);
}

const struct cpu_kernel cpu_batch_matmul = {
    .arity = {2, 2, 1}, .shape = bmm_shape, .prepare = bmm_prepare, .macs = macs_batch_matmul};
