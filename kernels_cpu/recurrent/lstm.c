/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.c - LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM: one step or many of the full cell; the older basic cell is elsewhere. */
#include "kernels_cpu/recurrent/lstm.h"
#include "kernels_cpu/recurrent/lstm_cell.h"
#include "lib/graph/macs.h"

static bool is_sequence(const struct node *n)
{
    return n->builtin == BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM;
}

static bool is_basic(const struct node *n)
{
    return !is_sequence(n) && ((const struct opt_lstm *)n->opt)->kernel_type == LSTM_BASIC;
}

struct lstm_params lstm_params(const struct node *n)
{
    if (is_sequence(n)) {
        const struct opt_unidirectional_sequence_lstm *o = n->opt;

        return (struct lstm_params){o->activation, o->cell_clip, o->proj_clip, o->time_major, o->asymmetric_quantize_inputs};
    } else {
        const struct opt_lstm *o = n->opt;

        return (struct lstm_params){o->activation, o->cell_clip, o->proj_clip, true, o->asymmetric_quantize_inputs};
    }
}

/* ---- float and hybrid ---- */

struct float_plan {
    const struct lstm_impl *impl;
    struct lstm_cell cell;
};

static bool is_diagonal(const struct node *n)
{
    return is_sequence(n) && ((const struct opt_unidirectional_sequence_lstm *)n->opt)->diagonal_recurrent_tensors;
}

static enum status float_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct lstm_params o = lstm_params(n);
    const struct lstm_layout layout = {.first = 1, .norm = LSTM_NORM, .diagonal = is_diagonal(n)};
    struct lstm_cell *l;
    enum status st;

    if (n->out[0]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->out[0], err);
    if ((st = cpu_pack(c, sizeof(struct float_plan), err)))
        return st;
    l = &((struct float_plan *)c->packed)->cell;
    *l = (struct lstm_cell){.n_batch = rnn_walk_over(n->in[LSTM_X], o.time_major, false).batch,
                            .activation = o.activation,
                            .cell_clip = o.cell_clip,
                            .projection_clip = o.proj_clip,
                            .asymmetric = o.asymmetric};
    if ((st = lstm_cell_from_node(l, n, &layout, err)) ||
        (st = rnn_check_state(n, LSTM_OUTPUT_STATE, TYPE_FLOAT32, l->n_batch, l->n_output, err)) ||
        (st = rnn_check_state(n, LSTM_CELL_STATE, TYPE_FLOAT32, l->n_batch, l->n_cell, err)))
        return st;
    c->scratch_bytes = lstm_cell_scratch(l);
    return ST_OK;
}

static void float_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    struct lstm_cell l = ((const struct float_plan *)c->packed)->cell;
    const struct rnn_walk walk = rnn_walk_over(n->in[LSTM_X], lstm_params(n).time_major, false);

    for (size_t i = 0; i < rnn_steps(&walk); i++) {
        struct rnn_step s = rnn_step_at(&walk, i);
        float *output_state = (float *)n->in[LSTM_OUTPUT_STATE]->data + (size_t)s.first * (size_t)l.n_output;
        float *cell_state = (float *)n->in[LSTM_CELL_STATE]->data + (size_t)s.first * (size_t)l.n_cell;

        l.n_batch = s.batch;
        lstm_cell_step(&l, c, (const float *)n->in[LSTM_X]->data + s.row * (size_t)l.n_input, NULL, output_state, cell_state,
                       c->scratch);
        rnn_store(n->out[0]->data, (size_t)l.n_output, &s, output_state, l.n_output);
    }
}

const struct lstm_impl lstm_float = {float_prepare, float_run};

/* ---- all ---- */

static enum status full_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 1, 24, 1, err);
    const struct tensor *x, *w, *r;

    if (st)
        return st;
    if (n->n_in != 20 && n->n_in != 24)
        return err_set(err, ST_BAD_MODEL, "%u inputs, expected 20 or 24", n->n_in);
    x = n->in[LSTM_X];
    w = n->in[LSTM_FORGET_WEIGHTS];
    r = n->in[LSTM_FORGET_RECURRENT];
    if (!w || !r || !n->in[LSTM_OUTPUT_STATE] || !n->in[LSTM_CELL_STATE] || w->rank != 2 || r->rank != (is_diagonal(n) ? 1 : 2))
        return err_set(err, ST_BAD_MODEL, "the forget gate's weights or a state are omitted or of another rank");
    if (is_sequence(n)) {
        if (x->rank != 3 || x->dim[2] != w->dim[1])
            return err_set(err, ST_BAD_MODEL, "input is %s, expected [time,batch,%d] or [batch,time,%d]", TENSOR_TEXT(x), w->dim[1],
                           w->dim[1]);
        return shape_set(n, 0, (int32_t[]){x->dim[0], x->dim[1], r->dim[r->rank - 1]}, 3, err);
    }
    if (x->rank != 2 || x->dim[1] != w->dim[1])
        return err_set(err, ST_BAD_MODEL, "input is %s, expected [batch,%d]", TENSOR_TEXT(x), w->dim[1]);
    return shape_set(n, 0, (int32_t[]){x->dim[0], r->dim[1]}, 2, err);
}

static enum status lstm_shape(struct node *n, struct err *err)
{
    return is_basic(n) ? lstm_basic_shape(n, err) : full_shape(n, err);
}

static const struct lstm_impl *impl_of(const struct node *n)
{
    enum tensor_type x = n->in[LSTM_X]->type;

    if (is_basic(n))
        return x == TYPE_FLOAT32 ? &lstm_basic_f32 : x == TYPE_UINT8 ? &lstm_basic_u8 : NULL;
    if (x == TYPE_INT8)
        return is_sequence(n) || n->n_mid < 12 ? &lstm_int : &lstm_int8;
    return x == TYPE_FLOAT32 ? &lstm_float : NULL;
}

static enum status lstm_prepare(struct cpu_call *c, struct err *err)
{
    const struct lstm_impl *impl = impl_of(c->node);
    enum status st;

    if (!impl)
        return cpu_bad_type(c->node, c->node->in[LSTM_X], err);
    if (impl == &lstm_int && is_diagonal(c->node))
        return err_set(err, ST_UNSUPPORTED, "diagonal recurrent weights of an integer LSTM");
    if ((st = impl->prepare(c, err)))
        return st;
    *(const struct lstm_impl **)c->packed = impl;
    return ST_OK;
}

static enum status lstm_run(struct cpu_call *c, struct err *err)
{
    (void)err;
    (*(const struct lstm_impl *const *)c->packed)->run(c);
    return ST_OK;
}

const struct cpu_kernel cpu_lstm = {.shape = lstm_shape, .prepare = lstm_prepare, .run = lstm_run, .macs = macs_recurrent};
const struct cpu_kernel cpu_unidirectional_sequence_lstm = {
    .shape = lstm_shape, .prepare = lstm_prepare, .run = lstm_run, .macs = macs_recurrent};
