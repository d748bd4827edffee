/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c - SLICE: a part of a tensor. */
#include "kernels_gl/ops/slice.h"
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"

bool slice_in_range(const struct tensor *x, int32_t axis, int64_t first, int64_t last, struct reason *why)
{
    if (first >= 0 && last >= 0 && first < x->dim[axis] && last < x->dim[axis])
        return true;
    return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "elements %lld to %lld of dimension %d, which is %d long",
                      (long long)first, (long long)last, axis, x->dim[axis]);
}

bool slice_lower_range(struct ir *ir, struct ir_value *x, int32_t rank, const int32_t *dim, const struct slice_range *range,
                       const int32_t *count, struct ir_value *y)
{
    struct axis_gather gather = axis_gather_of(rank, dim, count);

    for (int32_t i = 0; i < rank; i++)
        if (!(gather.at[i] = ir_range(ir, range->begin[i], range->step[i], count[i])))
            return false;
    return ir_axis_gather(ir, x, &gather, y);
}

static bool read_slice(const struct node *n, struct slice_range *c, struct reason *why)
{
    const struct tensor *x = n->in[0], *y = n->out[0];
    uint32_t count;

    if (!gl_ints(n, 1, "begin", c->begin, TENSOR_MAX_RANK, &count, why))
        return false;
    if ((int32_t)count != x->rank || y->rank != x->rank)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "%u begins for rank %d", count, x->rank);
    for (int32_t i = 0; i < x->rank; i++) {
        c->step[i] = 1;
        if (!slice_in_range(x, i, c->begin[i], (int64_t)c->begin[i] + y->dim[i] - 1, why))
            return false;
    }
    return true;
}

/* Begins that are out of range, which end a run on the CPU, are moved to the nearest that are not. */
static void axes_of(const struct node *n, struct slice_axis *axis)
{
    for (int32_t i = 0; i < n->in[0]->rank; i++)
        axis[i] = (struct slice_axis){
            .count = n->out[0]->dim[i], .stride = 1, .entry = i, .high = n->in[0]->dim[i] - n->out[0]->dim[i]};
}

static bool begin_fits(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *begin = n->in[1], *x = n->in[0];

    if (ir_type_of(begin) != IR_INT)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "begins of type %s", type_name(begin->type));
    if (tensor_elems(begin) != (size_t)x->rank || n->out[0]->rank != x->rank)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "%zu begins for rank %d", tensor_elems(begin), x->rank);
    return gl_storable(lim, n, 0, 1, why);
}

static bool slice_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct slice_range c;

    if (!gl_one_type(n, 0, 1, why))
        return false;
    if (!n->in[1]->is_const)
        return begin_fits(lim, n, why);
    return gl_runtime(n, 0, "input", why) && read_slice(n, &c, why);
}

static enum status slice_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct ir_shape numbers = {1, 1, 1, n->in[0]->rank};
    struct slice_axis axis[TENSOR_MAX_RANK];
    struct reason why;
    struct slice_range c;

    if (!n->in[1]->is_const) {
        axes_of(n, axis);
        return slice_at(ir, ir_in(ir, n, 0), ir_reshaped(ir, ir_in(ir, n, 1), numbers), n->in[0]->rank, n->in[0]->dim, axis,
                        ir_out(ir, n, 0))
                   ? ST_OK
                   : ir_nomem(err);
    }
    if (!read_slice(n, &c, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    return slice_lower_range(ir, ir_in(ir, n, 0), n->in[0]->rank, n->in[0]->dim, &c, n->out[0]->dim, ir_out(ir, n, 0))
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_slice = {.max_version = 8, MOVES_ANY, .accept = slice_accept, .lower = slice_lower};
