/* SPDX-License-Identifier: Apache-2.0 */
/* strided_slice.c - STRIDED_SLICE: a part of a tensor by Python's rules, with steps, new axes and axes that vanish. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/ops/slice.h"

static bool bit(int mask, int32_t i)
{
    return (uint32_t)mask >> i & 1;
}

/* How a dimension of the input is cut: `count` elements as entry `entry` of the spec says, or whole where that is -1. */
struct cut {
    int32_t entry, count;
};

/* Of how many dimensions an ellipsis takes the place: as on the CPU one at least, then the last indices are left over. */
static int32_t spread_of(const struct node *n)
{
    const struct opt_strided_slice *o = n->opt;
    int32_t spread = n->in[0]->rank;

    for (int32_t i = 0; i < n->in[1]->dim[0]; i++)
        spread -= !bit(o->ellipsis_mask | o->new_axis_mask, i);
    return spread > 1 ? spread : 1;
}

/* Walks the spec; `in` and `out` are the next dimensions of input and output. The output's shape is known already, so that `end`
 * is not needed. */
static bool read_cuts(const struct node *n, struct cut *cut, struct reason *why)
{
    const struct opt_strided_slice *o = n->opt;
    const struct tensor *x = n->in[0], *y = n->out[0];
    int32_t in = 0, out = 0, last;
    bool fits = true;

    for (int32_t i = 0; i < n->in[1]->dim[0] && fits; i++) {
        if (bit(o->ellipsis_mask, i)) {
            for (last = in + spread_of(n); in < last && in < x->rank; in++, out++)
                cut[in] = (struct cut){-1, x->dim[in]};
        } else if (bit(o->new_axis_mask, i)) {
            out++;
        } else if (in == x->rank) {
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "index %d is left over, rank %d has no dimension for it", i,
                              x->rank);
        } else if (bit(o->shrink_axis_mask, i)) {
            cut[in++] = (struct cut){i, 1};
        } else {
            fits = out < y->rank;
            if (fits)
                cut[in++] = (struct cut){i, y->dim[out++]};
        }
    }
    for (; in < x->rank; in++, out++)
        cut[in] = (struct cut){-1, x->dim[in]};
    return (fits && out == y->rank) ||
           reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "indices of rank %d make rank %d, not %d", x->rank, out, y->rank);
}

/* A begin that is known while running. On the near side of all elements it means the first of them; where it is beyond the others,
 * which ends a run on the CPU, it is moved to the nearest place that is not. */
static bool place_of(const struct node *n, struct cut cut, int32_t length, struct slice_axis *a)
{
    const struct opt_strided_slice *o = n->opt;
    int64_t stride, reach;

    *a = (struct slice_axis){.count = cut.count, .stride = 1, .entry = cut.entry};
    if (cut.entry < 0)
        return true;
    stride = tensor_int(n->in[3], (size_t)cut.entry);
    reach = cut.count == 1 ? 0 : (cut.count - 1) * stride;
    if (reach <= -(int64_t)length || reach >= length)
        return false;
    a->stride = cut.count == 1 ? 1 : (int32_t)stride;
    a->negative = length;
    a->low = reach < 0 ? (int32_t)-reach : 0;
    a->high = length - 1 - (reach > 0 ? (int32_t)reach : 0);
    if (bit(o->begin_mask, cut.entry)) {
        a->entry = -1;
        a->low = a->high = stride > 0 ? 0 : length - 1;
    }
    return true;
}

static bool read_places(const struct node *n, struct slice_axis *axis, struct reason *why)
{
    struct cut cut[TENSOR_MAX_RANK];

    if (!read_cuts(n, cut, why))
        return false;
    for (int32_t i = 0; i < n->in[0]->rank; i++)
        if (!place_of(n, cut[i], n->in[0]->dim[i], &axis[i]))
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "elements beyond dimension %d of %s", i,
                              TENSOR_TEXT(n->in[0]));
    return true;
}

/* The output's shape is known, so that only the begins are to be read at run time. */
static bool begin_fits(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *begin = n->in[1], *strides = n->in[3];
    struct slice_axis axis[TENSOR_MAX_RANK];

    if (!gl_constant(n, 3, "strides", why))
        return false;
    if (ir_type_of(begin) != IR_INT || begin->rank != 1 || begin->dim[0] > 31 || strides->rank != 1 ||
        strides->dim[0] != begin->dim[0] || (strides->type != TYPE_INT32 && strides->type != TYPE_INT64))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "begin is %s, strides are %s", TENSOR_TEXT(begin),
                          TENSOR_TEXT(strides));
    return read_places(n, axis, why) && gl_storable(lim, n, 0, 1, why);
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

/* `count` is of each dimension. */
static bool read_strided(const struct node *n, struct slice_range *range, int32_t *count, struct reason *why)
{
    const struct tensor *x = n->in[0];
    struct cut cut[TENSOR_MAX_RANK];

    if (!read_cuts(n, cut, why))
        return false;
    for (int32_t i = 0; i < x->rank; i++) {
        int64_t first = 0, step = 1;

        if (cut[i].entry >= 0) {
            step = tensor_int(n->in[3], (size_t)cut[i].entry);
            first = first_index(n, cut[i].entry, x->dim[i], step);
        }
        if (cut[i].count == 1)
            step = 1; /* whatever it is, none is taken */
        if (step < -(int64_t)INT32_MAX || step > INT32_MAX)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "stride %lld", (long long)step);
        if (!slice_in_range(x, i, first, first + (cut[i].count - 1) * step, why))
            return false;
        range->begin[i] = (int32_t)first;
        range->step[i] = (int32_t)step;
        count[i] = cut[i].count;
    }
    return true;
}

static bool strided_slice_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    int32_t count[TENSOR_MAX_RANK];
    struct slice_range range;

    if (!gl_one_type(n, 0, 1, why))
        return false;
    if (!n->in[1]->is_const)
        return begin_fits(lim, n, why);
    return gl_runtime(n, 0, "input", why) && constant_spec(n, why) && read_strided(n, &range, count, why);
}

static enum status strided_slice_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct ir_shape numbers = {1, 1, 1, n->in[1]->dim[0]};
    struct slice_axis axis[TENSOR_MAX_RANK];
    int32_t count[TENSOR_MAX_RANK];
    struct slice_range range;
    struct reason why;
    bool made;

    if (n->in[1]->is_const ? !read_strided(n, &range, count, &why) : !read_places(n, axis, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    if (n->in[1]->is_const)
        made = slice_lower_range(ir, ir_in(ir, n, 0), n->in[0]->rank, n->in[0]->dim, &range, count, ir_out(ir, n, 0));
    else
        made = slice_at(ir, ir_in(ir, n, 0), ir_reshaped(ir, ir_in(ir, n, 1), numbers), n->in[0]->rank, n->in[0]->dim, axis,
                        ir_out(ir, n, 0));
    return made ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_strided_slice = {
    .max_version = 8, MOVES_ANY, .accept = strided_slice_accept, .lower = strided_slice_lower};
