/* SPDX-License-Identifier: Apache-2.0 */
/* data_movement.c - see data_movement.h */
#include "data_movement.h"

struct ir_op *ir_axis_slice(struct ir *ir, struct ir_value *x, int axis, int32_t from, struct ir_value *y)
{
    struct axis_gather gather = {.axis = {0, 1, 2, 3}};

    if (!x || !y || !(gather.at[axis] = ir_range(ir, from, 1, ir_dim(y->shape, axis))))
        return NULL;
    return ir_axis_gather(ir, x, &gather, y);
}

struct ir_value *ir_reshaped(struct ir *ir, struct ir_value *x, struct ir_shape shape)
{
    struct ir_value *v;

    if (!x || ir_same_shape(x->shape, shape))
        return x;
    v = ir_temp(ir, x->type, shape);
    return v && ir_reshape(ir, x, v) ? v : NULL;
}

struct ir_value *ir_begin_reshape(struct ir *ir, struct ir_value *y, struct ir_shape shape)
{
    return !y || ir_same_shape(y->shape, shape) ? y : ir_temp(ir, y->type, shape);
}

bool ir_end_reshape(struct ir *ir, struct ir_value *natural, struct ir_value *y)
{
    return natural && y && (natural == y || ir_reshape(ir, natural, y));
}
