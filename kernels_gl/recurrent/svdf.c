/* SPDX-License-Identifier: Apache-2.0 */
/* svdf.c - SVDF: a fully connected layer over a window of time, its matrix factored into features and time.
 *
 * Three operations: the features of the input, a convolution; the state, [batch, filters, memory], moved on by one time; its sums
 * by the time weights, `rank` filters to an output. Exactly, of floats with 8-bit weights: the input is quantized at run time, and
 * sums are added in the CPU's order; of INT8: features and state of 16 bits, whose sums are requantized once. */
#include "kernels_cpu/recurrent/svdf.h"

#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/matmul/exact_hybrid.h"
#include "kernels_gl/matmul/exact_hybrid_rows.h"
#include "kernels_gl/recurrent/recurrent.h"

/* ---- the state moves on ---- */

static void emit_shift(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, svdf_comp);
    gl_define(p, "MOVES", 1);
    gl_define_types(p, op->stores);
    gl_operands(p, "x state");
}

static const struct gl_variant shifts[] = {{"", NULL, emit_shift, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_svdf_shift = {.name = "svdf_shift", GL_VARIANTS(shifts)};

/* ---- sums ---- */

static void emit_sum(struct gl_shader *p, const struct ir_op *op)
{
    const struct svdf *s = op->attr;
    const bool exact = op->kind == &gl_kind_exact_svdf;

    gl_source_with(p, exact ? exact_fixed_comp : "", svdf_comp);
    gl_define_types(p, op->stores);
    gl_define(p, "EXACT", exact);
    gl_define(p, "BIAS", op->n_in > 2);
    GL_PARAMS(p, "RANK MEMORY", s->rank, s->memory);
    if (exact)
        GL_PARAMS(p, "MULT SHIFT ZERO", s->to_output.mult, s->to_output.shift, s->y_zero);
    gl_operands(p, "state t e");
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct svdf *s = op->attr;

    return GL_PASSES((uint64_t)s->rank, (uint64_t)s->memory);
}

static const struct gl_variant sums[] = {{"", NULL, emit_sum, .iterations = iterations}};
const struct ir_kind gl_kind_svdf_sum = {.name = "svdf_sum", GL_VARIANTS(sums)};
const struct ir_kind gl_kind_exact_svdf = {.name = "exact_svdf", GL_VARIANTS(sums)};

/* ---- the operator ---- */

static bool is_float(const struct node *n)
{
    return node_in(n, SVDF_X) && n->in[SVDF_X]->type == TYPE_FLOAT32;
}

static bool weights_fit(const struct node *n, const struct svdf *s, struct reason *why)
{
    if (!is_float(n))
        return gl_constant(n, SVDF_FEATURE, "feature weights", why) && gl_constant(n, SVDF_TIME, "time weights", why) &&
               (!s->bias || gl_constant(n, SVDF_BIAS, "bias", why));
    return gl_activation(((const struct opt_svdf *)n->opt)->activation, why) &&
           recurrent_weights_fit(n, SVDF_FEATURE, s->feature->type, why) &&
           recurrent_weights_fit(n, SVDF_TIME, s->feature->type, why) && recurrent_weights_fit(n, SVDF_BIAS, TYPE_FLOAT32, why);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct svdf s;
    struct err err = {""};

    (void)lim;
    if (!gl_runtime(n, SVDF_X, "input", why))
        return false;
    if (svdf_from_node(n, &s, &err))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%s", err.msg);
    if (s.filters < 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "weights %s and time weights %s", TENSOR_TEXT(s.feature),
                          TENSOR_TEXT(s.time));
    return weights_fit(n, &s, why);
}

static bool accept_exact(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return accept(lim, n, why) && (!is_float(n) || exact_hybrid_fits(lim, why));
}

/* Each row of x times the features' weights. */
static struct ir_op *add_features(struct ir *ir, const struct node *n, const struct svdf *s, struct ir_value *x, struct ir_value *y)
{
    const struct tensor *feature = s->feature;
    struct exact_weights weights;
    struct exact_requant q;
    struct ir_value *w;

    if (is_float(n) && ir->lowering.exact && feature->type != TYPE_FLOAT32)
        return ir_exact_hybrid_rows(ir, x, feature, NULL, ((const struct opt_svdf *)n->opt)->asymmetric_quantize_inputs, y);
    if (is_float(n))
        return recurrent_floats(ir, feature, &w) ? recurrent_product(ir, x, w, NULL, y) : NULL;
    weights = exact_weights_of_rows(feature->data, TYPE_INT8, (size_t)s->filters, (size_t)feature->dim[1]);
    return exact_requant_fixed(&q, weights.n_out, NULL, &s->to_state, 0, int_limits(TYPE_INT16), ir->arena)
               ? ir_exact_rows(ir, x, NULL, s->x_zero, &weights, &q, y)
               : NULL;
}

/* The time weights of integers, [rank * memory][units]: lanes are outputs. NULL: out of memory. */
static struct ir_value *time_by_units(struct ir *ir, const struct svdf *s)
{
    const size_t units = (size_t)s->units, each = (size_t)s->rank * (size_t)s->memory;
    const int16_t *time = s->time->data;
    int32_t *to = ARENA_ARRAY(ir->arena, units * each, int32_t);

    for (size_t i = 0; to && i < units * each; i++)
        to[i % each * units + i / each] = time[i];
    return ir_const(ir, IR_INT, (struct ir_shape){1, 1, (int32_t)each, s->units}, to);
}

static bool add_sums(struct ir *ir, const struct node *n, const struct svdf *s, struct ir_value *state, struct ir_value *y)
{
    struct ir_value *in[3] = {state};
    struct ir_op *op;

    if (!is_float(n)) {
        in[1] = time_by_units(ir, s);
        in[2] = s->bias ? ir_const(ir, IR_INT, (struct ir_shape){1, 1, 1, s->units}, s->bias->data) : NULL;
    } else if (!recurrent_floats(ir, s->time, &in[1]) || !recurrent_floats(ir, s->bias, &in[2])) {
        return false;
    }
    if (!in[1] || !in[2] != !s->bias ||
        !(op = ir_op_with(ir, is_float(n) ? &gl_kind_svdf_sum : &gl_kind_exact_svdf, in, in[2] ? 3 : 2, y, s, sizeof *s)))
        return false;
    return !is_float(n) || ir_activation(ir, op, ((const struct opt_svdf *)n->opt)->activation);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, SVDF_X), *y = ir_out(ir, n, 0), *old = ir_in(ir, n, SVDF_STATE), *before, *state, *features,
                    *kept;
    struct ir_shape all;
    struct svdf s;
    enum status st;

    if ((st = svdf_from_node(n, &s, err)))
        return st;
    if (!x || !y || !old)
        return ir_nomem(err);
    all = (struct ir_shape){1, s.batch, s.filters, s.memory};
    before = ir_reshaped(ir, old, all);
    state = is_float(n) ? ir_temp_full(ir, IR_FLOAT, all) : ir_temp(ir, IR_INT, all);
    all = (struct ir_shape){1, 1, s.batch, s.filters};
    features = is_float(n) ? ir_temp_full(ir, IR_FLOAT, all) : ir_temp(ir, IR_INT, all);
    if (!add_features(ir, n, &s, x, features) || !ir_op_new(ir, &gl_kind_svdf_shift, IR_INS(features, before), state, 0) ||
        !(kept = ir_reshaped(ir, state, old->shape)) || !add_sums(ir, n, &s, state, y))
        return ir_nomem(err);
    ir_set_variable(ir, n->in[SVDF_STATE], kept);
    return ST_OK;
}

const struct gl_kernel gl_svdf = {
    .max_version = 4, .quantized = 1u << TYPE_INT8, .accept = accept, .lower = lower, .updates_variables = true};
const struct gl_kernel gl_exact_svdf = {.max_version = 4,
                                        .in_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                        .out_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                        .accept = accept_exact,
                                        .lower = lower,
                                        .updates_variables = true};
