/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_basic.c - LSTM in its older form, as kernels_cpu/recurrent/lstm_basic.c has it: input and previous activation joined, a
 * matrix product for the four gates, the cell; of floats, or of UINT8 with a 16-bit state, to the CPU's bits. */
#include "kernels_cpu/recurrent/lstm.h"

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/recurrent/recurrent.h"

/* The zero point of activations. */
#define ZERO 128

static bool is_exact(const struct node *n)
{
    return n->in[BASIC_X]->type == TYPE_UINT8;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const texts[] = {exact_fixed_comp, exact_fixed16_comp, lstm_basic_comp};
    const bool exact = op->kind == &gl_kind_exact_lstm_basic;

    gl_source_of(p, exact ? texts : texts + 2, exact ? 3 : 1);
    gl_define(p, "EXACT", exact);
    gl_define_types(p, exact ? IR_INT : IR_FLOAT);
    gl_operands(p, "gates before");
    gl_output(p, "state", op->out2);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_cell = {.name = "lstm_cell", GL_VARIANTS(variants)};
const struct ir_kind gl_kind_exact_lstm_basic = {.name = "exact_lstm_basic", GL_VARIANTS(variants)};

bool lstm_basic_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct lstm_basic b;
    struct err err = {""};

    if (lstm_basic_from_node(n, &b, &err))
        return reason_set(why, is_exact(n) ? REASON_UNSUPPORTED_QUANTIZATION : REASON_UNSUPPORTED_OPERAND_SIZE, "%s", err.msg);
    return (!is_exact(n) || (gl_constant(n, BASIC_WEIGHTS, "weights", why) && gl_constant(n, BASIC_BIAS, "bias", why))) &&
           gl_storable(lim, n, 0, BASIC_WEIGHTS, why) && gl_storable(lim, n, BASIC_STATE, BASIC_N_IN, why);
}

/* The gates before their activation. NULL: out of memory. */
static struct ir_op *exact_gates(struct ir *ir, const struct node *n, struct ir_value *joined, struct ir_value *gates)
{
    const struct tensor *w = n->in[BASIC_WEIGHTS];
    struct exact_weights weights = exact_weights_of_rows(w->data, TYPE_UINT8, (size_t)w->dim[0], (size_t)w->dim[1]);
    struct exact_requant q;
    struct lstm_basic b;
    struct err err;

    if (lstm_basic_from_node(n, &b, &err) ||
        !exact_requant_fixed(&q, weights.n_out, n->in[BASIC_BIAS]->data, &b.to_gate, 0, int_limits(TYPE_INT16), ir->arena))
        return NULL;
    weights.zero = b.weights_zero;
    q.halves_up = true;
    return ir_exact_rows(ir, joined, NULL, ZERO, &weights, &q, gates);
}

static struct ir_op *float_gates(struct ir *ir, const struct node *n, struct ir_value *joined, struct ir_value *gates)
{
    struct ir_value *w, *bias;

    return recurrent_floats(ir, n->in[BASIC_WEIGHTS], &w) && recurrent_floats(ir, n->in[BASIC_BIAS], &bias)
               ? recurrent_product(ir, joined, w, bias, gates)
               : NULL;
}

/* Give states that are variables the content of the node's outputs. False if memory runs out. */
static bool keep_states(struct ir *ir, const struct node *n)
{
    static const uint32_t kept[2][2] = {{BASIC_ACTIVATION, BASIC_NEW_ACTIVATION}, {BASIC_STATE, BASIC_NEW_STATE}};

    for (size_t i = 0; i < 2; i++)
        if (n->in[kept[i][0]]->is_variable && !recurrent_set_state(ir, n, kept[i][0], ir_out(ir, n, kept[i][1])))
            return false;
    return true;
}

enum status lstm_basic_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct ir_kind *kind = is_exact(n) ? &gl_kind_exact_lstm_basic : &gl_kind_cell;
    struct ir_value *before = ir_in(ir, n, BASIC_ACTIVATION), *joined = ir_out(ir, n, BASIC_JOINED),
                    *gates = ir_out(ir, n, BASIC_GATES), *x;
    struct ir_op *cell;

    if (!before || !joined)
        return ir_nomem(err);
    x = ir_reshaped(ir, ir_in(ir, n, BASIC_X), ir_with(joined->shape, 3, joined->shape.c - before->shape.c));
    if (!ir_concatenate(ir, (struct ir_value *[]){x, before}, 2, 3, joined) ||
        !(is_exact(n) ? exact_gates : float_gates)(ir, n, joined, gates) ||
        !(cell = ir_op_new(ir, kind, IR_INS(gates, ir_in(ir, n, BASIC_STATE)), ir_out(ir, n, BASIC_NEW_ACTIVATION), 0)) ||
        !(cell->out2 = ir_out(ir, n, BASIC_NEW_STATE)))
        return ir_nomem(err);
    return keep_states(ir, n) ? ST_OK : ir_nomem(err);
}
