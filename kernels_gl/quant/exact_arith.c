/* SPDX-License-Identifier: Apache-2.0 */
/* exact_arith.c - ADD, SUB, MUL, SQUARED_DIFFERENCE, PRELU of integers in fixed point; MAXIMUM and MINIMUM. */
#include "kernels_cpu/ops/arith.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"

struct exact_arith {
    struct arith_numbers n;
    bool subtracts, product, squared, slopes;
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_arith *e = op->attr;
    const struct arith_numbers *n = &e->n;

    gl_source_with(p, exact_fixed_comp, exact_arith_comp);
    gl_operands(p, "x z");
    GL_DEFINES(p, "BY_SHIFTS FRACTIONS PRODUCT SQUARED SLOPES SIGN LEFT", n->by_shifts, n->fractions, e->product, e->squared,
               e->slopes, e->subtracts ? -1 : 1, n->left);
    GL_PARAMS(p, "A_ZERO B_ZERO Y_ZERO A_MULT A_SHIFT B_MULT B_SHIFT Y_MULT Y_SHIFT LEAST MOST", n->a_zero, n->b_zero, n->y_zero,
              n->a_mul.mult, n->a_mul.shift, n->b_mul.mult, n->b_mul.shift, n->y_mul.mult, n->y_mul.shift, n->r.lo, n->r.hi);
}

static const struct gl_variant variants[] = {{"", NULL, emit}};
const struct ir_kind gl_kind_exact_arith = {.name = "exact_arith", GL_VARIANTS(variants)};

static enum status fill(const struct node *n, struct exact_arith *e, struct err *err)
{
    const struct opt_add *add = n->opt;
    const struct opt_sub *sub = n->opt;
    const struct opt_mul *mul = n->opt;

    *e = (struct exact_arith){{0}};
    switch (n->builtin) {
    case BUILTIN_ADD: return arith_sum_numbers(n, add->activation, add->pot_scale_int16, &e->n, err);
    case BUILTIN_SUB: e->subtracts = true; return arith_sum_numbers(n, sub->activation, sub->pot_scale_int16, &e->n, err);
    case BUILTIN_MUL: e->product = true; return arith_mul_numbers(n, mul->activation, &e->n, err);
    case BUILTIN_PRELU: e->slopes = true; return prelu_numbers(n, &e->n, err);
    default: e->squared = true; return squared_difference_numbers(n, &e->n, err);
    }
}

/* ---- the kernels ---- */

static bool one_type(const struct node *n, struct reason *why)
{
    const enum tensor_type a = n->in[0]->type, b = n->in[1]->type, y = n->out[0]->type;
    const bool fractions = n->builtin == BUILTIN_MUL && a == TYPE_INT16 && y != TYPE_INT16;

    if (n->builtin == BUILTIN_PRELU && a == TYPE_INT16 && b == TYPE_INT8 && y == a)
        return true;
    if (a != b || !(TAKES_QUANTIZED >> a & 1))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "operands of types %s and %s", type_name(a), type_name(b));
    if (n->builtin == BUILTIN_SQUARED_DIFFERENCE && a != TYPE_INT8)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "operands of type %s", type_name(a));
    if (y != a && !fractions)
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "operands of type %s, output of type %s", type_name(a),
                          type_name(y));
    return true;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct exact_arith e;
    struct err err = {""};

    if (!gl_operands_fit(lim, n, why) || !one_type(n, why))
        return false;
    return fill(n, &e, &err) ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg) : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct operands o = elementwise_operands(ir, n, 2);
    struct ir_op *op = elementwise_fold(ir, &o)
                           ? ir_op_new(ir, &gl_kind_exact_arith, o.in, 2, o.natural, sizeof(struct exact_arith))
                           : NULL;

    if (!op || !ir_end_reshape(ir, o.natural, o.y))
        return ir_nomem(err);
    return fill(n, op->attr, err);
}

const struct gl_kernel gl_exact_arith = {
    .max_version = GL_ANY_VERSION, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};

/* ---- integers as they are, whatever their steps ---- */

static bool plain_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return gl_operands_fit(lim, n, why) && one_type(n, why);
}

const struct gl_kernel gl_exact_plain = {.max_version = GL_ANY_VERSION,
                                         .in_types = TAKES_QUANTIZED,
                                         .out_types = TAKES_QUANTIZED,
                                         .accept = plain_accept,
                                         .lower = elementwise_lower};
