/* SPDX-License-Identifier: Apache-2.0 */
/* strided_slice.c - STRIDED_SLICE: a part of a tensor by Python's rules, with steps, new axes and axes that vanish. */
#include "slice.h"
#include "data_movement.h"

/* The spec is walked entry by entry; `in` and `out` are the next dimensions of input and output. The output's shape is known
 * already, so that `end` is not needed. */
struct strided {
    struct slice_range range;
    int32_t count[TENSOR_MAX_RANK], in, out;
};

static bool bit(int mask, int32_t i)
{
    return (uint32_t)mask >> i & 1;
}

/* What is cut where `begin` is computed at run time. The spec is walked as by take_entry. */
struct places {
    struct slice_axis axis[TENSOR_MAX_RANK];
    int32_t in, out;
};

static bool whole_places(struct places *p, const struct node *n, int32_t dims)
{
    for (; dims > 0; dims--, p->in++, p->out++) {
        if (p->in >= n->in[0]->rank)
            return false;
        p->axis[p->in] = (struct slice_axis){.count = n->in[0]->dim[p->in], .stride = 1, .entry = -1};
    }
    return true;
}

/* Entry i begins where number i says, or at the end that its mask names. Where it is out of range, which ends a run on the CPU, it
 * is moved to the nearest place that is not. */
static bool entry_places(struct places *p, const struct node *n, int32_t i)
{
    const struct opt_strided_slice *o = n->opt;
    const bool shrink = bit(o->shrink_axis_mask, i);
    int64_t stride = tensor_int(n->in[3], (size_t)i), reach;
    struct slice_axis a = {.entry = i};
    int32_t length;

    if (p->in >= n->in[0]->rank || (!shrink && p->out >= n->out[0]->rank))
        return false;
    length = n->in[0]->dim[p->in];
    a.count = shrink ? 1 : n->out[0]->dim[p->out++];
    reach = a.count == 1 ? 0 : (a.count - 1) * stride;
    if (reach <= -(int64_t)length || reach >= length)
        return false;
    a.stride = a.count == 1 ? 1 : (int32_t)stride;
    a.negative = length;
    a.low = reach < 0 ? (int32_t)-reach : 0;
    a.high = length - 1 - (reach > 0 ? (int32_t)reach : 0);
    if (bit(o->begin_mask, i)) {
        a.entry = -1;
        a.low = a.high = stride > 0 ? 0 : length - 1;
    }
    p->axis[p->in++] = a;
    return true;
}

static bool read_places(const struct node *n, struct places *p)
{
    const struct opt_strided_slice *o = n->opt;
    const int32_t entries = n->in[1]->dim[0];
    int32_t named = 0;

    *p = (struct places){.in = 0};
    for (int32_t i = 0; i < entries; i++)
        named += !bit(o->ellipsis_mask, i) && !bit(o->new_axis_mask, i);
    for (int32_t i = 0; i < entries; i++) {
        bool ok = true;

        if (bit(o->ellipsis_mask, i))
            ok = whole_places(p, n, n->in[0]->rank - named);
        else if (bit(o->new_axis_mask, i))
            p->out++;
        else
            ok = entry_places(p, n, i);
        if (!ok)
            return false;
    }
    return whole_places(p, n, n->in[0]->rank - p->in);
}

/* The output's shape is known, so that only the begins are to be read at run time. */
static bool begin_fits(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *begin = n->in[1], *strides = n->in[3];
    struct places p;

    if (!gl_constant(n, 3, "strides", why))
        return false;
    if (ir_type_of(begin) != IR_INT || begin->rank != 1 || begin->dim[0] > 31 || strides->rank != 1 ||
        strides->dim[0] != begin->dim[0] || (strides->type != TYPE_INT32 && strides->type != TYPE_INT64))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "begin is %s, strides are %s", TENSOR_TEXT(begin),
                          TENSOR_TEXT(strides));
    if (!read_places(n, &p))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "elements beyond dimensions of %s", TENSOR_TEXT(n->in[0]));
    return gl_stored(lim, n, 0, 1, why);
}

static bool constant_spec(const struct node *n, struct reason *why)
{
    static const char *const what[] = {"begin", "end", "strides"};

    for (uint32_t i = 1; i < 4; i++) {
        const struct tensor *t = n->in[i];

        if (i != 2 && !gl_constant(n, i, what[i - 1], why)) /* the shape, which is known, says where it ends */
            return false;
        if ((t->type != TYPE_INT32 && t->type != TYPE_INT64) || t->rank != 1 || t->dim[0] > 31 || t->dim[0] != n->in[1]->dim[0])
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "%s is %s", what[i - 1], TENSOR_TEXT(t));
    }
    return true;
}

