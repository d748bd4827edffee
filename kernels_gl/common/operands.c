/* SPDX-License-Identifier: Apache-2.0 */
/* operands.c - see operands.h */
#include "kernels_gl/common/operands.h"

/* Beside a tensor of plain integers a constant of its type is such, too. */
static enum ir_type type_beside(const struct tensor *t, const struct tensor *y)
{
    return t->is_const && t->type == y->type && tensor_is_plain(t) && tensor_is_plain(y) ? IR_INT : ir_type_of(t);
}

bool gl_one_type(const struct node *n, uint32_t first, uint32_t end, struct reason *why)
{
    enum ir_type type = ir_type_of(n->out[0]);

    for (uint32_t i = first; i < end && i < n->n_in; i++)
        if (n->in[i] && type_beside(n->in[i], n->out[0]) != type)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s, the output %s", i,
                              type_name(n->in[i]->type), type_name(n->out[0]->type));
    for (uint32_t i = 1; i < n->n_out; i++)
        if (ir_type_of(n->out[i]) != type)
            return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "output %u has type %s, output 0 %s", i,
                              type_name(n->out[i]->type), type_name(n->out[0]->type));
    return true;
}

bool gl_keeps_type(const struct node *n, struct reason *why)
{
    const enum tensor_type x = n->in[0]->type, y = n->out[0]->type;

    return x == y ||
           reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "input and output have types %s and %s", type_name(x), type_name(y));
}

bool gl_storable(const struct gl_limits *lim, const struct node *n, uint32_t first, uint32_t end, struct reason *why)
{
    struct ir_shape s;

    for (uint32_t i = first; i < end && i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (!t->is_const)
            continue;
        if (!ir_shape_of(t, &s))
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "input %u is %s; it must have elements", i, TENSOR_TEXT(t));
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

bool gl_indices_fit(const struct tensor *at, size_t depth, const struct tensor *t, struct reason *why)
{
    const size_t elems = tensor_elems(at);

    for (size_t i = 0; i < elems; i++)
        if (tensor_int(at, i) < 0 || tensor_int(at, i) >= t->dim[i % depth])
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "index %zu is %lld in dimension %zu, which is %d long",
                              i / depth, (long long)tensor_int(at, i), i % depth, t->dim[i % depth]);
    return true;
}

bool gl_accept_one(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why);
}

bool gl_accept_alike(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_accept_one(lim, n, why) && gl_one_type(n, 0, 1, why);
}

bool gl_operands_fit(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_storable(lim, n, 0, n->n_in, why);
}

bool gl_accept_arranged(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why) && gl_constant(n, 1, "order", why) && gl_one_type(n, 0, 1, why);
}

void gl_define_types(struct gl_shader *p, enum ir_type type)
{
    gl_define_text(p, "VEC", type == IR_INT ? "ivec4" : "vec4");
    gl_define_text(p, "SCALAR", type == IR_INT ? "int" : "float");
}

void gl_strides(const struct tensor *t, int32_t *stride)
{
    int32_t all = 1;

    for (int32_t i = t->rank - 1; i >= 0; i--) {
        stride[i] = all;
        all *= t->dim[i];
    }
}

struct ir_value *ir_number(struct ir *ir, int32_t v)
{
    int32_t *data = ARENA_NEW(ir->arena, int32_t);

    if (!data)
        return NULL;
    *data = v;
    return ir_const(ir, IR_INT, (struct ir_shape){1, 1, 1, 1}, data);
}
