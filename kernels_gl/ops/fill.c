/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c - ONE_HOT: an index compared with 0, 1, 2, ... along the new axis chooses one of two values. FILL: one value throughout.
 */
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "lib/gl/ir/fold.h"

static bool one_hot_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_runtime(n, 0, "index", why) || !gl_constant(n, 1, "depth", why))
        return false;
    if (n->in[0]->type != TYPE_INT32 && n->in[0]->type != TYPE_INT64)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[0]->type));
    return gl_one_type(n, 2, 4, why) && gl_storable(lim, n, 2, 4, why);
}

static enum status one_hot_lower(struct ir *ir, const struct node *n, struct err *err)
{
    int32_t axis = ((const struct opt_one_hot *)n->opt)->axis, rank = n->out[0]->rank, depth;
    struct ir_value *y = ir_out(ir, n, 0), *index, *choices[3] = {NULL, ir_in(ir, n, 2), ir_in(ir, n, 3)}, *ramp, *natural;
    struct ir_folded t = {.dim = n->out[0]->dim};
    struct ir_fold f;

    if (!y || !choices[1] || !choices[2])
        return ir_nomem(err);
    axis = axis < 0 ? rank + axis : axis;
    t.stored = y->shape;
    ir_fold_best(rank, ir_fold_around(t.dim, rank, axis), &t, 1, &f);
    natural = ir_begin_reshape(ir, y, ir_fold_shape(&f, t.dim));
    if (!natural)
        return ir_nomem(err);
    axis = ir_fold_axis(&f, axis);
    depth = ir_dim(natural->shape, axis);
    index = ir_reshaped(ir, ir_in(ir, n, 0), ir_with(natural->shape, axis, 1));
    ramp = ir_const(ir, IR_INT, ir_with((struct ir_shape){1, 1, 1, 1}, axis, depth), ir_range(ir, 0, 1, depth));
    choices[0] = ir_temp(ir, IR_BOOL, natural->shape);
    return index && ramp && choices[0] && ir_map(ir, &fn_equal, (struct ir_value *[3]){index, ramp}, NULL, choices[0]) &&
                   ir_map(ir, &fn_select, choices, NULL, natural) && ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_one_hot = {
    .max_version = 1, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = one_hot_accept, .lower = one_hot_lower};

static bool fill_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_one_type(n, 1, 2, why) && gl_storable(lim, n, 1, 2, why);
}

static enum status fill_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *v = ir_reshaped(ir, ir_in(ir, n, 1), (struct ir_shape){1, 1, 1, 1});

    return ir_copy(ir, v, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_fill = {.max_version = 5, MOVES_ANY, .accept = fill_accept, .lower = fill_lower};
