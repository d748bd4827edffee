/* SPDX-License-Identifier: Apache-2.0 */
/* rnn.c - RNN, UNIDIRECTIONAL_SEQUENCE_RNN, BIDIRECTIONAL_SEQUENCE_RNN: y = activation(W x + R h + b), h = y. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/matmul/exact_hybrid.h"
#include "kernels_gl/recurrent/exact_rnn.h"
#include "kernels_gl/recurrent/exact_walk.h"

/* Inputs: the first four after X again for the backward cell. */
enum { X, FORWARD, RECURRENT = 1, BIAS, STATE, BACKWARD = 5, AUX = 9, FORWARD_AUX, BACKWARD_AUX, N_BOTH };

static enum activation activation_of(const struct node *n)
{
    switch (n->builtin) {
    case BUILTIN_RNN: return ((const struct opt_rnn *)n->opt)->activation;
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN: return ((const struct opt_sequence_rnn *)n->opt)->activation;
    default: return ((const struct opt_bidirectional_sequence_rnn *)n->opt)->activation;
    }
}

static bool is_asymmetric(const struct node *n)
{
    switch (n->builtin) {
    case BUILTIN_RNN: return ((const struct opt_rnn *)n->opt)->asymmetric_quantize_inputs;
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN: return ((const struct opt_sequence_rnn *)n->opt)->asymmetric_quantize_inputs;
    default: return ((const struct opt_bidirectional_sequence_rnn *)n->opt)->asymmetric_quantize_inputs;
    }
}

static bool is_time_major(const struct node *n)
{
    switch (n->builtin) {
    case BUILTIN_RNN: return true;
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN: return ((const struct opt_sequence_rnn *)n->opt)->time_major;
    default: return ((const struct opt_bidirectional_sequence_rnn *)n->opt)->time_major;
    }
}

static bool is_bidirectional(const struct node *n)
{
    return n->builtin == BUILTIN_BIDIRECTIONAL_SEQUENCE_RNN;
}

/* The auxiliary input is a second input of both cells where it has weights, else it is the backward cell's input - but TFLite has
 * that for time-major data alone. */
static bool has_aux_weights(const struct node *n)
{
    return node_in(n, AUX) && node_in(n, FORWARD_AUX);
}

static uint32_t backward_input(const struct node *n)
{
    return node_in(n, AUX) && !has_aux_weights(n) && is_time_major(n) ? AUX : X;
}

static int32_t times_of(const struct node *n)
{
    return n->in[X]->rank == 3 ? n->in[X]->dim[!is_time_major(n)] : 1;
}

/* The cell whose weights begin at `first`; of input i. */
static bool accept_cell(const struct node *n, uint32_t first, uint32_t i, uint32_t aux, struct reason *why)
{
    const struct tensor *w = node_in(n, first), *x = node_in(n, i);
    const int32_t batch = n->in[X]->dim[x->rank == 3 && is_time_major(n)];

    if (!w || w->rank != 2 || w->dim[0] < 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "the weights, input %u, are %s", first,
                          w ? TENSOR_TEXT(w) : "omitted");
    return recurrent_times_fit(n, is_bidirectional(n) ? AUX : 0, times_of(n), why) &&
           recurrent_weights(n, first, w->dim[0], x->dim[x->rank - 1], true, w->type, why) &&
           recurrent_weights(n, first + RECURRENT, w->dim[0], w->dim[0], true, w->type, why) &&
           recurrent_weights(n, first + BIAS, 0, w->dim[0], false, TYPE_FLOAT32, why) &&
           recurrent_state(n, first + STATE, TYPE_FLOAT32, batch, w->dim[0], why) &&
           (!aux || recurrent_weights(n, aux, w->dim[0], n->in[AUX]->dim[2], true, w->type, why));
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const bool aux = is_bidirectional(n) && has_aux_weights(n);

    (void)lim;
    (void)g;
    if (!gl_arity(n, 1, N_BOTH, n->n_out, why) || !gl_runtime(n, X, "input", why) || !gl_activation(activation_of(n), why) ||
        !accept_cell(n, FORWARD, X, aux ? FORWARD_AUX : 0, why))
        return false;
    if (!is_bidirectional(n))
        return true;
    if (node_in(n, AUX) && !gl_runtime(n, AUX, "auxiliary input", why))
        return false;
    if (is_time_major(n) && n->in[FORWARD]->type != TYPE_FLOAT32 && n->in[X]->dim[0] > 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT,
                          "8-bit weights and time-major data, which TFLite walks through %d times", n->in[X]->dim[0]);
    return accept_cell(n, BACKWARD, backward_input(n), aux ? BACKWARD_AUX : 0, why);
}

