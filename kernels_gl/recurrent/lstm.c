/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.c - LSTM in its older form: input and previous activation joined, a matrix product for the four gates, the cell. The full
 * one is in lstm_full.c. */
#include "kernels_gl/recurrent/lstm.h"

#include "kernels_gl/common/data_movement.h"

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, lstm_comp);
    gl_operands(p, "gates before");
    gl_output(p, "state", op->out2);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_cell = {.name = "lstm_cell", GL_VARIANTS(variants)};

static bool has_shape(const struct node *n, uint32_t i, int32_t rows, int32_t cols, struct reason *why)
{
    const struct tensor *t = n->in[i];

    if (t->rank == 2 && t->dim[0] == rows && t->dim[1] == cols)
        return true;
    return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "input %u is %s, not [%d,%d]", i, TENSOR_TEXT(t), rows, cols);
}

bool lstm_accept_basic(const struct node *n, struct reason *why)
{
    int32_t batch, depth, width;

    if (!gl_arity(n, BASIC_N_IN, BASIC_N_IN, BASIC_N_OUT, why))
        return false;
    batch = n->out[BASIC_NEW_STATE]->dim[0];
    depth = n->out[BASIC_NEW_STATE]->dim[1];
    width = n->out[BASIC_JOINED]->dim[1];
    if (!has_shape(n, BASIC_ACTIVATION, batch, depth, why) || !has_shape(n, BASIC_STATE, batch, depth, why) ||
        !has_shape(n, BASIC_WEIGHTS, 4 * depth, width, why))
        return false;
    if (tensor_elems(n->in[BASIC_BIAS]) != 4 * (size_t)depth)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "the bias is %s, not [%d]", TENSOR_TEXT(n->in[BASIC_BIAS]),
                          4 * depth);
    return true;
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct opt_lstm *o = n->opt;

    (void)g;
    if (o->kernel_type != LSTM_BASIC)
        return lstm_accept_full(n, why);
    return lstm_accept_basic(n, why) && gl_one_type(n, 0, BASIC_N_IN, why) && gl_storable(lim, n, 0, BASIC_WEIGHTS, why) &&
           gl_storable(lim, n, BASIC_STATE, BASIC_N_IN, why);
}

bool lstm_keep_basic(struct ir *ir, const struct node *n)
{
    static const uint32_t kept[2][2] = {{BASIC_ACTIVATION, BASIC_NEW_ACTIVATION}, {BASIC_STATE, BASIC_NEW_STATE}};

    for (size_t i = 0; i < 2; i++)
        if (n->in[kept[i][0]]->is_variable && !recurrent_set_state(ir, n, kept[i][0], ir_out(ir, n, kept[i][1])))
            return false;
    return true;
}

static enum status lower_basic(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *before = ir_in(ir, n, BASIC_ACTIVATION), *joined = ir_out(ir, n, BASIC_JOINED),
                    *gates = ir_out(ir, n, BASIC_GATES), *w, *bias, *x;
    struct ir_op *cell;

    if (!before || !joined || !recurrent_floats(ir, n, BASIC_WEIGHTS, &w) || !recurrent_floats(ir, n, BASIC_BIAS, &bias))
        return ir_nomem(err);
    x = ir_reshaped(ir, ir_in(ir, n, BASIC_X), ir_with(joined->shape, 3, joined->shape.c - before->shape.c));
    if (!ir_concatenate(ir, (struct ir_value *[]){x, before}, 2, 3, joined) || !recurrent_product(ir, joined, w, bias, gates) ||
        !(cell = ir_op_new(ir, &gl_kind_cell, IR_INS(gates, ir_in(ir, n, BASIC_STATE)), ir_out(ir, n, BASIC_NEW_ACTIVATION), 0)) ||
        !(cell->out2 = ir_out(ir, n, BASIC_NEW_STATE)))
        return ir_nomem(err);
    return lstm_keep_basic(ir, n) ? ST_OK : ir_nomem(err);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_lstm *o = n->opt;

    return o->kernel_type == LSTM_BASIC ? lower_basic(ir, n, err) : lstm_lower_full(ir, n, err);
}

const struct gl_kernel gl_lstm = {
    .max_version = 4, .quantized = 1u << TYPE_INT8, .accept = accept, .lower = lower, .updates_variables = true};

static bool accept_sequence(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return lstm_accept_full(n, why);
}

const struct gl_kernel gl_unidirectional_sequence_lstm = {
    .max_version = 4, .quantized = 1u << TYPE_INT8, .accept = accept_sequence, .lower = lstm_lower_full, .updates_variables = true};
