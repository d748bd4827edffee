/* lstm.c - LSTM: one step of the full cell, or of the older basic one. */
#include "lstm_cell.h"

#include <math.h>
#include <string.h>

enum { X, OUTPUT_STATE = 18, CELL_STATE = 19 };                            /* inputs of the full cell */
enum { BASIC_X, BASIC_ACTIVATION, BASIC_WEIGHTS, BASIC_BIAS, BASIC_STATE };        /* inputs of the basic one */

static bool is_basic(const struct node *n)
{
    return ((const struct opt_lstm *)n->opt)->kernel_type == LSTM_BASIC;
}

/* ---- full ---- */

static enum status full_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 1, 24, 1, err);
    const struct tensor *w, *r;

    if (st)
        return st;
    w = node_in(n, 2);
    r = node_in(n, 6);
    if (n->n_in != 20 && n->n_in != 24)
        return err_set(err, ST_BAD_MODEL, "%u inputs, expected 20 or 24", n->n_in);
    if (!w || !r || !n->in[OUTPUT_STATE] || !n->in[CELL_STATE] || w->rank != 2 || r->rank != 2)
        return err_set(err, ST_BAD_MODEL, "the forget gate's weights or a state are omitted");
    if (n->in[X]->rank != 2 || n->in[X]->dim[1] != w->dim[1])
        return err_set(err, ST_BAD_MODEL, "input is %s, expected [batch,%d]", TENSOR_TEXT(n->in[X]), w->dim[1]);
    return shape_set(n, 0, (int32_t[]){n->in[X]->dim[0], r->dim[1]}, 2, err);
}

static enum status full_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct opt_lstm *o = n->opt;
    struct lstm_cell *l;
    enum status st;

    if (n->in[X]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->in[X], err);
    if (n->out[0]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->out[0], err);
    if ((st = cpu_pack(c, sizeof *l, err)))
        return st;
    l = c->packed;
    *l = (struct lstm_cell){.n_batch = n->in[X]->dim[0], .activation = o->activation, .cell_clip = o->cell_clip,
                            .projection_clip = o->proj_clip};
    if ((st = lstm_cell_from_node(l, n, err)) ||
        (st = lstm_expect_shape(n->in[OUTPUT_STATE], "the output state", l->n_batch, l->n_output, err)) ||
        (st = lstm_expect_shape(n->in[CELL_STATE], "the cell state", l->n_batch, l->n_cell, err)))
        return st;
    if (!n->in[OUTPUT_STATE]->is_variable || !n->in[CELL_STATE]->is_variable)
        return err_set(err, ST_BAD_MODEL, "the states must be variable tensors");
    c->scratch_bytes = lstm_cell_scratch(l) * sizeof(float);
    return ST_OK;
}

static enum status full_run(struct cpu_call *c)
{
    const struct node *n = c->node;

    lstm_cell_step(c->packed, c->threads, n->in[X]->data, NULL, n->in[OUTPUT_STATE]->data, n->in[CELL_STATE]->data, c->scratch);
    if (n->out[0]->bytes)
        memcpy(n->out[0]->data, n->in[OUTPUT_STATE]->data, n->out[0]->bytes);
    return ST_OK;
}

/* ---- basic ---- */

/* Outputs: activation [batch,depth], state [batch,depth], and the temporaries [batch,input + depth] and [batch,4 * depth]. */
static enum status basic_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 5, 5, 4, err);
    int32_t batch, input, depth;

    if (st)
        return st;
    if (n->in[BASIC_X]->rank < 2 || n->in[BASIC_ACTIVATION]->rank != 2)
        return err_set(err, ST_BAD_MODEL, "input has rank %d and activation rank %d, expected 2", n->in[BASIC_X]->rank,
                       n->in[BASIC_ACTIVATION]->rank);
    batch = n->in[BASIC_X]->dim[0];
    depth = n->in[BASIC_ACTIVATION]->dim[1];
    input = n->in[BASIC_X]->dim[n->in[BASIC_X]->rank - 1];
    if (depth > INT32_MAX / 4 - input || tensor_elems(n->in[BASIC_X]) != (size_t)batch * (size_t)input)
        return err_set(err, ST_BAD_MODEL, "input %s is not one vector per batch", TENSOR_TEXT(n->in[BASIC_X]));
    if ((st = shape_set(n, 0, (int32_t[]){batch, depth}, 2, err)) || (st = shape_set(n, 1, (int32_t[]){batch, depth}, 2, err)) ||
        (st = shape_set(n, 2, (int32_t[]){batch, input + depth}, 2, err)))
        return st;
    return shape_set(n, 3, (int32_t[]){batch, 4 * depth}, 2, err);
}

