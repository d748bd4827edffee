/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.c - LSTM: input and previous activation joined, a matrix product for the four gates, the cell.
 *
 * The full cell is brought into the form of the basic one by packing its eight matrices into one. Its states are variables: they
 * cross the border of the partition in both directions. */
#include <string.h>

#include "data_movement.h"
#include "window.h"

enum { X, ACTIVATION, WEIGHTS, BIAS, STATE, N_IN };
enum { NEW_ACTIVATION, NEW_STATE, JOINED, GATES, N_OUT };

/* Inputs of the full cell: four matrices for the input, four for the previous activation, four biases, two states. */
enum {
    FULL_INPUT = 1,
    FULL_RECURRENT = 5,
    FULL_PEEPHOLE = 9,
    FULL_BIAS = 12,
    FULL_PROJECTION = 16,
    FULL_ACTIVATION = 18,
    FULL_STATE = 19,
    FULL_NORM = 20,
    FULL_N_IN = 24
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, lstm_comp);
    gl_input(p, "gates", op->in[0]);
    gl_input(p, "before", op->in[1]);
    gl_output(p, "y", op->out);
    gl_output(p, "state", op->out2);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant variants[] = {{"", NULL, emit, gl_unrolled}, {NULL}};
const struct ir_kind gl_kind_cell = {.name = "lstm_cell", .variants = variants};

static bool has_shape(const struct node *n, uint32_t i, int32_t rows, int32_t cols, struct reason *why)
{
    const struct tensor *t = n->in[i];

    if (t->rank == 2 && t->dim[0] == rows && t->dim[1] == cols)
        return true;
    return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "input %u is %s, not [%d,%d]", i, TENSOR_TEXT(t), rows, cols);
}

/* The basic cell returns its states as outputs; where they are variables, the kernel would have to keep both. */
static bool no_variables(const struct node *n, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->is_variable)
            return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the basic cell with variable states");
    return true;
}

static bool none_of(const struct node *n, uint32_t first, uint32_t end, const char *what, struct reason *why)
{
    for (uint32_t i = first; i < end; i++)
        if (node_in(n, i))
            return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%s (input %u)", what, i);
    return true;
}

static bool accept_gate(const struct node *n, uint32_t k, int32_t depth, int32_t width, struct reason *why)
{
    if (!node_in(n, FULL_INPUT + k) || !node_in(n, FULL_RECURRENT + k) || !node_in(n, FULL_BIAS + k))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "weights of gate %u are omitted", k);
    if (!gl_constant(n, FULL_INPUT + k, "weights", why) || !gl_constant(n, FULL_RECURRENT + k, "weights", why) ||
        !gl_constant(n, FULL_BIAS + k, "bias", why) || !has_shape(n, FULL_INPUT + k, depth, width, why) ||
        !has_shape(n, FULL_RECURRENT + k, depth, depth, why))
        return false;
    if (n->in[FULL_INPUT + k]->type != TYPE_FLOAT32 || n->in[FULL_RECURRENT + k]->type != TYPE_FLOAT32)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "weights of gate %u are not FLOAT32", k);
    if (tensor_elems(n->in[FULL_BIAS + k]) != (size_t)depth)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "bias %u is %s, not [%d]", k, TENSOR_TEXT(n->in[FULL_BIAS + k]),
                          depth);
    return true;
}

static bool accept_full(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_lstm *o = n->opt;
    int32_t batch = n->in[X]->dim[0], width = n->in[X]->dim[1], depth;

    if (!gl_arity(n, 1, FULL_N_IN, 1, why) || !gl_runtime(n, FULL_ACTIVATION, "the activation", why) ||
        !gl_runtime(n, FULL_STATE, "the state", why) || !none_of(n, FULL_PEEPHOLE, FULL_BIAS, "peepholes", why) ||
        !none_of(n, FULL_PROJECTION, FULL_ACTIVATION, "a projection", why) ||
        !none_of(n, FULL_NORM, FULL_N_IN, "layer normalization", why))
        return false;
    if (o->activation != ACT_TANH || o->cell_clip > 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "activation %d, cells clipped at %g: expected TANH, unclipped",
                          (int)o->activation, (double)o->cell_clip);
    depth = n->out[0]->dim[1];
    for (uint32_t k = 0; k < 4; k++)
        if (!accept_gate(n, k, depth, width, why))
            return false;
    return has_shape(n, FULL_ACTIVATION, batch, depth, why) && has_shape(n, FULL_STATE, batch, depth, why) &&
           gl_stored(lim, n, X, X + 1, why) && gl_stored(lim, n, FULL_ACTIVATION, FULL_STATE + 1, why);
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct opt_lstm *o = n->opt;
    int32_t batch, depth, width;

    (void)g;
    if (o->kernel_type != LSTM_BASIC)
        return accept_full(lim, n, why);
    if (!no_variables(n, why) || !gl_arity(n, N_IN, N_IN, N_OUT, why) || !gl_constant(n, WEIGHTS, "weights", why) ||
        !gl_constant(n, BIAS, "bias", why))
        return false;
    batch = n->out[NEW_STATE]->dim[0];
    depth = n->out[NEW_STATE]->dim[1];
    width = n->out[JOINED]->dim[1];
    if (!has_shape(n, ACTIVATION, batch, depth, why) || !has_shape(n, STATE, batch, depth, why) ||
        !has_shape(n, WEIGHTS, 4 * depth, width, why))
        return false;
    if (tensor_elems(n->in[BIAS]) != 4 * (size_t)depth)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "the bias is %s, not [%d]", TENSOR_TEXT(n->in[BIAS]), 4 * depth);
    return gl_one_type(n, 0, N_IN, why) && gl_stored(lim, n, 0, WEIGHTS, why) && gl_stored(lim, n, STATE, N_IN, why);
}

