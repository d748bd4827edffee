/* SPDX-License-Identifier: Apache-2.0 */
/* bidirectional_lstm.c - BIDIRECTIONAL_SEQUENCE_LSTM: two cells, one walking back in time. */
#include "kernels_cpu/recurrent/lstm_cell.h"
#include "lib/graph/macs.h"

enum {
    X,
    FORWARD = 1,
    BACKWARD = 18,
    FORWARD_STATE = 35,
    BACKWARD_STATE = 37,
    AUX = 39,
    FORWARD_AUX = 40,
    BACKWARD_AUX = 44,
    N_INPUTS = 48
};

struct bidirectional {
    struct lstm_cell forward, backward;
};

/* The auxiliary input is a second input of both cells where it has weights, else it is the backward cell's input. */
static bool has_aux_weights(const struct node *n)
{
    return n->in[AUX] && n->in[FORWARD_AUX + GATE_FORGET];
}

static const struct tensor *backward_input(const struct node *n)
{
    return n->in[AUX] && !has_aux_weights(n) ? n->in[AUX] : n->in[X];
}

/* Checks the forget gate's weights of the cell whose weights begin at `first`; *units is how much it puts out. */
static enum status check_cell(const struct node *n, uint32_t first, int32_t cols, int32_t *units, struct err *err)
{
    const struct tensor *w = n->in[first + GATE_FORGET], *r = n->in[first + 4 + GATE_FORGET];

    if (!w || !r || w->rank != 2 || r->rank != 2 || w->dim[1] != cols)
        return err_set(err, ST_BAD_MODEL, "the forget gate's weights, inputs %u and %u, are not [cells,%d] and [cells,outputs]",
                       first + GATE_FORGET, first + 4 + GATE_FORGET, cols);
    *units = r->dim[1];
    return ST_OK;
}

static enum status check_aux(const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[X], *aux = n->in[AUX];

    if (!n->in[FORWARD_AUX + GATE_FORGET] != !n->in[BACKWARD_AUX + GATE_FORGET] || (n->in[FORWARD_AUX + GATE_FORGET] && !aux))
        return err_set(err, ST_BAD_MODEL, "the auxiliary input or its weights in one direction are omitted");
    if (aux && (aux->rank != 3 || aux->dim[0] != x->dim[0] || aux->dim[1] != x->dim[1]))
        return err_set(err, ST_BAD_MODEL, "the auxiliary input is %s, expected [%d,%d,…]", TENSOR_TEXT(aux), x->dim[0], x->dim[1]);
    return ST_OK;
}

static enum status bidirectional_shape(struct node *n, struct err *err)
{
    const struct opt_bidirectional_sequence_lstm *o = n->opt;
    enum status st = shape_arity(n, 1, N_INPUTS, o->merge_outputs ? 1 : 2, err);
    const struct tensor *x;
    int32_t forward = 0, backward = 0;

    if (st)
        return st;
    x = n->in[X];
    if (n->n_in != N_INPUTS || x->rank != 3)
        return err_set(err, ST_BAD_MODEL, "%u inputs, the first of rank %d; expected %d, the first of rank 3", n->n_in, x->rank,
                       N_INPUTS);
    if ((st = check_aux(n, err)) || (st = check_cell(n, FORWARD, x->dim[2], &forward, err)) ||
        (st = check_cell(n, BACKWARD, backward_input(n)->dim[2], &backward, err)))
        return st;
    if (forward > INT32_MAX - backward)
        return err_set(err, ST_BAD_MODEL, "%d and %d outputs", forward, backward);
    if ((st = shape_set(n, 0, (int32_t[]){x->dim[0], x->dim[1], o->merge_outputs ? forward + backward : forward}, 3, err)) ||
        o->merge_outputs)
        return st;
    return shape_set(n, 1, (int32_t[]){x->dim[0], x->dim[1], backward}, 3, err);
}

