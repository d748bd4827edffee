/* SPDX-License-Identifier: Apache-2.0 */
/* exact_svdf.c - SVDF of INT8: features and state of 16 bits, whose sums are requantized once. And of floats with 8-bit weights:
 * what makes features is quantized at run time, and the sums of them are added in the CPU's order. */
#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/matmul/exact_hybrid.h"
#include "kernels_gl/recurrent/recurrent.h"

enum { X, FEATURE, TIME, BIAS, STATE, N_INPUTS };

struct exact_svdf {
    const int16_t *time; /* [units * rank][memory] */
    const int32_t *bias; /* [units] or NULL */
    int32_t rank, memory, units, y_zero;
    struct fixed_mul to_state, to_output;
};

/* ---- sums ---- */

static size_t slices(const struct exact_svdf *s)
{
    return ((size_t)s->units + 3) / 4;
}

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_svdf *s = arg;
    const size_t rank = (size_t)s->rank, memory = (size_t)s->memory;
    int32_t *out = to;

    for (size_t i = first; i < first + n; i++)
        for (size_t k = 0; k < 4; k++) {
            const bool is_bias = i < slices(s);
            const size_t at = is_bias ? i : i - slices(s), unit = 4 * (is_bias ? at : at / (rank * memory)) + k;

            *out++ = unit >= (size_t)s->units ? 0
                     : !is_bias               ? s->time[(unit * rank + at / memory % rank) * memory + at % memory]
                     : s->bias                ? s->bias[unit]
                                              : 0;
        }
}

static size_t vectors(const struct exact_svdf *s)
{
    return slices(s) * ((size_t)s->rank * (size_t)s->memory + 1);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_svdf *s = op->attr;

    gl_source_with(p, exact_fixed_comp, exact_svdf_comp);
    gl_operands(p, "state");
    gl_table(p, "w", vectors(s), pack, s, sizeof *s);
    GL_PARAMS(p, "RANK MEMORY MULT SHIFT ZERO", s->rank, s->memory, s->to_output.mult, s->to_output.shift, s->y_zero);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct exact_svdf *s = op->attr;

    return GL_PASSES((uint64_t)s->rank, (uint64_t)s->memory);
}

static bool is_indexed(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return vectors(op->attr) <= INT32_MAX;
}

static const struct gl_variant variants[] = {{"", is_indexed, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_svdf = {.name = "exact_svdf", .constants = 1, GL_VARIANTS(variants)};

/* ---- the operator ---- */

/* Sizes have been checked. False where the CPU would refuse the scales. */
static bool fill(const struct node *n, struct exact_svdf *s)
{
    const float x = quant_scale(n->in[X]), w = quant_scale(n->in[FEATURE]), state = quant_scale(n->in[STATE]);
    const float time = quant_scale(n->in[TIME]), y = quant_scale(n->out[0]);

    *s = (struct exact_svdf){.time = n->in[TIME]->data,
                             .bias = node_in(n, BIAS) ? n->in[BIAS]->data : NULL,
                             .rank = ((const struct opt_svdf *)n->opt)->rank,
                             .memory = n->in[TIME]->dim[1],
                             .units = n->out[0]->dim[1],
                             .y_zero = quant_zero(n->out[0])};
    return x > 0 && w > 0 && state > 0 && time > 0 && y > 0 && fixed_from_double((double)(x * w / state), &s->to_state) &&
           fixed_from_double((double)(state * time / y), &s->to_output);
}

static bool is_matrix(const struct node *n, uint32_t i, enum tensor_type type, int32_t rows, int32_t cols, struct reason *why)
{
    const struct tensor *t = n->in[i];

    return (t->is_const && t->type == type && t->rank == 2 && t->dim[0] == rows && t->dim[1] == cols) ||
           reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "input %u is %s, not a constant %s[%d,%d]", i, TENSOR_TEXT(t),
                      type_name(type), rows, cols);
}

static bool types_fit(const struct node *n, struct reason *why)
{
    const struct tensor *x = n->in[X], *state = n->in[STATE], *bias = node_in(n, BIAS);

    if (x->type != TYPE_INT8 || n->out[0]->type != TYPE_INT8)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "inputs of type %s have no exact integer shader",
                          type_name(x->type));
    if (!state || !state->is_variable || state->type != TYPE_INT16)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the state is no variable of type INT16");
    if (bias && (!bias->is_const || bias->type != TYPE_INT32 || tensor_elems(bias) != (size_t)n->out[0]->dim[1]))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the bias is %s, not a constant INT32[%d]", TENSOR_TEXT(bias),
                          n->out[0]->dim[1]);
    return ((const struct opt_svdf *)n->opt)->activation == ACT_RELU ||
           reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "INT8 needs a fused RELU");
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct tensor *w = node_in(n, FEATURE), *time = node_in(n, TIME);
    struct exact_svdf s;

    if (node_in(n, X) && n->in[X]->type == TYPE_FLOAT32)
        return n->op->gl->accept(lim, g, n, why) && exact_hybrid_fits(lim, why);
    if (!gl_arity(n, 3, N_INPUTS, 1, why) || !gl_runtime(n, X, "input", why) || n->n_in != N_INPUTS || !types_fit(n, why))
        return false;
    if (w->rank != 2 || w->dim[0] < 1 || time->rank != 2 || time->dim[1] < 1 || time->dim[1] > INT32_MAX / w->dim[0])
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "weights %s and time weights %s", TENSOR_TEXT(w),
                          TENSOR_TEXT(time));
    if (!is_matrix(n, FEATURE, TYPE_INT8, w->dim[0], n->in[X]->dim[1], why) ||
        !is_matrix(n, TIME, TYPE_INT16, w->dim[0], time->dim[1], why))
        return false;
    return fill(n, &s) || reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "scales that are not above 0, or far apart");
}

