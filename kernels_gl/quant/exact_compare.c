/* SPDX-License-Identifier: Apache-2.0 */
/* exact_compare.c - comparisons of quantized tensors: of 8 bits by a table, of 16 in integers.
 *
 * TFLite makes 2^8 of each step less the zero point, times the scale and rounded, and compares these; but in what order 16-bit
 * integers are it asks as if they had no scale. */
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/quant/exact_table.h"

/* 2^8 times a difference of 16-bit integers leaves so many bits of a word. */
#define MOST_SHIFT 5

/* b, c: struct fixed_mul of the scale; p: the zero point. */
static const struct ir_fn fn_part = {"REAL_PART", NULL,           "fixed_scale((a - ivec4(p.x)) << 8, b, c)",
                                     .arity = 3,  .params = true, .helper = exact_fixed_comp};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct fixed_mul m;

    if (n->in[0]->type != TYPE_INT16 || n->in[1]->type != TYPE_INT16)
        return gl_exact_table.accept(lim, n, why);
    for (uint32_t i = 0; i < 2; i++)
        if (n->in[i]->quant.n != 1 || !fixed_from_double((double)quant_scale(n->in[i]), &m) || m.shift > MOST_SHIFT)
            return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s is not quantized with one scale below 2^%d",
                              TENSOR_TEXT(n->in[i]), MOST_SHIFT);
    return gl_operands_fit(lim, n, why);
}

static struct ir_value *real_part(struct ir *ir, const struct tensor *t, struct ir_value *x)
{
    struct fixed_mul m;
    struct ir_value *y = x ? ir_temp(ir, IR_INT, x->shape) : NULL, *in[3] = {x, NULL, NULL};

    if (!y || !fixed_from_double((double)quant_scale(t), &m))
        return NULL;
    in[1] = ir_number(ir, m.mult);
    in[2] = ir_number(ir, m.shift);
    return in[1] && in[2] && ir_map(ir, &fn_part, in, (float[4]){(float)quant_zero(t)}, y) ? y : NULL;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const bool scaled = n->builtin == BUILTIN_EQUAL || n->builtin == BUILTIN_NOT_EQUAL;
    const struct ir_fn *fn = n->op->gl->arg;
    struct operands o;

    if (n->in[0]->type != TYPE_INT16)
        return gl_exact_table.lower(ir, n, err);
    o = elementwise_operands(ir, n, 2);
    for (uint32_t i = 0; i < 2 && scaled; i++)
        o.in[i] = real_part(ir, n->in[i], o.in[i]);
    return elementwise_fold(ir, &o) && ir_map(ir, fn, o.in, NULL, o.natural) && ir_end_reshape(ir, o.natural, o.y) ? ST_OK
                                                                                                                   : ir_nomem(err);
}

const struct gl_kernel gl_exact_compare = {
    .max_version = GL_ANY_VERSION, .in_types = TAKES_QUANTIZED, .out_types = TAKES_BOOL, .accept = accept, .lower = lower};