static enum status cell_init(struct lstm_cell *l, const struct node *n, uint32_t first, uint32_t aux, uint32_t state,
                             struct err *err)
{
    const struct opt_bidirectional_sequence_lstm *o = n->opt;
    const struct lstm_layout layout = {.first = first, .aux = has_aux_weights(n) ? aux : 0};
    enum status st;

    *l = (struct lstm_cell){.n_batch = rnn_walk_over(n->in[X], o->time_major, false).batch,
                            .activation = o->activation,
                            .n_aux = has_aux_weights(n) ? n->in[AUX]->dim[2] : 0,
                            .cell_clip = o->cell_clip,
                            .projection_clip = o->proj_clip,
                            .asymmetric = o->asymmetric_quantize_inputs};
    if ((st = lstm_cell_from_node(l, n, &layout, err)) ||
        (st = rnn_check_state(n, state, TYPE_FLOAT32, l->n_batch, l->n_output, err)))
        return st;
    return rnn_check_state(n, state + 1, TYPE_FLOAT32, l->n_batch, l->n_cell, err);
}

static enum status bidirectional_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct bidirectional *l;
    size_t forward, backward;
    enum status st;

    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i]->type != TYPE_FLOAT32)
            return cpu_bad_type(n, n->out[i], err);
    if (n->in[X]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->in[X], err);
    if (n->in[AUX] && n->in[AUX]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->in[AUX], err);
    if ((st = cpu_pack(c, sizeof *l, err)))
        return st;
    l = c->packed;
    if ((st = cell_init(&l->forward, n, FORWARD, FORWARD_AUX, FORWARD_STATE, err)) ||
        (st = cell_init(&l->backward, n, BACKWARD, BACKWARD_AUX, BACKWARD_STATE, err)))
        return st;
    forward = lstm_cell_scratch(&l->forward);
    backward = lstm_cell_scratch(&l->backward);
    c->scratch_bytes = forward > backward ? forward : backward;
    return ST_OK;
}

/* Runs a cell over all times; its results go to y, whose rows are `width` wide. */
static void run_cell(struct cpu_call *c, const struct lstm_cell *cell, const struct rnn_walk *walk, const float *x, uint32_t state,
                     float *y, size_t width)
{
    const struct node *n = c->node;
    const float *aux = has_aux_weights(n) ? n->in[AUX]->data : NULL;
    struct lstm_cell l = *cell;

    for (size_t i = 0; i < rnn_steps(walk); i++) {
        const struct rnn_step s = rnn_step_at(walk, i);
        float *output_state = (float *)n->in[state]->data + (size_t)s.first * (size_t)l.n_output;
        float *cell_state = (float *)n->in[state + 1]->data + (size_t)s.first * (size_t)l.n_cell;

        l.n_batch = s.batch;
        lstm_cell_step(&l, c, x + s.row * (size_t)l.n_input, aux ? aux + s.row * (size_t)l.n_aux : NULL, output_state, cell_state,
                       c->scratch);
        rnn_store(y, width, &s, output_state, l.n_output);
    }
}

static enum status bidirectional_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct opt_bidirectional_sequence_lstm *o = n->opt;
    const struct bidirectional *l = c->packed;
    const struct rnn_walk forward = rnn_walk_over(n->in[X], o->time_major, false);
    const struct rnn_walk backward = rnn_walk_over(n->in[X], o->time_major, true);
    size_t f = (size_t)l->forward.n_output, b = (size_t)l->backward.n_output;
    bool merge = o->merge_outputs;

    (void)err;
    run_cell(c, &l->forward, &forward, n->in[X]->data, FORWARD_STATE, n->out[0]->data, merge ? f + b : f);
    run_cell(c, &l->backward, &backward, backward_input(n)->data, BACKWARD_STATE,
             merge ? (float *)n->out[0]->data + f : n->out[1]->data, merge ? f + b : b);
    return ST_OK;
}

const struct cpu_kernel cpu_bidirectional_sequence_lstm = {
    .shape = bidirectional_shape,
    .prepare = bidirectional_prepare,
    .run = bidirectional_run,
    .macs = macs_recurrent,
};
