/* SPDX-License-Identifier: Apache-2.0 */
/* exact_softmax.c - SOFTMAX in fixed point: exponentials of the differences to a row's largest value from tables of the CPU's. */
#include "kernels_cpu/ops/softmax.h"
#include "kernels_cpu/quant/fixed_exp.h"
#include "kernels_gl/common/kinds.h"
#include "lib/gl/codegen/shader.h"

/* A difference of two bytes lies in 0 .. DIFFERENCES - 1. */
#define DIFFERENCES 256

/* Of so many exponentials with 19 fractional bits the sum fits 32 bits. */
#define MOST_CHANNELS 8191

struct exact_softmax {
    struct softmax_plan plan;
    enum tensor_type out;
};

/* exp(-d) with 31 fractional bits; 0 from where on the CPU leaves it out of sums. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct softmax_plan *plan = &((const struct exact_softmax *)arg)->plan;
    int32_t *out = to;

    for (int32_t d = 4 * (int32_t)first; d < 4 * (int32_t)(first + n); d++)
        *out++ = -d < plan->diff_min ? 0 : fixed_exp_q5(fixed_mul_high(fixed_shift_left(-d, plan->scale.shift), plan->scale.mult));
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_softmax *softmax = op->attr;
    const struct ir_shape s = op->out->shape;
    const bool wide = softmax->out == TYPE_INT16, is_signed = softmax->out != TYPE_UINT8;
    gl_source_of(p, (const char *const[]){exact_fixed_comp, exact_reciprocal_comp, exact_softmax_comp}, 3);
    gl_operands(p, "x");
    gl_table(p, "t", DIFFERENCES / 4, pack, softmax, sizeof *softmax);
    GL_DEFINES(p, "OUT_BITS LEAST MOST", wide ? 16 : 8,
               wide        ? INT16_MIN
               : is_signed ? INT8_MIN
                           : 0,
               wide        ? INT16_MAX
               : is_signed ? INT8_MAX
                           : UINT8_MAX);
    gl_grid_of(p, s.b, s.h, s.w, 1);
}

static uint64_t iterations(const struct ir_op *op)
{
    return 3 * GL_PASSES((uint64_t)ir_slices(op->out->shape));
}

static const struct gl_variant variants[] = {{"serial", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_softmax = {.name = "exact_softmax", .constants = 1, GL_VARIANTS(variants)};

/* ---- 16 bits ---- */

/* Words of a table of LUT16_POINTS, in vectors. */
#define POINTS 516

static void pack_wide(const void *arg, size_t first, size_t n, void *to)
{
    const struct softmax_plan *plan = &((const struct exact_softmax *)arg)->plan;
    int32_t *out = to;

    for (size_t k = 4 * first; k < 4 * (first + n); k++) {
        const size_t i = k % POINTS;

        *out++ = i >= LUT16_POINTS ? 0 : k < POINTS ? plan->exp_lut[i] : plan->reciprocal_lut[i];
    }
}

static void emit_wide(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_softmax *softmax = op->attr;
    const struct ir_shape s = op->out->shape;

    gl_source_with(p, exact_fixed_comp, exact_softmax_wide_comp);
    gl_operands(p, "x");
    gl_table(p, "t", 2 * POINTS / 4, pack_wide, softmax, sizeof *softmax);
    gl_define(p, "POINTS", POINTS);
    GL_PARAMS(p, "MULT SHIFT", softmax->plan.scale.mult, softmax->plan.scale.shift);
    gl_grid_of(p, s.b, s.h, s.w, 1);
}

static const struct gl_variant wide_variants[] = {{"serial", NULL, emit_wide, .iterations = iterations}};
const struct ir_kind gl_kind_exact_softmax_wide = {.name = "exact_softmax_wide", .constants = 1, GL_VARIANTS(wide_variants)};

/* ---- the operator ---- */

/* Of 16 bits so many exponentials of 15 fit 31. */
static int32_t most_channels(const struct tensor *x)
{
    return x->type == TYPE_INT16 ? 65535 : MOST_CHANNELS;
}

static enum status fill(const struct node *n, struct exact_softmax *softmax, struct err *err)
{
    *softmax = (struct exact_softmax){.out = n->out[0]->type};
    return softmax_quant_init(&softmax->plan, n, ((const struct opt_softmax *)n->opt)->beta, err);
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct tensor *x = node_in(n, 0);
    struct exact_softmax softmax;
    struct err err = {""};

    if (!n->op->gl->accept(lim, g, n, why))
        return false;
    if (x->dim[x->rank - 1] > most_channels(x))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "a sum of %d exponentials may leave 32 bits", x->dim[x->rank - 1]);
    return fill(n, &softmax, &err) ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg) : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct ir_kind *kind = n->in[0]->type == TYPE_INT16 ? &gl_kind_exact_softmax_wide : &gl_kind_exact_softmax;
    struct ir_op *op = ir_op_new(ir, kind, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof(struct exact_softmax));

    return op ? fill(n, op->attr, err) : ir_nomem(err);
}

const struct gl_kernel gl_exact_softmax = {
    .max_version = 3, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};
