/* SPDX-License-Identifier: Apache-2.0 */
/* moves.c - what kernels that move data share. */
#include "moves.h"

const int32_t *ir_range(struct ir *ir, int32_t begin, int32_t step, int32_t n)
{
    int32_t *at = ARENA_ARRAY(ir->arena, (size_t)n, int32_t);

    for (int32_t i = 0; at && i < n; i++)
        at[i] = begin + i * step;
    return at;
}

struct ir_op *ir_cut(struct ir *ir, struct ir_value *x, int axis, int32_t from, struct ir_value *y)
{
    struct pick pick = {.axis = {0, 1, 2, 3}};

    if (!x || !y || !(pick.at[axis] = ir_range(ir, from, 1, ir_dim(y->shape, axis))))
        return NULL;
    return ir_pick(ir, x, &pick, y);
}

struct ir_value *ir_view(struct ir *ir, struct ir_value *x, struct ir_shape shape)
{
    struct ir_value *v;

    if (!x || ir_same_shape(x->shape, shape))
        return x;
    v = ir_temp(ir, x->type, shape);
    return v && ir_reshape(ir, x, v) ? v : NULL;
}

struct ir_value *ir_draft(struct ir *ir, struct ir_value *y, struct ir_shape shape)
{
    return !y || ir_same_shape(y->shape, shape) ? y : ir_temp(ir, y->type, shape);
}

bool ir_settle(struct ir *ir, struct ir_value *draft, struct ir_value *y)
{
    return draft && y && (draft == y || ir_reshape(ir, draft, y));
}

bool gl_one_type(const struct node *n, uint32_t first, uint32_t end, struct reason *why)
{
    enum ir_type type = ir_type_of(n->out[0]);

    for (uint32_t i = first; i < end && i < n->n_in; i++)
        if (n->in[i] && ir_type_of(n->in[i]) != type)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s, the output %s", i,
                              type_name(n->in[i]->type), type_name(n->out[0]->type));
    for (uint32_t i = 1; i < n->n_out; i++)
        if (ir_type_of(n->out[i]) != type)
            return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "output %u has type %s, output 0 %s", i,
                              type_name(n->out[i]->type), type_name(n->out[0]->type));
    return true;
}

bool gl_stored(const struct gl_limits *lim, const struct node *n, uint32_t first, uint32_t end, struct reason *why)
{
    struct ir_shape s;

    for (uint32_t i = first; i < end && i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (!t->is_const)
            continue;
        if (!ir_shape_of(t, &s))
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "input %u is %s; it must have elements and at most rank 4", i,
                              TENSOR_TEXT(t));
        if (!gl_fits(lim, ir_type_of(t), s, why))
            return false;
    }
    return true;
}

bool gl_axis(const struct node *n, uint32_t i, int32_t rank, int32_t *axis, struct reason *why)
{
    uint32_t count;

    if (!gl_ints(n, i, "axis", axis, 1, &count, why))
        return false;
    if (count != 1 || shape_axis(*axis, rank, axis, NULL))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "axis %d of rank %d", count ? *axis : 0, rank);
    return true;
}

void gl_define_types(struct gl_shader *p, enum ir_type type)
{
    gl_define_text(p, "VEC", type == IR_INT ? "ivec4" : "vec4");
    gl_define_text(p, "SCALAR", type == IR_INT ? "int" : "float");
}
