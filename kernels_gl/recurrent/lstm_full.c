/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_full.c - the LSTM cell with peepholes, coupled gates, projection and layer normalization, each present where its weights
 * are: LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_LSTM. */
#include "kernels_gl/recurrent/lstm.h"

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/recurrent/exact_lstm_hybrid.h"
#include "kernels_gl/recurrent/recurrent.h"

/* Inputs of the operators with one direction. */
enum { X, UNI_FIRST = 1, UNI_STATE = 18, UNI_NORM = 20 };

/* Diagonal weights are computed as a square matrix, of which the file has but the diagonal. */
#define DIAGONAL_MOST 4096

/* ---- checks ---- */

static bool read_sizes(const struct node *n, const struct lstm_form *f, struct lstm_sizes *s, struct reason *why)
{
    const struct tensor *w = node_in(n, f->first + CELL_FORGET), *r = node_in(n, f->first + LSTM_RECURRENT + CELL_FORGET);

    if (!w || !r || w->rank != 2 || r->rank != (f->diagonal ? 1 : 2))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the forget gate lacks its two weight matrices");
    s->type = w->type;
    s->n_cell = w->dim[0];
    s->n_input = w->dim[1];
    s->n_output = r->dim[r->rank - 1];
    s->coupled = !node_in(n, f->first + CELL_INPUT);
    s->peepholes = node_in(n, f->first + LSTM_PEEPHOLE + 2);
    s->norm = f->norm && node_in(n, f->norm + CELL_OUTPUT);
    s->projection = node_in(n, f->first + LSTM_PROJECTION);
    if (s->n_cell < 1 || s->n_input < 1 || s->n_output < 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%d cells of %d inputs and %d outputs", s->n_cell, s->n_input,
                          s->n_output);
    if ((!s->projection || f->diagonal) && s->n_output != s->n_cell)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%d outputs of %d cells", s->n_output, s->n_cell);
    if (f->diagonal && s->n_cell > DIAGONAL_MOST)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "diagonal weights of %d cells, at most %d are made a matrix",
                          s->n_cell, DIAGONAL_MOST);
    return true;
}

/* Input i is there, or is not there, as the other gates have it. */
static bool is_like_others(const struct node *n, uint32_t i, bool there, struct reason *why)
{
    return !node_in(n, i) == !there ||
           reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "input %u is %s, for another gate it is %s", i,
                      there ? "omitted" : "there", there ? "there" : "omitted");
}

static bool accept_gate(const struct node *n, const struct lstm_form *f, const struct lstm_sizes *s, uint32_t k, struct reason *why)
{
    const uint32_t at = f->first + k;

    if (!recurrent_weights(n, at, s->n_cell, s->n_input, true, s->type, why) ||
        !recurrent_weights(n, at + LSTM_RECURRENT, f->diagonal ? 0 : s->n_cell, s->n_output, true,
                           f->diagonal ? TYPE_FLOAT32 : s->type, why) ||
        !recurrent_weights(n, at + LSTM_BIAS, 0, s->n_cell, false, TYPE_FLOAT32, why))
        return false;
    if (f->aux && !recurrent_weights(n, f->aux + k, s->n_cell, s->n_aux, true, s->type, why))
        return false;
    return !f->norm || (is_like_others(n, f->norm + k, s->norm, why) &&
                        recurrent_weights(n, f->norm + k, 0, s->n_cell, false, TYPE_FLOAT32, why));
}

static bool accept_peepholes(const struct node *n, const struct lstm_form *f, const struct lstm_sizes *s, struct reason *why)
{
    for (uint32_t k = s->coupled; k < 3; k++)
        if (!is_like_others(n, f->first + LSTM_PEEPHOLE + k, s->peepholes, why) ||
            !recurrent_weights(n, f->first + LSTM_PEEPHOLE + k, 0, s->n_cell, false, s->type, why))
            return false;
    return true;
}

bool lstm_accept_cell(const struct node *n, const struct lstm_form *f, struct lstm_sizes *s, enum activation act,
                      struct reason *why)
{
    if (!read_sizes(n, f, s, why) || !gl_activation(act, why) || !accept_peepholes(n, f, s, why))
        return false;
    if (s->coupled && !is_like_others(n, f->first + LSTM_RECURRENT + CELL_INPUT, false, why))
        return false;
    for (uint32_t k = s->coupled ? CELL_FORGET : CELL_INPUT; k < CELL_GATES; k++)
        if (!accept_gate(n, f, s, k, why))
            return false;
    if (!recurrent_weights(n, f->first + LSTM_PROJECTION, s->n_output, s->n_cell, false, s->type, why) ||
        !recurrent_weights(n, f->first + LSTM_PROJECTION_BIAS, 0, s->n_output, false, TYPE_FLOAT32, why))
        return false;
    if (!s->projection && node_in(n, f->first + LSTM_PROJECTION_BIAS))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "a projection bias without projection weights");
    return recurrent_state(n, f->state, TYPE_FLOAT32, s->batch, s->n_output, why) &&
           recurrent_state(n, f->state + 1, TYPE_FLOAT32, s->batch, s->n_cell, why);
}

