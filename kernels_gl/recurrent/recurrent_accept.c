/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_accept.c - what recurrent operators ask of their weights and states. */
#include "kernels_gl/recurrent/exact_walk.h"

#include "lib/gl/lower/exact.h"

static bool is_symmetric(const struct tensor *t)
{
    return t->quant.n == 1 && t->quant.scale[0] > 0 && (!t->quant.zero_point || !t->quant.zero_point[0]);
}

static bool has_shape(const struct tensor *t, int32_t rows, int32_t cols)
{
    return rows ? t->rank == 2 && t->dim[0] == rows && t->dim[1] == cols : t->rank == 1 && t->dim[0] == cols;
}

bool recurrent_weights(const struct node *n, uint32_t i, int32_t rows, int32_t cols, bool needed, enum tensor_type type,
                       struct reason *why)
{
    const struct tensor *t = node_in(n, i);

    if (type != TYPE_FLOAT32 && type != TYPE_INT8 && type != TYPE_UINT8)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "weights of type %s", type_name(type));
    if (!t)
        return !needed || reason_set(why, REASON_MISSING_REQUIRED_OPERAND, "the weights (input %u) are omitted", i);
    if (t->is_variable)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the weights (input %u) are a variable", i);
    if (!has_shape(t, rows, cols))
        return rows ? reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "input %u is %s, not [%d,%d]", i, TENSOR_TEXT(t), rows, cols)
                    : reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "input %u is %s, not [%d]", i, TENSOR_TEXT(t), cols);
    if (t->type != type)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s instead of %s", i, type_name(t->type),
                          type_name(type));
    return type == TYPE_FLOAT32 || is_symmetric(t) ||
           reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "input %u is not quantized by one scale without a zero point", i);
}

static bool are_constant(const struct node *n, uint32_t aux)
{
    for (uint32_t i = 1; i < n->n_in; i++)
        if (n->in[i] && i != aux && !n->in[i]->is_variable && !n->in[i]->is_const)
            return false;
    return true;
}

bool recurrent_times_fit(const struct node *n, uint32_t aux, int32_t times, struct reason *why)
{
    return are_constant(n, aux) || exact_walk_fits(times, why);
}

/* 8-bit weights stand for floats where the input is such. */
bool gl_reals_recurrent(const struct node *n)
{
    return node_in(n, 0) && n->in[0]->type == TYPE_FLOAT32;
}

bool recurrent_state(const struct node *n, uint32_t i, enum tensor_type type, int32_t batch, int32_t width, struct reason *why)
{
    const struct tensor *t = node_in(n, i);

    if (!gl_runtime(n, i, "state", why))
        return false;
    if (!t->is_variable || t->type != type || tensor_elems(t) != (size_t)batch * (size_t)width)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "the state, input %u, is %s, not a variable %s[%d,%d]", i,
                          TENSOR_TEXT(t), type_name(type), batch, width);
    return true;
}

/* p: the scale. Beside floats UINT8 has the bytes of INT8. */
static const struct ir_fn fn_reals = {"BYTES_TO_REALS", NULL, "vec4(a << 24 >> 24) * vec4(p.x)", .arity = 1, .params = true};

/* v itself where it is floats. NULL: out of memory. */
static struct ir_value *reals_of(struct ir *ir, const struct tensor *t, struct ir_value *v)
{
    struct ir_value *real;
    struct ir_op *op;

    if (!v || v->type == IR_FLOAT)
        return v;
    real = ir_temp_full(ir, IR_FLOAT, v->shape);
    if ((op = ir_copy(ir, v, real)))
        op->stores = IR_INT;
    return ir_apply(ir, op, &fn_reals, NULL, (float[4]){t->quant.scale[0]}, IR_FLOAT) ? real : NULL;
}

bool recurrent_floats(struct ir *ir, const struct node *n, uint32_t i, struct ir_value **out)
{
    const struct tensor *t = node_in(n, i);
    struct ir_shape s;

    *out = NULL;
    if (t)
        *out = t->is_const && ir_shape_of(t, &s) ? ir_const(ir, IR_FLOAT, s, ir_floats(ir, t)) : reals_of(ir, t, ir_in(ir, n, i));
    return *out || !t;
}
