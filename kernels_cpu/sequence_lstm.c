/* sequence_lstm.c - UNIDIRECTIONAL_SEQUENCE_LSTM: the cell of LSTM, once per time step. */
#include "lstm_cell.h"

#include <string.h>

enum { X, OUTPUT_STATE = 18, CELL_STATE = 19 };

static enum status sequence_shape(struct node *n, struct err *err)
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
    if (n->in[X]->rank != 3 || n->in[X]->dim[2] != w->dim[1])
        return err_set(err, ST_BAD_MODEL, "input is %s, expected [time,batch,%d] or [batch,time,%d]", TENSOR_TEXT(n->in[X]),
                       w->dim[1], w->dim[1]);
    return shape_set(n, 0, (int32_t[]){n->in[X]->dim[0], n->in[X]->dim[1], r->dim[1]}, 3, err);
}

static enum status sequence_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct opt_unidirectional_sequence_lstm *o = n->opt;
    struct lstm_cell *l;
    enum status st;

    if (n->in[X]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->in[X], err);
    if (n->out[0]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->out[0], err);
    if (o->diagonal_recurrent_tensors)
        return err_set(err, ST_UNSUPPORTED, "diagonal recurrent weights");
    if ((st = cpu_pack(c, sizeof *l, err)))
        return st;
    l = c->packed;
    *l = (struct lstm_cell){.n_batch = n->in[X]->dim[o->time_major ? 1 : 0], .activation = o->activation,
                            .cell_clip = o->cell_clip, .projection_clip = o->proj_clip};
    if ((st = lstm_cell_from_node(l, n, err)) ||
        (st = lstm_expect_shape(n->in[OUTPUT_STATE], "the output state", l->n_batch, l->n_output, err)) ||
        (st = lstm_expect_shape(n->in[CELL_STATE], "the cell state", l->n_batch, l->n_cell, err)))
        return st;
    if (!n->in[OUTPUT_STATE]->is_variable || !n->in[CELL_STATE]->is_variable)
        return err_set(err, ST_BAD_MODEL, "the states must be variable tensors");
    c->scratch_bytes = lstm_cell_scratch(l) * sizeof(float);
    return ST_OK;
}

/* Time-major data has all batches of a step beside each other; else each batch walks through its own steps. */
static enum status sequence_run(struct cpu_call *c, struct err *err)
{
    const struct opt_unidirectional_sequence_lstm *o = c->node->opt;
    const struct node *n = c->node;
    struct lstm_cell l = *(const struct lstm_cell *)c->packed;
    int32_t outer = o->time_major ? 1 : l.n_batch, steps = n->in[X]->dim[o->time_major ? 0 : 1];
    const float *x = n->in[X]->data;
    float *y = n->out[0]->data;

    (void)err;
    l.n_batch = o->time_major ? l.n_batch : 1;
    for (int32_t b = 0; b < outer; b++) {
        float *output_state = (float *)n->in[OUTPUT_STATE]->data + (size_t)b * (size_t)l.n_output;
        float *cell_state = (float *)n->in[CELL_STATE]->data + (size_t)b * (size_t)l.n_cell;
        size_t in_step = (size_t)l.n_batch * (size_t)l.n_input, out_step = (size_t)l.n_batch * (size_t)l.n_output;

        for (int32_t t = 0; t < steps; t++, x += in_step, y += out_step) {
            lstm_cell_step(&l, c->threads, x, NULL, output_state, cell_state, c->scratch);
            memcpy(y, output_state, out_step * sizeof *y);
        }
    }
    return ST_OK;
}

const struct cpu_kernel cpu_unidirectional_sequence_lstm = {
    .shape = sequence_shape, .prepare = sequence_prepare, .run = sequence_run,
};
