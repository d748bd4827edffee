/* SPDX-License-Identifier: Apache-2.0 */
/* exact_reduce.c - MEAN and SUM of integers: sums of 32 bits, then one product in fixed point that divides, too. REDUCE_PROD:
 * products of 64 bits, scaled one by one. */
#include "kernels_cpu/ops/reduce_quant.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/common/operands.h"

/* b and c: multiplier and shift; p: the zero point, and the type's limits less that. */
static const struct ir_fn fn_scale = {.name = "REQUANT",
                                      .arity = 3,
                                      .i = "clamp(fixed_scale(a, b, c), ivec4(p.y), ivec4(p.z)) + ivec4(p.x)",
                                      .params = true,
                                      .helper = exact_fixed_comp};

static size_t per_output(const struct node *n)
{
    return tensor_elems(n->in[0]) / tensor_elems(n->out[0]);
}

static enum status scale_of(const struct node *n, struct fixed_mul *m, struct err *err)
{
    return reduce_quant_scale(n, n->builtin == BUILTIN_MEAN ? per_output(n) : 1, m, err);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *quantized[] = {n->in[0], n->out[0]};
    struct fixed_mul m;
    struct err err = {""};

    if (!n->op->gl->accept(lim, n, why) || !gl_keeps_type(n, why))
        return false;
    return quant_check_all(quantized, 2, &err) || quant_check_symmetric(quantized[0], &err) || scale_of(n, &m, &err)
               ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg)
               : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct range_i32 range = int_limits(n->out[0]->type);
    const int32_t zero = quant_zero(n->out[0]);
    const uint32_t offset = (uint32_t)quant_zero(n->in[0]) * (uint32_t)per_output(n);
    struct ir_value *y = ir_out(ir, n, 0), *sums = y ? ir_temp(ir, IR_INT, y->shape) : NULL, *less, *mult, *shift;
    struct fixed_mul m;
    struct ir_op *op;
    enum status st = scale_of(n, &m, err);

    if (st)
        return st;
    less = ir_number(ir, (int32_t)(0 - offset));
    mult = ir_number(ir, m.mult);
    shift = ir_number(ir, m.shift);
    if (!sums || !less || !mult || !shift)
        return ir_nomem(err);
    if ((st = ir_sum_axes(ir, n, sums, err)))
        return st;
    op = ir_copy(ir, sums, y);
    return ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, less, NULL}, NULL, IR_INT) &&
                   ir_apply(ir, op, &fn_scale, (struct ir_value *[3]){NULL, mult, shift},
                            (const float[4]){(float)zero, (float)(range.lo - zero), (float)(range.hi - zero)}, IR_INT)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_exact_reduce = {
    .max_version = 3, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};

/* ---- REDUCE_PROD ---- */

static bool prod_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *quantized[] = {n->in[0], n->out[0]};
    struct fixed_mul m;
    struct err err = {""};

    if (!n->op->gl->accept(lim, n, why))
        return false;
    return quant_check_all(quantized, 2, &err) || reduce_prod_quant_scale(n, &m, &err)
               ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg)
               : true;
}

static enum status prod_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct range_i32 range = int_limits(n->out[0]->type);
    struct exact_product p = {quant_zero(n->in[0]), quant_zero(n->out[0]), range.lo, range.hi, 0, 0};
    struct fixed_mul m;
    enum status st = reduce_prod_quant_scale(n, &m, err);

    if (st)
        return st;
    fixed_scale64_parts(m, &p.mult, &p.shift);
    return ir_product_axes(ir, n, &p, ir_out(ir, n, 0), err);
}

const struct gl_kernel gl_exact_reduce_prod = {
    .max_version = 3, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = prod_accept, .lower = prod_lower};
