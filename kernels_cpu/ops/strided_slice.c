/* SPDX-License-Identifier: Apache-2.0 */
/* strided_slice.c - STRIDED_SLICE: Python's x[begin:end:stride, ..., newaxis, 3].
 *
 * The masks are resolved once into one entry per dimension of the effective input, which has the new axes of length 1. */
#include "kernels_cpu/common/move.h"

#define MAX_SPEC 31 /* bits of a mask */
#define MAX_DIMS (TENSOR_MAX_RANK + MAX_SPEC)

struct axis_slice {
    int64_t start, stride;
    int64_t count;
    int32_t length; /* of the input along this axis */
    bool new_axis, shrink;
};

struct spec {
    uint32_t n;
    const struct tensor *begin, *end, *stride;
    const struct opt_strided_slice *opt;
};

static bool bit(int mask, uint32_t i)
{
    return (uint32_t)mask >> i & 1;
}

static int64_t clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static int64_t resolve(int64_t at, int32_t length, int64_t stride)
{
    if (at < 0)
        at += length;
    return stride > 0 ? clamp(at, 0, length) : clamp(at, -1, length - 1);
}

/* Count the steps of `stride` before `distance`, which has its sign or is 0. Neither may be negated: they may be INT64_MIN. */
static int64_t steps(int64_t distance, int64_t stride)
{
    const int64_t farthest = distance < 0 ? -(distance + 1) : distance - 1;
    const uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    int64_t count;

    if (distance == 0)
        return 0;
    count = (int64_t)((uint64_t)farthest / step);
    return count < INT64_MAX ? count + 1 : count; /* more than any dimension either way */
}

/* Entry i of the spec applied to an axis of `length`. Where begin is not known yet (the shape may be all the same), start stays 0.
 */
static enum status one_axis(const struct spec *s, uint32_t i, int32_t length, struct axis_slice *out, struct err *err)
{
    int64_t stride = tensor_int(s->stride, i), start = 0, end;

    if (stride == 0)
        return err_set(err, ST_BAD_MODEL, "stride %u is 0", i);
    *out = (struct axis_slice){.stride = stride, .length = length, .shrink = bit(s->opt->shrink_axis_mask, i)};
    if (s->begin->is_known || bit(s->opt->begin_mask, i))
        start = bit(s->opt->begin_mask, i) ? (stride > 0 ? 0 : length - 1) : resolve(tensor_int(s->begin, i), length, stride);
    out->start = start;
    if (out->shrink) {
        out->count = 1; /* end does not matter */
        out->stride = 1;
    } else if (s->opt->offset) {
        end = tensor_int(s->end, i);
        out->count = (end < 0) == (stride < 0) ? steps(end, stride) : 0;
    } else {
        end = bit(s->opt->end_mask, i) ? (stride > 0 ? length : -1) : resolve(tensor_int(s->end, i), length, stride);
        out->count = (end < start) == (stride < 0) ? steps(end - start, stride) : 0;
    }
    return ST_OK;
}

static struct axis_slice full_axis(int32_t length)
{
    return (struct axis_slice){.stride = 1, .count = length, .length = length};
}

/* Fills out[MAX_DIMS] with the effective dimensions. */
static enum status resolve_spec(const struct spec *s, const struct tensor *x, struct axis_slice *out, int32_t *n_out,
                                struct err *err)
{
    int32_t axis = 0, n = 0, named = 0, added = 0, spread;
    bool ellipsis = false;
    enum status st;

    if (__builtin_popcount((unsigned)s->opt->ellipsis_mask) > 1)
        return err_set(err, ST_BAD_MODEL, "ellipsis_mask %#x has more than one bit", (unsigned)s->opt->ellipsis_mask);
    for (uint32_t i = 0; i < s->n; i++) {
        named += !bit(s->opt->ellipsis_mask, i) && !bit(s->opt->new_axis_mask, i);
        added += !bit(s->opt->ellipsis_mask, i) && bit(s->opt->new_axis_mask, i);
    }
    /* TFLite lets an ellipsis stand for one dimension at least; then the last indices are left over and have no effect. */
    spread = x->rank > named ? x->rank - named : 1;
    for (uint32_t i = 0; i < s->n && !(ellipsis && n == x->rank + added); i++) {
        if (bit(s->opt->ellipsis_mask, i)) {
            ellipsis = true;
            for (int32_t k = 0; k < spread && axis < x->rank; k++)
                out[n++] = full_axis(x->dim[axis++]);
        } else if (bit(s->opt->new_axis_mask, i)) {
            out[n] = full_axis(1);
            out[n++].new_axis = true;
        } else {
            if (axis == x->rank)
                return err_set(err, ST_BAD_MODEL, "%d indices for rank %d", named, x->rank);
            if ((st = one_axis(s, i, x->dim[axis++], &out[n++], err)))
                return st;
        }
    }
    while (axis < x->rank)
        out[n++] = full_axis(x->dim[axis++]);
    *n_out = n;
    return ST_OK;
}

