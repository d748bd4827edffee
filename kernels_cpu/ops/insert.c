/* SPDX-License-Identifier: Apache-2.0 */
/* insert.c - a tensor put into a larger one: DYNAMIC_UPDATE_SLICE, DILATE, STABLEHLO_PAD. */
#include <string.h>

#include "kernels_cpu/common/move.h"

static enum status update_slice_shape(struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0], *update = n->in[1], *start = n->in[2];

    if (start->type != TYPE_INT32 && start->type != TYPE_INT64)
        return cpu_bad_type(n, start, err);
    if (update->rank != x->rank || start->rank != 1 || start->dim[0] != x->rank)
        return err_set(err, ST_BAD_MODEL, "an update of rank %d at %zu indices for rank %d", update->rank, tensor_elems(start),
                       x->rank);
    for (int32_t i = 0; i < x->rank; i++)
        if (update->dim[i] > x->dim[i])
            return err_set(err, ST_BAD_MODEL, "the update is %d long in dimension %d, the operand %d", update->dim[i], i,
                           x->dim[i]);
    return shape_like(n, 0, x, err);
}

/* Indices that would leave the operand are moved inside. */
static void update_slice_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0], *update = c->node->in[1];
    struct tensor *y = c->node->out[0];
    ptrdiff_t ys[TENSOR_MAX_RANK], us[TENSOR_MAX_RANK];
    struct move m = {0};

    if (y->bytes && y->data != x->data)
        memcpy(y->data, x->data, y->bytes);
    move_strides(y->dim, y->rank, ys);
    move_strides(update->dim, update->rank, us);
    for (int32_t i = 0; i < x->rank; i++) {
        int64_t start = tensor_int(c->node->in[2], (size_t)i), last = x->dim[i] - update->dim[i];

        m.dst0 += (start < 0 ? 0 : start > last ? last : start) * ys[i];
        move_dim(&m, (size_t)update->dim[i], ys[i], us[i]);
    }
    move_run(&m, type_bits(x->type), y->data, update->data, c->threads);
}

/* How one dimension is spread out: `step` between elements, and edges that may cut off as well as add. */
struct spread {
    int64_t low, high, step;
};

static enum status spread_length(int32_t length, const struct spread *s, int32_t *out, struct err *err)
{
    int64_t inner, sum;

    if (s->step < 1 || __builtin_mul_overflow((int64_t)length - 1, s->step, &inner) ||
        __builtin_add_overflow(length ? inner + 1 : 0, s->low, &sum) || __builtin_add_overflow(sum, s->high, &sum) ||
        sum > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "%d elements at steps of %lld between edges of %lld and %lld", length, (long long)s->step,
                       (long long)s->low, (long long)s->high);
    *out = sum < 0 ? 0 : (int32_t)sum;
    return ST_OK;
}

static enum status spread_shape(struct node *n, const struct spread *s, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK];
    const struct tensor *x = n->in[0];
    enum status st = ST_OK;

    for (int32_t i = 0; i < x->rank && !st; i++)
        st = spread_length(x->dim[i], &s[i], &dim[i], err);
    return st ? st : shape_set(n, 0, dim, x->rank, err);
}

/* Elements k of [0, length) whose place low + k * step is within [0, out). */
static void visible(const struct spread *s, int32_t length, int32_t out, int64_t *first, int64_t *end)
{
    *first = s->low < 0 ? (-s->low + s->step - 1) / s->step : 0;
    *end = s->low < out ? (out - s->low + s->step - 1) / s->step : 0;
    *end = *end < length ? *end : length;
}

static void spread_run(struct cpu_call *c, const struct spread *s, const void *value)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0];
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    struct move m = {0};

    move_fill(y->data, 0, tensor_elems(y), type_bits(y->type), value);
    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < x->rank; i++) {
        int64_t first, end;

        visible(&s[i], x->dim[i], y->dim[i], &first, &end);
        if (end <= first)
            return;
        m.src0 += first * xs[i];
        m.dst0 += (s[i].low + first * s[i].step) * ys[i];
        move_dim(&m, (size_t)(end - first), s[i].step * ys[i], xs[i]);
    }
    move_run(&m, type_bits(x->type), y->data, x->data, c->threads);
}

