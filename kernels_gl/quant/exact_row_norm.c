/* SPDX-License-Identifier: Apache-2.0 */
/* exact_row_norm.c - L2_NORMALIZATION and LOG_SOFTMAX of bytes in fixed point. */
#include "kernels_cpu/ops/softmax.h"
#include "kernels_cpu/quant/fixed_exp.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"

/* A difference of two bytes lies in 0 .. DIFFERENCES - 1. */
#define DIFFERENCES 256

/* Of so many exponentials with 19 fractional bits, or squares of 16, the sum fits 31 bits. */
#define MOST_CHANNELS 4095

struct exact_row_norm {
    bool l2;
    int32_t zero;
    enum tensor_type type;
    struct softmax_plan plan; /* of LOG_SOFTMAX */
};

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct softmax_plan *p = &((const struct exact_row_norm *)arg)->plan;
    int32_t *out = to;

    for (int32_t d = 4 * (int32_t)first; d < 4 * (int32_t)(first + n); d++)
        *out++ = -d < p->diff_min
                     ? 0
                     : fixed_shift_right(fixed_exp_q5(fixed_mul_high(fixed_shift_left(-d, p->scale.shift), p->scale.mult)), 12);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_row_norm *r = op->attr;
    const struct ir_shape s = op->out->shape;
    const struct range_i32 range = int_limits(r->type);

    gl_source_of(p, (const char *const[]){exact_fixed_comp, exact_reciprocal_comp, exact_inv_sqrt_comp, exact_row_norm_comp}, 4);
    gl_operands(p, "x");
    GL_DEFINES(p, "LEAST MOST", range.lo, range.hi);
    if (r->l2) {
        gl_define(p, "L2_NORM", 1);
        gl_param(p, "ZERO", r->zero);
    } else {
        gl_table(p, "t", DIFFERENCES / 4, pack, r, sizeof *r);
        GL_PARAMS(p, "MULT SHIFT REVERSE_MULT REVERSE_SHIFT DIFF_MIN", r->plan.scale.mult, r->plan.scale.shift,
                  r->plan.reverse.mult, r->plan.reverse.shift, r->plan.diff_min);
    }
    gl_grid_of(p, s.b, s.h, s.w, 1);
}

static uint64_t iterations(const struct ir_op *op)
{
    return 3 * GL_PASSES((uint64_t)ir_slices(op->out->shape), 4);
}

static const struct gl_variant variants[] = {{"serial", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_row_norm = {.name = "exact_row_norm", .constants = 1, GL_VARIANTS(variants)};

static enum status fill(const struct node *n, struct exact_row_norm *r, struct err *err)
{
    const struct tensor *x = n->in[0], *y = n->out[0];

    *r = (struct exact_row_norm){.l2 = n->builtin == BUILTIN_L2_NORMALIZATION, .zero = quant_zero(x), .type = x->type};
    if (!r->l2)
        return log_softmax_quant_init(&r->plan, n, err);
    if (x->type == TYPE_INT16 || quant_scale(y) != 1.0f / 128 || quant_zero(y) != (x->type == TYPE_INT8 ? 0 : 128))
        return err_set(err, ST_UNSUPPORTED, "the output must have 8 bits, scale 1/128 and its zero point in the middle");
    return quant_check(x, err);
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct tensor *x = node_in(n, 0);
    struct exact_row_norm r;
    struct err err = {""};

    if (!n->op->gl->accept(lim, g, n, why) || !gl_keeps_type(n, why))
        return false;
    if (x->dim[x->rank - 1] > MOST_CHANNELS)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "a sum of %d terms may leave 32 bits", x->dim[x->rank - 1]);
    return fill(n, &r, &err) ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg) : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_op *op = ir_op_new(ir, &gl_kind_exact_row_norm, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0),
                                 sizeof(struct exact_row_norm));

    return op ? fill(n, op->attr, err) : ir_nomem(err);
}

const struct gl_kernel gl_exact_row_norm = {
    .max_version = 2, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};