static bool take_whole(struct strided *s, const struct node *n, int32_t dims, struct reason *why)
{
    const struct tensor *x = n->in[0];

    for (; dims > 0; dims--, s->in++, s->out++) {
        if (s->in >= x->rank)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "more indices than dimensions, which are %d", x->rank);
        s->range.step[s->in] = 1;
        s->count[s->in] = x->dim[s->in];
    }
    return true;
}

/* Where entry i starts in a dimension of that length; the rules are Python's. */
static int64_t first_index(const struct node *n, int32_t i, int32_t length, int64_t step)
{
    const struct opt_strided_slice *o = n->opt;
    int64_t at = tensor_int(n->in[1], (size_t)i);

    if (bit(o->begin_mask, i))
        return step > 0 ? 0 : length - 1;
    if (at < 0)
        at += length;
    if (step > 0)
        return at < 0 ? 0 : at > length ? length : at;
    return at < -1 ? -1 : at > length - 1 ? length - 1 : at;
}

static bool take_entry(struct strided *s, const struct node *n, int32_t i, struct reason *why)
{
    const struct opt_strided_slice *o = n->opt;
    const struct tensor *x = n->in[0], *y = n->out[0];
    bool shrink = bit(o->shrink_axis_mask, i);
    int64_t first, step = tensor_int(n->in[3], (size_t)i);
    int32_t count;

    if (s->in >= x->rank || (!shrink && s->out >= y->rank))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "more indices than dimensions, which are %d", x->rank);
    first = first_index(n, i, x->dim[s->in], step);
    count = shrink ? 1 : y->dim[s->out++];
    if (count == 1)
        step = 1; /* whatever it is, none is taken */
    if (step < -(int64_t)INT32_MAX || step > INT32_MAX)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "stride %lld", (long long)step);
    if (!slice_in_range(x, s->in, first, first + (count - 1) * step, why))
        return false;
    s->range.begin[s->in] = (int32_t)first;
    s->range.step[s->in] = (int32_t)step;
    s->count[s->in++] = count;
    return true;
}

static bool read_strided(const struct node *n, struct strided *s, struct reason *why)
{
    const struct opt_strided_slice *o = n->opt;
    int32_t entries = n->in[1]->dim[0], named = 0;

    *s = (struct strided){.in = 0};
    for (int32_t i = 0; i < entries; i++)
        named += !bit(o->ellipsis_mask, i) && !bit(o->new_axis_mask, i);
    for (int32_t i = 0; i < entries; i++) {
        bool ok = true;

        if (bit(o->ellipsis_mask, i))
            ok = take_whole(s, n, n->in[0]->rank - named, why);
        else if (bit(o->new_axis_mask, i))
            s->out++;
        else
            ok = take_entry(s, n, i, why);
        if (!ok)
            return false;
    }
    return take_whole(s, n, n->in[0]->rank - s->in, why);
}

static bool strided_slice_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    struct strided s;

    (void)g;
    if (!gl_arity(n, 4, 4, 1, why) || !gl_one_type(n, 0, 1, why))
        return false;
    if (!n->in[1]->is_const)
        return begin_fits(lim, n, why);
    return gl_runtime(n, 0, "input", why) && constant_spec(n, why) && read_strided(n, &s, why);
}

static enum status strided_slice_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct ir_shape numbers = {1, 1, 1, n->in[1]->dim[0]};
    struct places p;
    struct reason why;
    struct strided s;

    if (!n->in[1]->is_const)
        return read_places(n, &p) && slice_at(ir, ir_in(ir, n, 0), ir_reshaped(ir, ir_in(ir, n, 1), numbers), n->in[0]->rank,
                                              n->in[0]->dim, p.axis, ir_out(ir, n, 0))
                   ? ST_OK
                   : ir_nomem(err);
    if (!read_strided(n, &s, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    return slice_lower_range(ir, ir_in(ir, n, 0), n->in[0]->rank, n->in[0]->dim, &s.range, s.count, ir_out(ir, n, 0))
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_strided_slice = {.max_version = 8,
                                           .quantized = TAKES_QUANTIZED,
                                           .in_types = TAKES_ANY,
                                           .out_types = TAKES_ANY,
                                           .accept = strided_slice_accept,
                                           .lower = strided_slice_lower};