static enum status dilate_read(const struct node *n, struct spread *s, struct err *err)
{
    int32_t step[TENSOR_MAX_RANK], rank = n->in[0]->rank;
    uint32_t count;
    enum status st = shape_ints(n->in[1], step, TENSOR_MAX_RANK, &count, err);

    if (st)
        return st;
    if (count != (uint32_t)rank)
        return err_set(err, ST_BAD_MODEL, "%u dilations for rank %d", count, rank);
    for (int32_t i = 0; i < rank; i++)
        s[i] = (struct spread){0, 0, step[i]};
    return ST_OK;
}

static enum status dilate_shape(struct node *n, struct err *err)
{
    struct spread s[TENSOR_MAX_RANK];
    enum status st = dilate_read(n, s, err);

    return st ? st : spread_shape(n, s, err);
}

/* The value to fill with is the node's last input. */
static enum status value_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *value = c->node->in[c->node->n_in - 1];
    enum status st = move_same_type(c->node, c->node->in[0], value, err);

    if (st)
        return st;
    if (tensor_elems(value) != 1)
        return err_set(err, ST_BAD_MODEL, "the value to fill with has %zu elements", tensor_elems(value));
    return move_prepare(c, err);
}

static enum status dilate_run(struct cpu_call *c, struct err *err)
{
    struct spread s[TENSOR_MAX_RANK];
    enum status st = dilate_read(c->node, s, err);

    if (!st)
        spread_run(c, s, c->node->in[2]->data);
    return st;
}

static enum status stablehlo_pad_read(const struct node *n, struct spread *s, struct err *err)
{
    const struct opt_stablehlo_pad *opt = n->opt;
    int32_t rank = n->in[0]->rank;

    if (opt->num_edge_padding_low != rank || opt->num_edge_padding_high != rank || opt->num_interior_padding != rank)
        return err_set(err, ST_BAD_MODEL, "%d low, %d high and %d interior paddings for rank %d", opt->num_edge_padding_low,
                       opt->num_edge_padding_high, opt->num_interior_padding, rank);
    for (int32_t i = 0; i < rank; i++) {
        int64_t low = opt->edge_padding_low[i], high = opt->edge_padding_high[i], inside = opt->interior_padding[i];

        if (inside < 0 || inside > INT32_MAX || low < INT32_MIN || low > INT32_MAX || high < INT32_MIN || high > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "paddings %lld, %lld and %lld inside of dimension %d", (long long)low,
                           (long long)high, (long long)inside, i);
        s[i] = (struct spread){low, high, inside + 1};
    }
    return ST_OK;
}

static enum status stablehlo_pad_shape(struct node *n, struct err *err)
{
    struct spread s[TENSOR_MAX_RANK];
    enum status st;

    if ((st = stablehlo_pad_read(n, s, err)) || (st = spread_shape(n, s, err)))
        return st;
    /* In TFLite one dimension of which nothing is left empties all. */
    for (int32_t i = 0; i < n->in[0]->rank; i++)
        if (!n->out[0]->dim[i])
            return shape_set(n, 0, (const int32_t[TENSOR_MAX_RANK]){0}, n->in[0]->rank, err);
    return ST_OK;
}

static enum status stablehlo_pad_run(struct cpu_call *c, struct err *err)
{
    struct spread s[TENSOR_MAX_RANK];
    enum status st = stablehlo_pad_read(c->node, s, err);

    if (!st)
        spread_run(c, s, c->node->in[1]->data);
    return st;
}

const struct cpu_kernel cpu_dynamic_update_slice = {
    .arity = {3, 3, 1}, .shape = update_slice_shape, .prepare = move_prepare_two, .compute = update_slice_run};
const struct cpu_kernel cpu_dilate = {.arity = {3, 3, 1}, .shape = dilate_shape, .prepare = value_prepare, .run = dilate_run};
const struct cpu_kernel cpu_stablehlo_pad = {
    .arity = {2, 2, 1}, .shape = stablehlo_pad_shape, .prepare = value_prepare, .run = stablehlo_pad_run};
