/* SPDX-License-Identifier: Apache-2.0 */
/* pad.c - PAD and PADV2: a tensor with a border of one value; MIRROR_PAD: with a border of its own reflection. */
#include "kernels_cpu/ops/pad.h"

#include <string.h>

#include "kernels_cpu/quant/fixed_point.h"

enum status pad_read(const struct node *n, const struct tensor *t, int32_t rows, struct paddings *p, struct err *err)
{
    if (t->type != TYPE_INT32 && t->type != TYPE_INT64 && t->type != TYPE_INT16 && t->type != TYPE_INT8 && t->type != TYPE_BOOL)
        return cpu_bad_type(n, t, err);
    if (t->rank != 2 || t->dim[0] != rows || t->dim[1] != 2)
        return err_set(err, ST_BAD_MODEL, "the paddings must have the shape [%d,2]", rows);
    if (!t->is_known)
        return ST_LATER;
    for (int32_t i = 0; i < rows; i++) {
        int64_t before = tensor_int(t, 2 * (size_t)i), after = tensor_int(t, 2 * (size_t)i + 1);

        if (before < 0 || after < 0 || before > INT32_MAX || after > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "paddings %lld and %lld of dimension %d", (long long)before, (long long)after, i);
        p->before[i] = (int32_t)before;
        p->after[i] = (int32_t)after;
    }
    return ST_OK;
}

enum status pad_length(int32_t dim, int32_t before, int32_t after, int32_t *out, struct err *err)
{
    int64_t sum = (int64_t)dim + before + after;

    if (sum > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "%d with paddings %d and %d is too long", dim, before, after);
    *out = (int32_t)sum;
    return ST_OK;
}

void pad_zero(const struct tensor *t, uint8_t value[16])
{
    int32_t zero = quant_zero(t);

    memset(value, 0, 16);
    if (t->type == TYPE_INT8 || t->type == TYPE_UINT8)
        value[0] = (uint8_t)zero;
    else if (t->type == TYPE_INT16 || t->type == TYPE_UINT16)
        memcpy(value, &(uint16_t){(uint16_t)zero}, 2);
}

static enum status padded_shape(struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    int32_t dim[TENSOR_MAX_RANK];
    struct paddings p;
    enum status st = pad_read(n, n->in[1], x->rank, &p, err);

    for (int32_t i = 0; i < x->rank && !st; i++)
        st = pad_length(x->dim[i], p.before[i], p.after[i], &dim[i], err);
    return st ? st : shape_set(n, 0, dim, x->rank, err);
}

static enum status pad_shape(struct node *n, struct err *err)
{
    return padded_shape(n, err);
}

static enum status pad_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0], *value = node_in(c->node, 2);
    enum status st;

    if ((st = move_same_type(c->node, x, y, err)) || (st = move_same_type(c->node, x, value, err)))
        return st;
    if (value && tensor_elems(value) != 1)
        return err_set(err, ST_BAD_MODEL, "the value to pad with has %zu elements", tensor_elems(value));
    if (value && value->quant.n && (quant_scale(value) != quant_scale(y) || quant_zero(value) != quant_zero(y)))
        return err_set(err, ST_BAD_MODEL, "the value to pad with has scale %g and zero point %d, the output %g and %d",
                       (double)quant_scale(value), quant_zero(value), (double)quant_scale(y), quant_zero(y));
    return ST_OK;
}

/* Copies x into the middle of y. */
static void place_inside(struct cpu_call *c, const struct tensor *x, struct tensor *y, const struct paddings *p)
{
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    struct move m = {0};

    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < x->rank; i++) {
        m.dst0 += p->before[i] * ys[i];
        move_dim(&m, (size_t)x->dim[i], ys[i], xs[i]);
    }
    move_run(&m, type_bits(x->type), y->data, x->data, c->threads);
}

