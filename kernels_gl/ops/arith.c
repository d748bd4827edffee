/* SPDX-License-Identifier: Apache-2.0 */
/* arith.c - ADD, SUB, MUL, DIV, with a fused activation. */
#include "kernels_gl/quant/requantize.h"

#include <math.h>

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/int64/int64.h"
#include "lib/gl/lower/exact.h"

static enum activation fused_activation(const struct node *n)
{
    switch (n->options_kind) {
    case OPTIONS_ADD: return ((const struct opt_add *)n->opt)->activation;
    case OPTIONS_SUB: return ((const struct opt_sub *)n->opt)->activation;
    case OPTIONS_MUL: return ((const struct opt_mul *)n->opt)->activation;
    case OPTIONS_DIV: return ((const struct opt_div *)n->opt)->activation;
    default: return ACT_NONE;
    }
}

static bool arith_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!elementwise_accept(lim, n, why) || !gl_activation(fused_activation(n), why))
        return false;
    if (n->out[0]->type == TYPE_UINT32 && fused_activation(n) != ACT_NONE)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "a fused activation of UINT32");
    return n->builtin != BUILTIN_DIV || n->in[1]->type != TYPE_INT32 || elementwise_divisor_fits(n, false, why);
}

const struct ir_fn fn_add = {"ADD", "a + b", "a + b", .arity = 2, .role = IR_FN_SUM};
static const struct ir_fn fn_sub = {"SUB", "a - b", "a - b", .arity = 2};
const struct ir_fn fn_mul = {"MUL", "a * b", "a * b", .arity = 2, .role = IR_FN_PRODUCT};
static const struct ir_fn fn_div = {"DIV", "a / b", "quotient(a, b)", .arity = 2, .helper = quotient_comp};

/* Of integers, with one scale each. */
static bool is_of_steps(const struct node *n)
{
    for (uint32_t i = 0; i < 2; i++)
        if (n->in[i]->quant.n != 1 || n->in[i]->type != n->out[0]->type)
            return false;
    return ir_is_quantized(n->out[0]);
}

/* The numbers with which the CPU adds or multiplies integers. False: it does neither, or there are no reals of such steps. */
static bool integer_numbers(const struct node *n, struct arith_numbers *q)
{
    const enum activation act = fused_activation(n);
    struct err err;

    if (!is_of_steps(n))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (!isnormal(1 / n->in[i]->quant.scale[0]))
            return false;
    switch (n->builtin) {
    case BUILTIN_ADD: return !arith_sum_numbers(n, act, ((const struct opt_add *)n->opt)->pot_scale_int16, q, &err);
    case BUILTIN_SUB: return !arith_sum_numbers(n, act, ((const struct opt_sub *)n->opt)->pot_scale_int16, q, &err);
    case BUILTIN_MUL: return !arith_mul_numbers(n, act, q, &err);
    default: return false;
    }
}

bool gl_reals_arith(const struct node *n)
{
    struct arith_numbers numbers;

    return integer_numbers(n, &numbers);
}

static enum status lower_integers(struct ir *ir, const struct node *n, const struct arith_numbers *q, struct err *err)
{
    struct operands o = elementwise_operands(ir, n, 2);
    enum status st;

    if (!elementwise_fold(ir, &o))
        return ir_nomem(err);
    st = n->builtin == BUILTIN_MUL ? requantize_factors(ir, n, q, o.in, o.natural, err)
                                   : requantize_terms(ir, n, q, n->builtin == BUILTIN_SUB, o.in, o.natural, err);
    return st || ir_end_reshape(ir, o.natural, o.y) ? st : ir_nomem(err);
}

static enum status arith_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct arith_numbers numbers;

    if (integer_numbers(n, &numbers))
        return lower_integers(ir, n, &numbers, err);
    return elementwise_map(ir, n, n->op->gl->arg, NULL, fused_activation(n), err);
}

#define ARITH(function, types, version, words)                                                                                     \
    {                                                                                                                              \
        .max_version = version, .quantized = TAKES_QUANTIZED, .in_types = types, .out_types = types, .accept = arith_accept,       \
        .lower = arith_lower, .arg = &(function), .int64 = (words)                                                                 \
    }

const struct gl_kernel gl_add = ARITH(fn_add, FLOAT_OR_INT, 6, &int64_add);
const struct gl_kernel gl_sub = ARITH(fn_sub, FLOAT_OR_INT, 5, &int64_sub);
const struct gl_kernel gl_mul = ARITH(fn_mul, TAKES_FLOAT | TAKES_INT32, 8, &int64_mul);
const struct gl_kernel gl_div = ARITH(fn_div, FLOAT_OR_INT, 2, NULL);