static enum status read_spec(const struct node *n, struct spec *s, struct err *err)
{
    *s = (struct spec){.begin = n->in[1], .end = n->in[2], .stride = n->in[3], .opt = n->opt};
    for (uint32_t i = 1; i < 4; i++) {
        const struct tensor *t = n->in[i];

        if (t->type != TYPE_INT32 && t->type != TYPE_INT64)
            return cpu_bad_type(n, t, err);
        if (t->rank != 1 || t->dim[0] > MAX_SPEC || t->dim[0] != s->begin->dim[0])
            return err_set(err, ST_BAD_MODEL, "begin, end and strides must be vectors of one length up to %d", MAX_SPEC);
    }
    s->n = (uint32_t)s->begin->dim[0];
    return s->stride->is_known ? ST_OK : ST_LATER;
}

/* How many elements entry i takes is known: one, all that masks name, or what numbers that are known say. */
static bool has_length(const struct spec *s, uint32_t i)
{
    const struct opt_strided_slice *o = s->opt;

    if (bit(o->ellipsis_mask | o->new_axis_mask | o->shrink_axis_mask, i))
        return true;
    return (s->begin->is_known || o->offset || bit(o->begin_mask, i)) && (s->end->is_known || (!o->offset && bit(o->end_mask, i)));
}

static enum status strided_slice_shape(struct node *n, struct err *err)
{
    struct axis_slice axes[MAX_DIMS];
    int32_t dim[TENSOR_MAX_RANK], n_axes, rank = 0;
    struct spec s;
    enum status st;

    if ((st = read_spec(n, &s, err)))
        return st;
    for (uint32_t i = 0; i < s.n; i++)
        if (!has_length(&s, i))
            return ST_LATER;
    if ((st = resolve_spec(&s, n->in[0], axes, &n_axes, err)))
        return st;
    for (int32_t i = 0; i < n_axes; i++) {
        if (axes[i].shrink)
            continue;
        if (rank == TENSOR_MAX_RANK)
            return err_set(err, ST_UNSUPPORTED, "the output has more than %d dimensions", TENSOR_MAX_RANK);
        if (axes[i].count > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "output dimension %d would be %lld", rank, (long long)axes[i].count);
        dim[rank++] = (int32_t)axes[i].count;
    }
    return shape_set(n, 0, dim, rank, err);
}

static enum status strided_slice_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const struct tensor *y = c->node->out[0];
    ptrdiff_t xs[TENSOR_MAX_RANK], ys[TENSOR_MAX_RANK];
    struct axis_slice axes[MAX_DIMS];
    int32_t n_axes, in = 0, out = 0;
    struct move m = {0};
    struct spec s;
    enum status st;

    if ((st = read_spec(c->node, &s, err)) || (st = resolve_spec(&s, x, axes, &n_axes, err)))
        return st;
    move_strides(x->dim, x->rank, xs);
    move_strides(y->dim, y->rank, ys);
    for (int32_t i = 0; i < n_axes; i++) {
        const struct axis_slice *a = &axes[i];
        /* One that leaves the dimension at the second element is not multiplied. */
        const bool strides = a->count > 1, leaves = strides && (a->stride <= -(int64_t)a->length || a->stride >= a->length);
        const int64_t stride = strides && !leaves ? a->stride : 0, last = a->start + (a->count - 1) * stride;

        if (a->new_axis) {
            out++;
            continue;
        }
        if (a->count && (leaves || a->start < 0 || a->start >= a->length || last < 0 || last >= a->length))
            return err_set(err, ST_BAD_MODEL, "%lld indices from %lld on, %lld apart, leave dimension %d, which is %d long",
                           (long long)a->count, (long long)a->start, (long long)a->stride, in, a->length);
        m.src0 += (ptrdiff_t)a->start * xs[in];
        move_dim(&m, (size_t)a->count, a->shrink ? 0 : ys[out], stride * xs[in]);
        in++;
        out += !a->shrink;
    }
    return move_tensor(c, &m, err);
}

const struct cpu_kernel cpu_strided_slice = {
    .arity = {4, 4, 1}, .shape = strided_slice_shape, .prepare = move_prepare_strings, .run = strided_slice_run};