/* ---- lowering ---- */

/* Four inputs from i on, or those of them that belong to gates `from` to `to` - 1. */
static bool read_gates(struct ir *ir, const struct node *n, uint32_t i, uint32_t from, uint32_t to,
                       struct ir_value *out[CELL_GATES])
{
    for (uint32_t k = from; k < to; k++)
        if (!recurrent_floats(ir, n, i + k, &out[k]))
            return false;
    return true;
}

/* The input gate of coupled gates is not looked at. */
bool lstm_read_cell(struct ir *ir, const struct node *n, const struct lstm_form *f, struct cell *c)
{
    const uint32_t from = node_in(n, f->first + CELL_INPUT) ? CELL_INPUT : CELL_FORGET;
    struct lstm_sizes s = {0};
    struct reason why;

    if (!read_sizes(n, f, &s, &why))
        return false;
    c->lstm = true;
    c->n_input = s.n_input;
    c->n_cell = s.n_cell;
    c->n_output = s.n_output;
    c->diagonal = f->diagonal;
    return read_gates(ir, n, f->first, from, CELL_GATES, c->input) &&
           read_gates(ir, n, f->first + LSTM_RECURRENT, from, CELL_GATES, c->recurrent) &&
           read_gates(ir, n, f->first + LSTM_BIAS, from, CELL_GATES, c->bias) &&
           read_gates(ir, n, f->first + LSTM_PEEPHOLE, from, CELL_NEW, c->peephole) &&
           recurrent_floats(ir, n, f->first + LSTM_PEEPHOLE + 2, &c->peephole[CELL_OUTPUT]) &&
           (!f->aux || read_gates(ir, n, f->aux, from, CELL_GATES, c->aux)) &&
           (!f->norm || read_gates(ir, n, f->norm, from, CELL_GATES, c->norm)) &&
           recurrent_floats(ir, n, f->first + LSTM_PROJECTION, &c->projection) &&
           recurrent_floats(ir, n, f->first + LSTM_PROJECTION_BIAS, &c->projection_bias);
}

/* ---- one direction ---- */

static bool is_sequence(const struct node *n)
{
    return n->builtin == BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM;
}

/* Of either operator, with time_major where there is one step. */
static struct opt_unidirectional_sequence_lstm options(const struct node *n)
{
    const struct opt_lstm *o = n->opt;

    if (is_sequence(n))
        return *(const struct opt_unidirectional_sequence_lstm *)n->opt;
    return (struct opt_unidirectional_sequence_lstm){.activation = o->activation,
                                                     .cell_clip = o->cell_clip,
                                                     .proj_clip = o->proj_clip,
                                                     .time_major = true,
                                                     .asymmetric_quantize_inputs = o->asymmetric_quantize_inputs};
}

static struct lstm_form form_of(const struct node *n)
{
    return (struct lstm_form){.first = UNI_FIRST,
                              .norm = UNI_NORM,
                              .state = UNI_STATE,
                              .diagonal = is_sequence(n) && options(n).diagonal_recurrent_tensors};
}

bool lstm_accept_full(const struct node *n, struct reason *why)
{
    const struct opt_unidirectional_sequence_lstm o = options(n);
    const struct lstm_form f = form_of(n);
    struct lstm_sizes s = {0};

    if (!gl_arity(n, 1, 24, 1, why) || !gl_runtime(n, X, "input", why))
        return false;
    s.batch = n->in[X]->dim[is_sequence(n) && o.time_major];
    return lstm_accept_cell(n, &f, &s, o.activation, why) &&
           recurrent_times_fit(n, 0, is_sequence(n) ? n->in[X]->dim[!o.time_major] : 1, why);
}

enum status lstm_lower_full(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_unidirectional_sequence_lstm o = options(n);
    const struct lstm_form f = form_of(n);
    const struct recurrent r = {.x = ir_in(ir, n, X),
                                .y = ir_out(ir, n, 0),
                                .output_state = f.state,
                                .cell_state = f.state + 1,
                                .batch_major = !o.time_major};
    struct cell c = {.activation = o.activation, .cell_clip = o.cell_clip, .projection_clip = o.proj_clip};

    if (!lstm_read_cell(ir, n, &f, &c))
        return ir_nomem(err);
    return exact_lstm_is_hybrid(ir, n, &f) ? exact_lstm_hybrid_lower(ir, n, &f, &c, o.asymmetric_quantize_inputs, &r, err)
                                           : recurrent_lower(ir, n, &c, &r, err);
}
