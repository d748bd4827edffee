/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window.c - STABLEHLO_REDUCE_WINDOW and REDUCE_WINDOW: a reduction over every position of a sliding window.
 *
 * The input seen is spread out by base dilations and padded (or cropped); what is not an element of it is the initial value. */
#include <string.h>

#include "kernels_cpu/common/move.h"
#include "kernels_cpu/ops/stablehlo_reducer.h"

struct sliding {
    int64_t size, stride, dilation; /* of the window */
    int64_t base, low, high;        /* of the input: dilation and edges */
};

static enum status out_length(int32_t in, const struct sliding *s, int32_t *out, struct err *err)
{
    int64_t seen = in ? ((int64_t)in - 1) * s->base + 1 + s->low + s->high : s->low + s->high;
    int64_t window = (s->size - 1) * s->dilation + 1, n = seen < window ? 0 : (seen - window) / s->stride + 1;

    if (n > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "an output of %lld", (long long)n);
    *out = (int32_t)n;
    return ST_OK;
}

/* Values beyond 31 bits could overflow above, and no window has them. */
static enum status check_sliding(const struct sliding *s, int32_t i, struct err *err)
{
    const int64_t positive[] = {s->size, s->stride, s->dilation, s->base}, any[] = {s->low, s->high};

    for (int k = 0; k < 4; k++)
        if (positive[k] < 1 || positive[k] > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "dimension %d: window %lld, stride %lld, dilations %lld and %lld must be above 0", i,
                           (long long)s->size, (long long)s->stride, (long long)s->dilation, (long long)s->base);
    for (int k = 0; k < 2; k++)
        if (any[k] < INT32_MIN || any[k] > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "dimension %d: paddings %lld and %lld", i, (long long)s->low, (long long)s->high);
    return ST_OK;
}

static enum status check_inputs(const struct node *n, uint32_t inputs, struct err *err)
{
    enum status st = shape_arity(n, inputs, inputs, 1, err);

    if (st)
        return st;
    if (n->in[0]->rank < 1)
        return err_set(err, ST_BAD_MODEL, "a scalar has no windows");
    if (tensor_elems(n->in[1]) != 1)
        return err_set(err, ST_BAD_MODEL, "the initial value has %zu elements", tensor_elems(n->in[1]));
    return ST_OK;
}

/* An array that the file leaves out is 1 throughout, or 0 for paddings; the decoder has filled it in. */
static bool count_fits(int have, int want)
{
    return have == 0 || have == want;
}

static enum status read_stablehlo(const struct node *n, struct sliding *s, struct err *err)
{
    const struct opt_stablehlo_reduce_window *o = n->opt;
    int32_t rank = n->in[0]->rank;
    enum status st = ST_OK;

    if (o->num_window_dimensions != rank || !count_fits(o->num_window_strides, rank) || !count_fits(o->num_base_dilations, rank) ||
        !count_fits(o->num_window_dilations, rank) || !count_fits(o->num_padding, 2 * rank))
        return err_set(err, ST_BAD_MODEL, "%d window sizes, %d strides, %d and %d dilations, %d paddings for rank %d",
                       o->num_window_dimensions, o->num_window_strides, o->num_window_dilations, o->num_base_dilations,
                       o->num_padding, rank);
    for (int32_t i = 0; i < rank && !st; i++) {
        s[i] = (struct sliding){o->window_dimensions[i], o->window_strides[i], o->window_dilations[i],
                                o->base_dilations[i],    o->padding[2 * i],    o->padding[2 * i + 1]};
        st = check_sliding(&s[i], i, err);
    }
    return st;
}

/* REDUCE_WINDOW has window size, strides and dilations as INT64 tensors and knows no paddings. */
static enum status read_tensors(const struct node *n, struct sliding *s, struct err *err)
{
    int32_t rank = n->in[0]->rank;
    enum status st = ST_OK;

    for (uint32_t i = 2; i < 5; i++) {
        if (n->in[i]->type != TYPE_INT64)
            return cpu_bad_type(n, n->in[i], err);
        if (tensor_elems(n->in[i]) != (size_t)rank)
            return err_set(err, ST_BAD_MODEL, "input %u has %zu elements for rank %d", i, tensor_elems(n->in[i]), rank);
        if (!n->in[i]->is_known)
            return ST_LATER;
    }
    for (int32_t i = 0; i < rank && !st; i++) {
        size_t k = (size_t)i;

        s[i] = (struct sliding){tensor_int(n->in[2], k), tensor_int(n->in[3], k), tensor_int(n->in[4], k), 1, 0, 0};
        st = check_sliding(&s[i], i, err);
    }
    return st;
}

static enum status read_sliding(const struct node *n, struct sliding *s, struct err *err)
{
    return n->builtin == BUILTIN_REDUCE_WINDOW ? read_tensors(n, s, err) : read_stablehlo(n, s, err);
}

static enum status window_shape(struct node *n, struct err *err)
{
    struct sliding s[TENSOR_MAX_RANK];
    int32_t dim[TENSOR_MAX_RANK];
    enum status st;

