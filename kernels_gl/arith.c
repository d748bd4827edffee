/* SPDX-License-Identifier: Apache-2.0 */
/* arith.c - ADD, SUB, MUL, DIV, with a fused activation. */
#include "requantize.h"
#include "elementwise.h"

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

static bool arith_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct tensor *divisor = n->builtin == BUILTIN_DIV ? node_in(n, 1) : NULL;

    if (!elementwise_accept(lim, g, n, why) || !gl_activation(fused_activation(n), why))
        return false;
    for (size_t i = 0; divisor && divisor->is_const && divisor->type == TYPE_INT32 && i < tensor_elems(divisor); i++)
        if (tensor_int(divisor, i) == 0)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "division by zero at element %zu of input 1", i);
    return true;
}

const struct ir_fn fn_add = {"ADD", 2, "a + b", "a + b", .role = IR_FN_SUM};
static const struct ir_fn fn_sub = {"SUB", 2, "a - b", "a - b"};
const struct ir_fn fn_mul = {"MUL", 2, "a * b", "a * b", .role = IR_FN_PRODUCT};
static const struct ir_fn fn_div = {"DIV", 2, "a / b", "quotient(a, b)", .helper = quotient_comp};

/* Of integers, with one scale each. */
static bool is_product(const struct node *n)
{
    for (uint32_t i = 0; i < 2; i++)
        if (n->in[i]->quant.n != 1 || n->in[i]->type != n->out[0]->type)
            return false;
    return ir_is_quantized(n->out[0]);
}

static enum status arith_lower(struct ir *ir, const struct node *n, struct err *err)
{
    enum activation act = fused_activation(n);
    enum status st = ST_OK;

    if (n->op->gl->arg == &fn_mul && is_product(n))
        st = requantize_by(ir, n, (double)n->in[0]->quant.scale[0] * (double)n->in[1]->quant.scale[0], &act, err);
    return st ? st : elementwise_map(ir, n, n->op->gl->arg, NULL, act, err);
}

#define ARITH(function, types, version)                                                                                            \
    {                                                                                                                              \
        .max_version = version, .quantized = TAKES_QUANTIZED, .in_types = types, .out_types = types, .accept = arith_accept,       \
        .lower = arith_lower, .arg = &(function)                                                                                   \
    }

const struct gl_kernel gl_add = ARITH(fn_add, FLOAT_OR_INT, 5);
const struct gl_kernel gl_sub = ARITH(fn_sub, FLOAT_OR_INT, 5);
const struct gl_kernel gl_mul = ARITH(fn_mul, FLOAT_OR_INT, 7);
const struct gl_kernel gl_div = ARITH(fn_div, FLOAT_OR_INT, 2);