/* One number for all features, which have neither bias nor zero point. */
static bool to_state(struct ir *ir, size_t filters, struct fixed_mul m, struct exact_requant *q)
{
    int32_t *bias = ARENA_ARRAY(ir->arena, filters, int32_t), *mult = ARENA_ARRAY(ir->arena, filters, int32_t);
    int32_t *shift = ARENA_ARRAY(ir->arena, filters, int32_t);

    for (size_t i = 0; bias && mult && shift && i < filters; i++) {
        bias[i] = 0;
        mult[i] = m.mult;
        shift[i] = m.shift;
    }
    *q = (struct exact_requant){.channels = filters,
                                .r = {.kind = REQUANT_FIXED,
                                      .type = TYPE_INT16,
                                      .range = {INT16_MIN, INT16_MAX},
                                      .bias = bias,
                                      .mult = mult,
                                      .shift = shift}};
    return bias && mult && shift;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *w = n->in[FEATURE];
    const int32_t batch = n->in[X]->dim[0], filters = w->dim[0], depth = w->dim[1];
    const struct exact_weights weights = {
        .data = w->data, .type = w->type, .n_out = (size_t)filters, .taps = 1, .n_in = (size_t)depth, .step_o = (size_t)depth};
    struct ir_value *x = ir_in(ir, n, X), *y = ir_out(ir, n, 0), *old = ir_in(ir, n, STATE), *before, *state, *features, *kept;
    struct exact_requant q;
    struct exact_svdf s;
    struct ir_op *op;

    if (n->in[X]->type == TYPE_FLOAT32)
        return n->op->gl->lower(ir, n, err);
    (void)fill(n, &s); /* it was accepted */
    if (!x || !y || !old || !to_state(ir, (size_t)filters, s.to_state, &q))
        return ir_nomem(err);
    before = ir_reshaped(ir, old, (struct ir_shape){1, batch, filters, s.memory});
    state = ir_temp(ir, IR_INT, (struct ir_shape){1, batch, filters, s.memory});
    features = ir_temp(ir, IR_INT, (struct ir_shape){1, 1, batch, filters});
    if (!ir_exact_rows(ir, x, NULL, quant_zero(n->in[X]), &weights, &q, features) ||
        !ir_op_new(ir, &gl_kind_svdf_shift, IR_INS(features, before), state, 0) || !(kept = ir_reshaped(ir, state, old->shape)) ||
        !(op = ir_op_new(ir, &gl_kind_exact_svdf, IR_INS(state), y, sizeof s)))
        return ir_nomem(err);
    *(struct exact_svdf *)op->attr = s;
    ir_set_variable(ir, n->in[STATE], kept);
    return ST_OK;
}

const struct gl_kernel gl_exact_svdf = {.max_version = 4,
                                        .in_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                        .out_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                        .accept = accept,
                                        .lower = lower,
                                        .updates_variables = true};