static enum status pad_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *value = node_in(c->node, 2);
    struct tensor *y = c->node->out[0];
    struct paddings p;
    uint8_t zero[16];
    enum status st = pad_read(c->node, c->node->in[1], x->rank, &p, err);

    if (st)
        return st;
    pad_zero(y, zero);
    move_fill(y->data, 0, tensor_elems(y), type_bits(y->type), value ? value->data : zero);
    place_inside(c, x, y, &p);
    return ST_OK;
}

/* 1 where the border repeats the edge itself, 0 where it starts beyond it. */
static enum status mirror_edge(const struct node *n, int32_t *edge, struct err *err)
{
    const struct opt_mirror_pad *opt = n->opt;

    *edge = opt->mode == MIRROR_SYMMETRIC;
    if (opt->mode != MIRROR_REFLECT && opt->mode != MIRROR_SYMMETRIC)
        return err_set(err, ST_BAD_MODEL, "mirror mode %d is unknown", (int)opt->mode);
    return ST_OK;
}

static enum status mirror_pad_shape(struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct paddings p;
    int32_t edge;
    enum status st;

    if ((st = mirror_edge(n, &edge, err)) || (st = pad_read(n, n->in[1], n->in[0]->rank, &p, err)))
        return st;
    for (int32_t i = 0; i < x->rank; i++)
        if ((p.before[i] > p.after[i] ? p.before[i] : p.after[i]) > (x->dim[i] ? x->dim[i] - 1 + edge : 0))
            return err_set(err, ST_BAD_MODEL, "paddings %d and %d are more than dimension %d, %d long, can mirror", p.before[i],
                           p.after[i], i, x->dim[i]);
    return padded_shape(n, err);
}

/* Fill the border of y along dimension d from the part inside; outer dimensions still lack their borders, inner ones have them.
 * Index i before the first is a copy of first + i - edge; the end mirrors in the same way. */
static void mirror_dim(struct cpu_call *c, const struct tensor *x, struct tensor *y, const struct paddings *p, int32_t d,
                       int32_t edge)
{
    int32_t first = p->before[d], last = first + x->dim[d] - 1;
    ptrdiff_t ys[TENSOR_MAX_RANK], start = 0;

    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < d; i++)
        start += p->before[i] * ys[i];
    for (int32_t side = 0; side < 2; side++) {
        struct move m = {.dst0 = start + (side ? last + 1 : first - 1) * ys[d],
                         .src0 = start + (side ? last - 1 + edge : first + 1 - edge) * ys[d]};
        ptrdiff_t away = side ? ys[d] : -ys[d];

        for (int32_t i = 0; i < d; i++)
            move_dim(&m, (size_t)x->dim[i], ys[i], ys[i]);
        move_dim(&m, (size_t)(side ? p->after[d] : p->before[d]), away, -away);
        move_dim(&m, shape_count(y->dim, d + 1, y->rank), 1, 1);
        move_run(&m, type_bits(y->type), y->data, y->data, c->threads);
    }
}

static enum status mirror_pad_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0];
    struct paddings p;
    int32_t edge;
    enum status st;

    if ((st = mirror_edge(c->node, &edge, err)) || (st = pad_read(c->node, c->node->in[1], x->rank, &p, err)))
        return st;
    place_inside(c, x, y, &p);
    for (int32_t d = x->rank - 1; d >= 0; d--)
        mirror_dim(c, x, y, &p, d, edge);
    return ST_OK;
}

const struct cpu_kernel cpu_pad = {.arity = {2, 3, 1}, .shape = pad_shape, .prepare = pad_prepare, .run = pad_run};
const struct cpu_kernel cpu_padv2 = {.arity = {2, 3, 1}, .shape = pad_shape, .prepare = pad_prepare, .run = pad_run};
const struct cpu_kernel cpu_mirror_pad = {
    .arity = {2, 2, 1}, .shape = mirror_pad_shape, .prepare = move_prepare, .run = mirror_pad_run};
