/* SPDX-License-Identifier: Apache-2.0 */
/* rnn.c - RNN, UNIDIRECTIONAL_SEQUENCE_RNN, BIDIRECTIONAL_SEQUENCE_RNN: y = activation(W x + R h + b), h = y. */
#include "kernels_cpu/recurrent/recurrent.h"
#include "lib/graph/macs.h"

#include <string.h>

enum { X, WEIGHTS, RECURRENT, BIAS, STATE, N_INPUTS }; /* the first four after X again for the backward cell */
enum { BACKWARD_WEIGHTS = 5, BACKWARD_STATE = 8, AUX = 9, AUX_WEIGHTS, BACKWARD_AUX_WEIGHTS, N_BIDIRECTIONAL };

struct rnn_cell {
    struct rnn_matrix input, aux, recurrent;
    const float *bias;
    int32_t units;
    enum activation activation;
    bool asymmetric;
};

struct rnn_options {
    enum activation activation;
    bool time_major, merge, asymmetric;
};

static struct rnn_options options(const struct node *n)
{
    if (n->builtin == BUILTIN_RNN) {
        const struct opt_rnn *o = n->opt;

        return (struct rnn_options){o->activation, true, false, o->asymmetric_quantize_inputs};
    }
    if (n->builtin == BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN) {
        const struct opt_sequence_rnn *o = n->opt;

        return (struct rnn_options){o->activation, o->time_major, false, o->asymmetric_quantize_inputs};
    } else {
        const struct opt_bidirectional_sequence_rnn *o = n->opt;

        return (struct rnn_options){o->activation, o->time_major, o->merge_outputs, o->asymmetric_quantize_inputs};
    }
}

/* ---- one cell ---- */

/* Weights, recurrent weights and bias are inputs first.. ; aux: the auxiliary weights' input, 0 for none. */
static enum status cell_from_node(struct rnn_cell *l, const struct node *n, uint32_t first, uint32_t aux, int32_t batch,
                                  struct err *err)
{
    const struct tensor *w = n->in[first];
    const struct rnn_options o = options(n);
    enum status st;

    *l = (struct rnn_cell){.units = w->dim[0], .activation = o.activation, .asymmetric = o.asymmetric};
    if ((st = rnn_matrix_from_node(n, first, l->units, w->dim[1], &l->input, err)) ||
        (st = rnn_matrix_from_node(n, first + 1, l->units, l->units, &l->recurrent, err)) ||
        (st = rnn_vector_from_node(n, first + 2, l->units, &l->bias, err)) ||
        (st = rnn_check_state(n, first + 3, TYPE_FLOAT32, batch, l->units, err)))
        return st;
    if (aux && (st = rnn_matrix_from_node(n, aux, l->units, n->in[AUX]->dim[2], &l->aux, err)))
        return st;
    if (!l->input.i8 != !l->recurrent.i8 || (aux && !l->input.i8 != !l->aux.i8))
        return err_set(err, ST_BAD_MODEL, "some weights are float, others have 8 bits");
    return ST_OK;
}

static size_t cell_scratch(const struct rnn_cell *l, int32_t batch)
{
    size_t bytes = ((size_t)batch * (size_t)l->units * sizeof(float) + 15) / 16 * 16;

    if (!l->input.i8)
        return bytes;
    return bytes + rnn_vectors_bytes(batch, l->input.cols) + rnn_vectors_bytes(batch, l->aux.cols) +
           rnn_vectors_bytes(batch, l->units);
}

/* Adds the product with a batch of vectors; returns the scratch that is left. */
static char *add(const struct cpu_call *c, const struct rnn_cell *l, const struct rnn_matrix *m, const float *x, int32_t batch,
                 float *y, char *scratch)
{
    struct rnn_vectors v;

    rnn_vectors_init(&v, c->mode, x, batch, m->cols, l->asymmetric, m->i8 ? scratch : NULL);
    rnn_matrix_add(c, m, &v, y);
    return scratch + (m->i8 ? rnn_vectors_bytes(batch, m->cols) : 0);
}

/* x and aux (or NULL) point at this step's vectors, state [batch, units] at its batches' state, which is the result too. */
static void cell_step(const struct rnn_cell *l, const struct cpu_call *c, const float *x, const float *aux, float *state,
                      int32_t batch, void *scratch)
{
    size_t total = (size_t)batch * (size_t)l->units;
    float *y = scratch;
    char *rest = (char *)scratch + (total * sizeof *y + 15) / 16 * 16;

    rnn_assign(y, l->bias, batch, l->units);
    rest = add(c, l, &l->input, x, batch, y, rest);
    if (aux)
        rest = add(c, l, &l->aux, aux, batch, y, rest);
    add(c, l, &l->recurrent, state, batch, y, rest);
    activation_apply(y, total, l->activation);
    memcpy(state, y, total * sizeof *y);
}