    if ((st = check_inputs(n, n->builtin == BUILTIN_REDUCE_WINDOW ? 5 : 2, err)) || (st = read_sliding(n, s, err)))
        return st;
    for (int32_t i = 0; i < n->in[0]->rank && !st; i++)
        st = out_length(n->in[0]->dim[i], &s[i], &dim[i], err);
    return st ? st : shape_set(n, 0, dim, n->in[0]->rank, err);
}

static enum status find_combine(const struct cpu_call *c, stablehlo_combine *combine, struct err *err)
{
    static const enum stablehlo_reduction by_option[] = {
        [REDUCE_WINDOW_ADD] = STABLEHLO_ADD, [REDUCE_WINDOW_MUL] = STABLEHLO_MUL, [REDUCE_WINDOW_MIN] = STABLEHLO_MIN,
        [REDUCE_WINDOW_MAX] = STABLEHLO_MAX, [REDUCE_WINDOW_ALL] = STABLEHLO_ALL, [REDUCE_WINDOW_ANY] = STABLEHLO_ANY,
    };
    enum stablehlo_reduction op = STABLEHLO_REPLACE;
    enum status st;

    if (c->node->builtin == BUILTIN_REDUCE_WINDOW) {
        const struct opt_reduce_window *o = c->node->opt;

        if (o->reduce_function > REDUCE_WINDOW_UNSUPPORTED && o->reduce_function <= REDUCE_WINDOW_ANY)
            op = by_option[o->reduce_function];
    } else {
        const struct opt_stablehlo_reduce_window *o = c->node->opt;

        if ((st = stablehlo_reduction_of(c, o->body_subgraph_index, &op, err)))
            return st;
    }
    if (op == STABLEHLO_REPLACE)
        return err_set(err, ST_UNSUPPORTED, "there is no reduction");
    *combine = stablehlo_combiner(op, c->node->in[0]->type);
    return *combine ? ST_OK : cpu_bad_type(c->node, c->node->in[0], err);
}

static enum status window_prepare(struct cpu_call *c, struct err *err)
{
    stablehlo_combine combine;
    enum status st = move_same_type(c->node, c->node->in[0], c->node->in[1], err);

    if (st || (st = move_prepare(c, err)))
        return st;
    return find_combine(c, &combine, err);
}

/* Return the input element at position `at` of the padded and dilated input along one dimension, or -1 for the initial value. */
static int64_t element_at(int64_t at, const struct sliding *s, int32_t length)
{
    at -= s->low;
    return at < 0 || at % s->base || at / s->base >= length ? -1 : at / s->base;
}

struct window_run {
    const struct tensor *x, *init;
    struct tensor *y;
    struct sliding s[TENSOR_MAX_RANK];
    ptrdiff_t xs[TENSOR_MAX_RANK];
    stablehlo_combine combine;
    size_t bytes;
};

/* Folds the window at output position pos[] into *acc, dimension d and those inside it; `from` is the element so far, -1 where
 * the initial value stands in. */
static void fold(const struct window_run *w, const int32_t *pos, int32_t d, int64_t from, uint8_t *acc)
{
    const struct sliding *s = &w->s[d];

    if (d == w->x->rank) {
        w->combine(acc, from < 0 ? (const uint8_t *)w->init->data : (const uint8_t *)w->x->data + (size_t)from * w->bytes);
        return;
    }
    for (int64_t i = 0; i < s->size; i++) {
        int64_t at = element_at(pos[d] * s->stride + i * s->dilation, s, w->x->dim[d]);

        fold(w, pos, d + 1, from < 0 || at < 0 ? -1 : from + at * w->xs[d], acc);
    }
}

static enum status window_run(struct cpu_call *c, struct err *err)
{
    struct window_run w = {.x = c->node->in[0], .init = c->node->in[1], .y = c->node->out[0]};
    size_t n = tensor_elems(w.y);
    enum status st;

    if ((st = read_sliding(c->node, w.s, err)) || (st = find_combine(c, &w.combine, err)))
        return st;
    w.bytes = type_bits(w.x->type) / 8;
    move_strides(w.x->dim, w.x->rank, w.xs);
    for (size_t i = 0; i < n; i++) {
        uint8_t *acc = (uint8_t *)w.y->data + i * w.bytes;
        int32_t pos[TENSOR_MAX_RANK];
        size_t rest = i;

        for (int32_t d = w.y->rank - 1; d >= 0; d--) {
            pos[d] = (int32_t)(rest % (size_t)w.y->dim[d]);
            rest /= (size_t)w.y->dim[d];
        }
        memcpy(acc, w.init->data, w.bytes);
        fold(&w, pos, 0, 0, acc);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_reduce_window = {.shape = window_shape, .prepare = window_prepare, .run = window_run};
const struct cpu_kernel cpu_stablehlo_reduce_window = {
    .shape = window_shape, .prepare = window_prepare, .run = window_run, .reads_model = true};
