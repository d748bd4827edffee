/* SPDX-License-Identifier: Apache-2.0 */
/* exact_dequantize.c - DEQUANTIZE: a table, or where channels along an axis have scales of their own, (x - zero point) * scale. */
#include "kernels_cpu/quant/channel_runs.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/quant/exact_table.h"

static const struct ir_fn fn_minus = {"MINUS", NULL, "a - b", .arity = 2};
static const struct ir_fn fn_real = {"REAL", NULL, "vec4(a)", .arity = 1};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *x = node_in(n, 0);
    struct err err = {""};

    if (!x || x->quant.n <= 1)
        return gl_exact_table.accept(lim, n, why);
    if (!gl_runtime(n, 0, "input", why))
        return false;
    if (channel_runs_check(x, &err))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
    return x->rank <= 4 ||
           reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "%u scales along an axis of %s", x->quant.n, TENSOR_TEXT(x));
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    const struct ir_shape one = {1, 1, 1, 1};
    const int axis = 4 - x->rank + x->quant.dim;
    struct ir_value *zeros, *scales;
    int32_t *zero;
    struct ir_op *op;

    if (x->quant.n <= 1)
        return gl_exact_table.lower(ir, n, err);
    if (!(zero = ARENA_ARRAY(ir->arena, x->quant.n, int32_t)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < x->quant.n; i++)
        zero[i] = channel_zero(x, i);
    zeros = ir_const(ir, IR_INT, ir_with(one, axis, (int32_t)x->quant.n), zero);
    scales = ir_const(ir, IR_FLOAT, ir_with(one, axis, (int32_t)x->quant.n), x->quant.scale);
    op = ir_copy(ir, ir_in(ir, n, 0), ir_out(ir, n, 0));
    if (!zeros || !scales || !op)
        return ir_nomem(err);
    op->stores = IR_INT;
    return ir_apply(ir, op, &fn_minus, (struct ir_value *[3]){NULL, zeros}, NULL, IR_INT) &&
                   ir_apply(ir, op, &fn_real, NULL, NULL, IR_FLOAT) &&
                   ir_apply(ir, op, &fn_mul, (struct ir_value *[3]){NULL, scales}, NULL, IR_FLOAT)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_exact_dequantize = {
    .max_version = GL_ANY_VERSION, .in_types = TAKES_QUANTIZED, .out_types = TAKES_FLOAT, .accept = accept, .lower = lower};