/* Of 8-bit weights with --gpu_quant=exact. */
static bool exact_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    return accept(lim, g, n, why) && exact_hybrid_fits(lim, why) && exact_walk_fits(times_of(n), why);
}

static enum status lower_exact_cell(struct ir *ir, const struct node *n, uint32_t first, const struct recurrent *r, struct err *err)
{
    const struct tensor *aux = r->aux ? n->in[r->backward ? BACKWARD_AUX : FORWARD_AUX] : NULL;
    struct exact_rnn *c = ARENA_NEW(ir->arena, struct exact_rnn);

    if (!c)
        return ir_nomem(err);
    *c = (struct exact_rnn){n->in[first],    aux, n->in[first + RECURRENT], node_in(n, first + BIAS), activation_of(n),
                            is_asymmetric(n)};
    return exact_rnn_lower(ir, n, c, r, err);
}

static enum status lower_cell(struct ir *ir, const struct node *n, bool backward, struct ir_value *y, struct err *err)
{
    const uint32_t first = backward ? BACKWARD : FORWARD;
    const bool aux = is_bidirectional(n) && has_aux_weights(n);
    const struct recurrent r = {.x = ir_in(ir, n, backward ? backward_input(n) : X),
                                .aux = aux ? ir_in(ir, n, AUX) : NULL,
                                .y = y,
                                .output_state = first + STATE,
                                .batch_major = !is_time_major(n),
                                .backward = backward};
    struct cell c = {.n_input = n->in[first]->dim[1],
                     .n_aux = aux ? n->in[AUX]->dim[2] : 0,
                     .n_cell = n->in[first]->dim[0],
                     .n_output = n->in[first]->dim[0],
                     .activation = activation_of(n)};

    if (ir->lowering.exact && n->in[first]->type != TYPE_FLOAT32)
        return lower_exact_cell(ir, n, first, &r, err);
    if (!recurrent_floats(ir, n, first, &c.input[CELL_NEW]) ||
        !recurrent_floats(ir, n, first + RECURRENT, &c.recurrent[CELL_NEW]) ||
        !recurrent_floats(ir, n, first + BIAS, &c.bias[CELL_NEW]) ||
        (aux && !recurrent_floats(ir, n, backward ? BACKWARD_AUX : FORWARD_AUX, &c.aux[CELL_NEW])))
        return ir_nomem(err);
    return recurrent_lower(ir, n, &c, &r, err);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower_cell(ir, n, false, ir_out(ir, n, 0), err);
}

static enum status lower_both(struct ir *ir, const struct node *n, struct err *err)
{
    const bool merge = ((const struct opt_bidirectional_sequence_rnn *)n->opt)->merge_outputs;
    struct ir_value *y = ir_out(ir, n, 0), *part[2] = {y, merge ? NULL : ir_out(ir, n, 1)};
    enum status st;

    if (merge && y) {
        part[0] = ir_temp(ir, IR_FLOAT, ir_with(y->shape, 3, n->in[FORWARD]->dim[0]));
        part[1] = ir_temp(ir, IR_FLOAT, ir_with(y->shape, 3, n->in[BACKWARD]->dim[0]));
    }
    if ((st = lower_cell(ir, n, false, part[0], err)) || (st = lower_cell(ir, n, true, part[1], err)))
        return st;
    return !merge || ir_concatenate(ir, part, 2, 3, y) ? ST_OK : ir_nomem(err);
}

#define RNN(types, accept_, lower_)                                                                                                \
    {                                                                                                                              \
        .max_version = 3, .in_types = types, .quantized = 1u << TYPE_INT8, .accept = accept_, .lower = lower_,                     \
        .updates_variables = true                                                                                                  \
    }

const struct gl_kernel gl_rnn = RNN(TAKES_FLOAT, accept, lower);
const struct gl_kernel gl_unidirectional_sequence_rnn = RNN(TAKES_FLOAT, accept, lower);
const struct gl_kernel gl_bidirectional_sequence_rnn = RNN(TAKES_FLOAT, accept, lower_both);
const struct gl_kernel gl_exact_rnn = RNN(TAKES_FLOAT | TAKES_8BIT, exact_accept, lower);
const struct gl_kernel gl_exact_bidirectional_rnn = RNN(TAKES_FLOAT | TAKES_8BIT, exact_accept, lower_both);