/* The cell after `joined` = [input, previous activation]: y and the new state from the previous one. */
static enum status lower_cell(struct ir *ir, struct ir_value *joined, const float *w, const float *bias, struct ir_value *gates,
                              struct ir_value *before, struct ir_value *y, struct ir_value *state, struct err *err)
{
    static const struct ir_window one = {
        .kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1};
    struct ir_op *cell;

    if (!ir_conv(ir, joined, &one, w, bias, gates) || !(cell = ir_op_new(ir, &gl_kind_cell, IR_INS(gates, before), y, 0)))
        return ir_nomem(err);
    cell->out2 = state;
    return ST_OK;
}

static enum status lower_basic(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *before = ir_in(ir, n, ACTIVATION), *joined = ir_out(ir, n, JOINED), *gates = ir_out(ir, n, GATES);
    const float *w = ir_floats(ir, n->in[WEIGHTS]), *bias = ir_floats(ir, n->in[BIAS]);
    struct ir_value *x, *state = ir_out(ir, n, NEW_STATE);

    if (!before || !joined || !state || !bias)
        return ir_nomem(err);
    x = ir_reshaped(ir, ir_in(ir, n, X), ir_with(joined->shape, 3, joined->shape.c - before->shape.c));
    if (!ir_concatenate(ir, (struct ir_value *[]){x, before}, 2, 3, joined))
        return ir_nomem(err);
    return lower_cell(ir, joined, w, bias, gates, ir_in(ir, n, STATE), ir_out(ir, n, NEW_ACTIVATION), state, err);
}

/* Rows [input | recurrent] of all gates in the basic cell's order (input, new input, forget, output), and their biases. */
static bool pack_full(struct ir *ir, const struct node *n, float **w, float **bias)
{
    static const uint32_t order[4] = {0, 2, 1, 3};
    size_t depth = (size_t)n->out[0]->dim[1], width = (size_t)n->in[X]->dim[1], row = width + depth;

    *w = ARENA_ARRAY(ir->arena, 4 * depth * row, float);
    *bias = ARENA_ARRAY(ir->arena, 4 * depth, float);
    for (size_t k = 0; *w && *bias && k < 4; k++) {
        const float *input = n->in[FULL_INPUT + order[k]]->data, *recurrent = n->in[FULL_RECURRENT + order[k]]->data;
        const float *b = ir_floats(ir, n->in[FULL_BIAS + order[k]]);

        if (!b)
            return false;
        memcpy(*bias + k * depth, b, depth * sizeof *b);
        for (size_t r = 0; r < depth; r++) {
            float *out = *w + (k * depth + r) * row;

            memcpy(out, input + r * width, width * sizeof *out);
            memcpy(out + width, recurrent + r * depth, depth * sizeof *out);
        }
    }
    return *w && *bias;
}

static enum status lower_full(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, X), *before = ir_in(ir, n, FULL_ACTIVATION), *old = ir_in(ir, n, FULL_STATE);
    struct ir_value *y = ir_out(ir, n, 0), *joined, *gates, *state;
    float *w, *bias;
    enum status st;

    if (!x || !before || !old || !y || !pack_full(ir, n, &w, &bias))
        return ir_nomem(err);
    joined = ir_temp(ir, IR_FLOAT, ir_with(y->shape, 3, x->shape.c + before->shape.c));
    gates = ir_temp(ir, IR_FLOAT, ir_with(y->shape, 3, 4 * y->shape.c));
    state = ir_temp(ir, IR_FLOAT, y->shape);
    if (!joined || !gates || !state || !ir_concatenate(ir, (struct ir_value *[]){x, before}, 2, 3, joined))
        return ir_nomem(err);
    if ((st = lower_cell(ir, joined, w, bias, gates, old, y, state, err)))
        return st;
    ir_set_variable(ir, n->in[FULL_ACTIVATION], y);
    ir_set_variable(ir, n->in[FULL_STATE], state);
    return ST_OK;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_lstm *o = n->opt;

    return o->kernel_type == LSTM_BASIC ? lower_basic(ir, n, err) : lower_full(ir, n, err);
}

const struct gl_kernel gl_lstm = {.max_version = 4, .accept = accept, .lower = lower, .updates_variables = true};
