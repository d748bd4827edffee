/* SPDX-License-Identifier: Apache-2.0 */
/* exact_softmax.c - SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION of rows in fixed point: exponentials of the differences to a row's
 * largest value come from tables of the CPU's. */
#include "kernels_cpu/ops/softmax.h"
#include "kernels_cpu/quant/fixed_exp.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/operands.h"

/* A difference of two bytes lies in 0 .. DIFFERENCES - 1. */
#define DIFFERENCES 256

/* Words of a table of LUT16_POINTS, in vectors. */
#define POINTS 516

struct exact_rows {
    int32_t op;               /* BUILTIN_* */
    struct softmax_plan plan; /* not of L2_NORMALIZATION */
    int32_t zero;             /* of x */
    struct range_i32 range;   /* of y */
};

/* exp(-d) with 31 fractional bits, of LOG_SOFTMAX 19; 0 from where on the CPU leaves it out of sums. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_rows *r = arg;
    const struct softmax_plan *p = &r->plan;
    int32_t *out = to;

    for (int32_t d = 4 * (int32_t)first; d < 4 * (int32_t)(first + n); d++) {
        const int32_t e = -d < p->diff_min ? 0 : fixed_exp_q5(fixed_mul_high(fixed_shift_left(-d, p->scale.shift), p->scale.mult));

        *out++ = r->op == BUILTIN_LOG_SOFTMAX ? fixed_shift_right(e, 12) : e;
    }
}

static void pack_wide(const void *arg, size_t first, size_t n, void *to)
{
    const struct softmax_plan *plan = &((const struct exact_rows *)arg)->plan;
    int32_t *out = to;

    for (size_t k = 4 * first; k < 4 * (first + n); k++) {
        const size_t i = k % POINTS;

        *out++ = i >= LUT16_POINTS ? 0 : k < POINTS ? plan->exp_lut[i] : plan->reciprocal_lut[i];
    }
}

static void grid_of_rows(struct gl_shader *p, const struct ir_op *op)
{
    const struct ir_shape s = op->out->shape;

    gl_grid_of(p, s.b, s.h, s.w, 1);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_rows *r = op->attr;

    gl_source_of(p, (const char *const[]){exact_fixed_comp, exact_reciprocal_comp, exact_softmax_comp}, 3);
    gl_operands(p, "x");
    gl_table(p, "t", DIFFERENCES / 4, pack, r, sizeof *r);
    GL_DEFINES(p, "OUT_BITS LEAST MOST", r->range.hi > UINT8_MAX ? 16 : 8, r->range.lo, r->range.hi);
    grid_of_rows(p, op);
}

static void emit_wide(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_rows *r = op->attr;

    gl_source_with(p, exact_fixed_comp, exact_softmax_wide_comp);
    gl_operands(p, "x");
    gl_table(p, "t", 2 * POINTS / 4, pack_wide, r, sizeof *r);
    gl_define(p, "POINTS", POINTS);
    GL_PARAMS(p, "MULT SHIFT", r->plan.scale.mult, r->plan.scale.shift);
    grid_of_rows(p, op);
}

static void emit_norm(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_rows *r = op->attr;

    gl_source_of(p, (const char *const[]){exact_fixed_comp, exact_reciprocal_comp, exact_inv_sqrt_comp, exact_row_norm_comp}, 4);
    gl_operands(p, "x");
    GL_DEFINES(p, "LEAST MOST", r->range.lo, r->range.hi);
    if (r->op == BUILTIN_L2_NORMALIZATION) {
        gl_define(p, "L2_NORM", 1);
        gl_param(p, "ZERO", r->zero);
    } else {
        gl_table(p, "t", DIFFERENCES / 4, pack, r, sizeof *r);
        GL_PARAMS(p, "MULT SHIFT REVERSE_MULT REVERSE_SHIFT DIFF_MIN", r->plan.scale.mult, r->plan.scale.shift,
                  r->plan.reverse.mult, r->plan.reverse.shift, r->plan.diff_min);
    }
    grid_of_rows(p, op);
}

static uint64_t iterations(const struct ir_op *op)
{
    return 3 * GL_PASSES((uint64_t)ir_slices(op->out->shape));
}

static uint64_t iterations_norm(const struct ir_op *op)
{
    return 3 * GL_PASSES((uint64_t)ir_slices(op->out->shape), 4);
}

static const struct gl_variant variants[] = {{"serial", NULL, emit, .iterations = iterations}};
static const struct gl_variant wide_variants[] = {{"serial", NULL, emit_wide, .iterations = iterations}};
static const struct gl_variant norm_variants[] = {{"serial", NULL, emit_norm, .iterations = iterations_norm}};
const struct ir_kind gl_kind_exact_softmax = {.name = "exact_softmax", .constants = 1, GL_VARIANTS(variants)};
const struct ir_kind gl_kind_exact_softmax_wide = {.name = "exact_softmax_wide", .constants = 1, GL_VARIANTS(wide_variants)};
const struct ir_kind gl_kind_exact_row_norm = {.name = "exact_row_norm", .constants = 1, GL_VARIANTS(norm_variants)};

/* ---- the operators ---- */

/* Of so many exponentials with 19 fractional bits the sum fits 32 bits, of half as many, or squares of 16, 31; of 16 bits so many
 * exponentials of 15 fit 31. */
static int32_t most_channels(const struct node *n)
{
    return n->builtin != BUILTIN_SOFTMAX ? 4095 : n->in[0]->type == TYPE_INT16 ? 65535 : 8191;
}

static enum status fill(const struct node *n, struct exact_rows *r, struct err *err)
{
    const struct tensor *x = n->in[0], *y = n->out[0];

    *r = (struct exact_rows){.op = n->builtin, .zero = quant_zero(x), .range = int_limits(y->type)};
    if (n->builtin == BUILTIN_SOFTMAX)
        return softmax_quant_init(&r->plan, n, ((const struct opt_softmax *)n->opt)->beta, err);
    if (n->builtin == BUILTIN_LOG_SOFTMAX)
        return log_softmax_quant_init(&r->plan, n, err);
    if (x->type == TYPE_INT16 || quant_scale(y) != 1.0f / 128 || quant_zero(y) != (x->type == TYPE_INT8 ? 0 : 128))
        return err_set(err, ST_UNSUPPORTED, "the output must have 8 bits, scale 1/128 and its zero point in the middle");
    return quant_check(x, err);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *x = node_in(n, 0);
    struct exact_rows r;
    struct err err = {""};

    if (!n->op->gl->accept(lim, n, why) || (n->builtin != BUILTIN_SOFTMAX && !gl_keeps_type(n, why)))
        return false;
    if (x->dim[x->rank - 1] > most_channels(n))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "a sum of %d %s may leave 32 bits", x->dim[x->rank - 1],
                          n->builtin == BUILTIN_SOFTMAX ? "exponentials" : "terms");
    return fill(n, &r, &err) ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg) : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct ir_kind *kind = n->builtin != BUILTIN_SOFTMAX  ? &gl_kind_exact_row_norm
                                 : n->in[0]->type == TYPE_INT16 ? &gl_kind_exact_softmax_wide
                                                                : &gl_kind_exact_softmax;
    struct ir_op *op = ir_op_new(ir, kind, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof(struct exact_rows));

    return op ? fill(n, op->attr, err) : ir_nomem(err);
}

const struct gl_kernel gl_exact_softmax = {
    .max_version = 3, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};