/* Runs a cell over all times; its results go to y, whose rows are `width` wide. */
static void run_cell(struct cpu_call *c, const struct rnn_cell *l, const struct rnn_walk *walk, const float *x, const float *aux,
                     float *state, float *y, size_t width)
{
    for (size_t i = 0; i < rnn_steps(walk); i++) {
        const struct rnn_step s = rnn_step_at(walk, i);
        float *h = state + (size_t)s.first * (size_t)l->units;

        cell_step(l, c, x + s.row * (size_t)l->input.cols, aux ? aux + s.row * (size_t)l->aux.cols : NULL, h, s.batch, c->scratch);
        rnn_store(y, width, &s, h, l->units);
    }
}

/* ---- forward alone ---- */

static enum status check_matrix(const struct node *n, uint32_t i, int32_t cols, struct err *err)
{
    const struct tensor *w = n->in[i];

    if (!w || w->rank != 2 || w->dim[1] != cols)
        return err_set(err, ST_BAD_MODEL, "the weights, input %u, are %s, expected [units,%d]", i, w ? TENSOR_TEXT(w) : "omitted",
                       cols);
    return ST_OK;
}

static enum status rnn_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, N_INPUTS, N_INPUTS, 1, err);
    int32_t rank = n->builtin == BUILTIN_RNN ? 2 : 3, dim[3];
    const struct tensor *x;

    if (st)
        return st;
    x = n->in[X];
    if (x->rank != rank)
        return err_set(err, ST_BAD_MODEL, "input is %s, expected rank %d", TENSOR_TEXT(x), rank);
    if ((st = check_matrix(n, WEIGHTS, x->dim[rank - 1], err)))
        return st;
    memcpy(dim, x->dim, sizeof dim);
    dim[rank - 1] = n->in[WEIGHTS]->dim[0];
    return shape_set(n, 0, dim, rank, err);
}

static enum status check_float(const struct node *n, const struct tensor *t, struct err *err)
{
    return t->type == TYPE_FLOAT32 ? ST_OK : cpu_bad_type(n, t, err);
}

static enum status rnn_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    int32_t batch = rnn_walk_over(n->in[X], options(n).time_major, false).batch;
    enum status st;

    if ((st = check_float(n, n->in[X], err)) || (st = check_float(n, n->out[0], err)) ||
        (st = cpu_pack(c, sizeof(struct rnn_cell), err)) || (st = cell_from_node(c->packed, n, WEIGHTS, 0, batch, err)))
        return st;
    c->scratch_bytes = cell_scratch(c->packed, batch);
    return ST_OK;
}

static enum status rnn_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct rnn_cell *l = c->packed;
    const struct rnn_walk walk = rnn_walk_over(n->in[X], options(n).time_major, false);

    (void)err;
    run_cell(c, l, &walk, n->in[X]->data, NULL, n->in[STATE]->data, n->out[0]->data, (size_t)l->units);
    return ST_OK;
}

/* ---- forward and backward ---- */

/* The auxiliary input is a second input of both cells where it has weights, else it is the backward cell's input - but TFLite
 * has that for time-major data alone. */
static bool has_aux_weights(const struct node *n)
{
    return n->in[AUX] && n->in[AUX_WEIGHTS];
}

static const struct tensor *backward_input(const struct node *n)
{
    return n->in[AUX] && !has_aux_weights(n) && options(n).time_major ? n->in[AUX] : n->in[X];
}

static enum status check_aux(const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[X], *aux = n->in[AUX];

    if (!n->in[AUX_WEIGHTS] != !n->in[BACKWARD_AUX_WEIGHTS] || (n->in[AUX_WEIGHTS] && !aux))
        return err_set(err, ST_BAD_MODEL, "the auxiliary input or its weights in one direction are omitted");
    if (aux && !tensor_same_shape(aux, x)) /* another width would be legal, but TFLite walks it by the input's width */
        return err_set(err, ST_UNSUPPORTED, "the auxiliary input is %s, not of the input's shape %s", TENSOR_TEXT(aux),
                       TENSOR_TEXT(x));
    return ST_OK;
}

