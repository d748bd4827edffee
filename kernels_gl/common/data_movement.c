/* SPDX-License-Identifier: Apache-2.0 */
/* data_movement.c - see data_movement.h */
#include "kernels_gl/common/data_movement.h"

struct ir_value *ir_reshaped(struct ir *ir, struct ir_value *x, struct ir_shape shape)
{
    struct ir_value *v;

    if (!x || ir_same_shape(x->shape, shape))
        return x;
    if (x->data)
        return ir_const(ir, x->type, shape, x->data);
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
