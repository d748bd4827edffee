/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm_basic.c - see exact_lstm_basic.h */
#include "kernels_gl/recurrent/exact_lstm_basic.h"

#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/recurrent/lstm.h"

/* What the CPU's kernel is made for: zero points of activations, and the state's fractional bits. */
#define ZERO       128
#define STATE_LOG2 (-11)

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const texts[] = {exact_fixed_comp, exact_fixed16_comp, exact_lstm_basic_comp};

    gl_source_of(p, texts, sizeof texts / sizeof *texts);
    gl_input(p, "gates", op->in[0]);
    gl_input(p, "before", op->in[1]);
    gl_output(p, "y", op->out);
    gl_output(p, "state", op->out2);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_exact_lstm_basic = {.name = "exact_lstm_basic", GL_VARIANTS(variants)};

static bool types_fit(const struct node *n, struct reason *why)
{
    static const enum tensor_type in[BASIC_N_IN] = {TYPE_UINT8, TYPE_UINT8, TYPE_UINT8, TYPE_INT32, TYPE_INT16};
    static const enum tensor_type out[BASIC_N_OUT] = {TYPE_UINT8, TYPE_INT16, TYPE_UINT8, TYPE_INT16};

    for (uint32_t i = 0; i < BASIC_N_IN; i++)
        if (n->in[i]->type != in[i])
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s, not %s", i, type_name(n->in[i]->type),
                              type_name(in[i]));
    for (uint32_t i = 0; i < BASIC_N_OUT; i++)
        if (n->out[i]->type != out[i])
            return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "output %u has type %s, not %s", i, type_name(n->out[i]->type),
                              type_name(out[i]));
    return true;
}

static bool is_state(const struct tensor *t)
{
    int32_t log2;

    return quant_scale(t) > 0 && quant_whole_log2(quant_scale(t), &log2) && log2 == STATE_LOG2;
}

bool exact_lstm_basic_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct fixed_mul m;
    struct err err;

    if (!lstm_accept_basic(n, why) || !gl_constant(n, BASIC_WEIGHTS, "weights", why) || !gl_constant(n, BASIC_BIAS, "bias", why) ||
        !types_fit(n, why) || !gl_storable(lim, n, 0, BASIC_WEIGHTS, why) || !gl_storable(lim, n, BASIC_STATE, BASIC_N_IN, why))
        return false;
    if (quant_zero(n->in[BASIC_X]) != ZERO || quant_zero(n->out[BASIC_NEW_ACTIVATION]) != ZERO)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "the zero points of input and output are %d and %d, not %d",
                          quant_zero(n->in[BASIC_X]), quant_zero(n->out[BASIC_NEW_ACTIVATION]), ZERO);
    if (!is_state(n->in[BASIC_STATE]) || !is_state(n->out[BASIC_NEW_STATE]))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "the scale of a state is not 2^%d", STATE_LOG2);
    return !quant_multiplier(4096 * (double)quant_scale(n->in[BASIC_BIAS]), &m, &err) ||
           reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
}

/* The gates before their activation. NULL: out of memory. */
static struct ir_op *append_gates(struct ir *ir, const struct node *n, struct ir_value *joined)
{
    const struct tensor *w = n->in[BASIC_WEIGHTS];
    const size_t rows = (size_t)w->dim[0], cols = (size_t)w->dim[1];
    const struct exact_weights weights = {
        .data = w->data, .type = TYPE_UINT8, .zero = quant_zero(w), .n_out = rows, .taps = 1, .n_in = cols, .step_o = cols};
    int32_t *mult = ARENA_ARRAY(ir->arena, rows, int32_t), *shift = ARENA_ARRAY(ir->arena, rows, int32_t);
    const struct exact_requant q = {.channels = rows,
                                    .halves_up = true,
                                    .r = {.kind = REQUANT_FIXED,
                                          .type = TYPE_INT16,
                                          .range = int_limits(TYPE_INT16),
                                          .bias = n->in[BASIC_BIAS]->data,
                                          .mult = mult,
                                          .shift = shift}};
    struct fixed_mul m;
    struct err err;

    if (!mult || !shift || quant_multiplier(4096 * (double)quant_scale(n->in[BASIC_BIAS]), &m, &err))
        return NULL;
    for (size_t i = 0; i < rows; i++) {
        mult[i] = m.mult;
        shift[i] = m.shift;
    }
    return ir_exact_rows(ir, joined, NULL, ZERO, &weights, &q, ir_out(ir, n, BASIC_GATES));
}

enum status exact_lstm_basic_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *before = ir_in(ir, n, BASIC_ACTIVATION), *joined = ir_out(ir, n, BASIC_JOINED), *x;
    struct ir_op *cell;

    if (!before || !joined)
        return ir_nomem(err);
    x = ir_reshaped(ir, ir_in(ir, n, BASIC_X), ir_with(joined->shape, 3, joined->shape.c - before->shape.c));
    if (!ir_concatenate(ir, (struct ir_value *[]){x, before}, 2, 3, joined) || !append_gates(ir, n, joined))
        return ir_nomem(err);
    cell = ir_op_new(ir, &gl_kind_exact_lstm_basic, IR_INS(ir_out(ir, n, BASIC_GATES), ir_in(ir, n, BASIC_STATE)),
                     ir_out(ir, n, BASIC_NEW_ACTIVATION), 0);
    if (!cell || !(cell->out2 = ir_out(ir, n, BASIC_NEW_STATE)) || !lstm_keep_basic(ir, n))
        return ir_nomem(err);
    return ST_OK;
}