static enum status bidirectional_shape(struct node *n, struct err *err)
{
    const struct rnn_options o = options(n);
    enum status st;
    const struct tensor *x;
    int32_t forward, backward;

    if ((st = shape_arity(n, BACKWARD_STATE + 1, N_BIDIRECTIONAL, o.merge ? 1 : 2, err)))
        return st;
    if (n->n_in != N_BIDIRECTIONAL)
        return err_set(err, ST_BAD_MODEL, "%u inputs, expected %d", n->n_in, N_BIDIRECTIONAL);
    x = n->in[X];
    if (x->rank != 3)
        return err_set(err, ST_BAD_MODEL, "input is %s, expected rank 3", TENSOR_TEXT(x));
    if ((st = check_aux(n, err)) || (st = check_matrix(n, WEIGHTS, x->dim[2], err)) ||
        (st = check_matrix(n, BACKWARD_WEIGHTS, backward_input(n)->dim[2], err)))
        return st;
    forward = n->in[WEIGHTS]->dim[0];
    backward = n->in[BACKWARD_WEIGHTS]->dim[0];
    if (forward > INT32_MAX - backward)
        return err_set(err, ST_BAD_MODEL, "%d and %d units", forward, backward);
    if ((st = shape_set(n, 0, (int32_t[]){x->dim[0], x->dim[1], o.merge ? forward + backward : forward}, 3, err)) || o.merge)
        return st;
    return shape_set(n, 1, (int32_t[]){x->dim[0], x->dim[1], backward}, 3, err);
}

struct bidirectional {
    struct rnn_cell forward, backward;
};

static enum status bidirectional_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    int32_t batch = rnn_walk_over(n->in[X], options(n).time_major, false).batch;
    bool aux = has_aux_weights(n);
    struct bidirectional *l;
    size_t forward, backward;
    enum status st;

    for (uint32_t i = 0; i < n->n_out; i++)
        if ((st = check_float(n, n->out[i], err)))
            return st;
    if ((st = check_float(n, n->in[X], err)) || (n->in[AUX] && (st = check_float(n, n->in[AUX], err))) ||
        (st = cpu_pack(c, sizeof *l, err)))
        return st;
    l = c->packed;
    if ((st = cell_from_node(&l->forward, n, WEIGHTS, aux ? AUX_WEIGHTS : 0, batch, err)) ||
        (st = cell_from_node(&l->backward, n, BACKWARD_WEIGHTS, aux ? BACKWARD_AUX_WEIGHTS : 0, batch, err)))
        return st;
    forward = cell_scratch(&l->forward, batch);
    backward = cell_scratch(&l->backward, batch);
    c->scratch_bytes = forward > backward ? forward : backward;
    return ST_OK;
}

static enum status bidirectional_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct bidirectional *l = c->packed;
    const struct rnn_options o = options(n);
    /* TFLite walks hybrid time-major sequences as often as they have steps, the state going from one walk to the next. */
    const int32_t walks = l->forward.input.i8 && o.time_major ? n->in[X]->dim[0] : 1;
    const struct rnn_walk forward = rnn_walk_over(n->in[X], o.time_major, false);
    const struct rnn_walk backward = rnn_walk_over(n->in[X], o.time_major, true);
    const float *aux = has_aux_weights(n) ? n->in[AUX]->data : NULL;
    size_t f = (size_t)l->forward.units, b = (size_t)l->backward.units;

    (void)err;
    for (int32_t i = 0; i < walks; i++) {
        run_cell(c, &l->forward, &forward, n->in[X]->data, aux, n->in[STATE]->data, n->out[0]->data, o.merge ? f + b : f);
        run_cell(c, &l->backward, &backward, backward_input(n)->data, aux, n->in[BACKWARD_STATE]->data,
                 o.merge ? (float *)n->out[0]->data + f : n->out[1]->data, o.merge ? f + b : b);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_rnn = {.shape = rnn_shape, .prepare = rnn_prepare, .run = rnn_run, .macs = macs_recurrent};
const struct cpu_kernel cpu_unidirectional_sequence_rnn = {
    .shape = rnn_shape, .prepare = rnn_prepare, .run = rnn_run, .macs = macs_recurrent};
const struct cpu_kernel cpu_bidirectional_sequence_rnn = {
    .shape = bidirectional_shape,
    .prepare = bidirectional_prepare,
    .run = bidirectional_run,
    .macs = macs_recurrent,
};