static enum status basic_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    int32_t batch = n->out[0]->dim[0], depth = n->out[0]->dim[1], width = n->out[2]->dim[1];
    const struct tensor *bias = n->in[BASIC_BIAS];
    enum status st;

    for (uint32_t i = 0; i < 5; i++)
        if (n->in[i]->type != TYPE_FLOAT32)
            return cpu_bad_type(n, n->in[i], err);
    for (uint32_t i = 0; i < 4; i++)
        if (n->out[i]->type != TYPE_FLOAT32)
            return cpu_bad_type(n, n->out[i], err);
    if ((st = lstm_expect_shape(n->in[BASIC_ACTIVATION], "the previous activation", batch, depth, err)) ||
        (st = lstm_expect_shape(n->in[BASIC_STATE], "the previous state", batch, depth, err)) ||
        (st = lstm_expect_shape(n->in[BASIC_WEIGHTS], "the weights", 4 * depth, width, err)))
        return st;
    if (bias->rank != 1 || bias->dim[0] != 4 * depth)
        return err_set(err, ST_BAD_MODEL, "the bias is %s, expected [%d]", TENSOR_TEXT(bias), 4 * depth);
    return ST_OK;
}

/* Keeps the result as the next step's input where that is a variable; a plain input belongs to the caller. */
static void carry_over(struct tensor *state, const struct tensor *result)
{
    if (state->is_variable && result->bytes)
        memcpy(state->data, result->data, result->bytes);
}

static enum status basic_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    int32_t batch = n->out[0]->dim[0], depth = n->out[0]->dim[1], width = n->out[2]->dim[1], input = width - depth;
    const float *bias = n->in[BASIC_BIAS]->data, *prev = n->in[BASIC_STATE]->data;
    float *y = n->out[0]->data, *state = n->out[1]->data, *joined = n->out[2]->data, *gates = n->out[3]->data;

    for (int32_t b = 0; b < batch; b++) {
        float *row = joined + (size_t)b * (size_t)width;

        memcpy(row, (const float *)n->in[BASIC_X]->data + (size_t)b * (size_t)input, (size_t)input * sizeof *row);
        memcpy(row + input, (const float *)n->in[BASIC_ACTIVATION]->data + (size_t)b * (size_t)depth,
               (size_t)depth * sizeof *row);
        memcpy(gates + (size_t)b * 4 * (size_t)depth, bias, 4 * (size_t)depth * sizeof *gates);
    }
    matvec_add(c->threads, n->in[BASIC_WEIGHTS]->data, 4 * depth, width, joined, batch, gates);
    for (int32_t b = 0; b < batch; b++, gates += 4 * depth)
        for (int32_t i = 0; i < depth; i++) {
            float gate[GATES] = {gates[i], gates[2 * depth + i], gates[depth + i], gates[3 * depth + i]};
            size_t at = (size_t)b * (size_t)depth + (size_t)i;

            for (int k = 0; k < GATES; k++)
                lstm_activate(&gate[k], 1, k == GATE_CELL ? ACT_TANH : ACT_SIGMOID);
            state[at] = gate[GATE_INPUT] * gate[GATE_CELL] + gate[GATE_FORGET] * prev[at];
            y[at] = gate[GATE_OUTPUT] * tanhf(state[at]);
        }
    carry_over(n->in[BASIC_ACTIVATION], n->out[0]);
    carry_over(n->in[BASIC_STATE], n->out[1]);
    return ST_OK;
}

/* ---- either ---- */

static enum status lstm_shape(struct node *n, struct err *err)
{
    return is_basic(n) ? basic_shape(n, err) : full_shape(n, err);
}

static enum status lstm_prepare(struct cpu_call *c, struct err *err)
{
    return is_basic(c->node) ? basic_prepare(c, err) : full_prepare(c, err);
}

static enum status lstm_run(struct cpu_call *c, struct err *err)
{
    (void)err;
    return is_basic(c->node) ? basic_run(c) : full_run(c);
}

const struct cpu_kernel cpu_lstm = {.shape = lstm_shape, .prepare = lstm_prepare, .run = lstm_run};
