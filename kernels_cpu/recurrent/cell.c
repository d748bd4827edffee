/* SPDX-License-Identifier: Apache-2.0 */
/* cell.c - see cell.h */
#include "kernels_cpu/recurrent/cell.h"

/* ---- options ---- */

static struct cell rnn_options(enum activation activation, bool time_major, bool asymmetric)
{
    return (struct cell){.activation = activation, .walk.time_major = time_major, .asymmetric = asymmetric};
}

static struct cell lstm_options(const struct opt_unidirectional_sequence_lstm *o)
{
    return (struct cell){.lstm = true,
                         .activation = o->activation,
                         .cell_clip = o->cell_clip,
                         .projection_clip = o->proj_clip,
                         .walk.time_major = o->time_major,
                         .asymmetric = o->asymmetric_quantize_inputs,
                         .diagonal = o->diagonal_recurrent_tensors};
}

static struct cell options_of(const struct node *n)
{
    const struct opt_rnn *rnn = n->opt;
    const struct opt_sequence_rnn *sequence = n->opt;
    const struct opt_bidirectional_sequence_rnn *both = n->opt;
    const struct opt_bidirectional_sequence_lstm *both_lstm = n->opt;
    const struct opt_lstm *lstm = n->opt;
    struct cell c;

    switch (n->builtin) {
    case BUILTIN_RNN: return rnn_options(rnn->activation, true, rnn->asymmetric_quantize_inputs);
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN:
        return rnn_options(sequence->activation, sequence->time_major, sequence->asymmetric_quantize_inputs);
    case BUILTIN_BIDIRECTIONAL_SEQUENCE_RNN:
        c = rnn_options(both->activation, both->time_major, both->asymmetric_quantize_inputs);
        c.merge = both->merge_outputs;
        break;
    case BUILTIN_LSTM:
        return lstm_options(&(struct opt_unidirectional_sequence_lstm){lstm->activation, lstm->cell_clip, lstm->proj_clip, true,
                                                                       lstm->asymmetric_quantize_inputs, false});
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM: return lstm_options(n->opt);
    default:
        c = lstm_options(&(struct opt_unidirectional_sequence_lstm){both_lstm->activation, both_lstm->cell_clip,
                                                                    both_lstm->proj_clip, both_lstm->time_major,
                                                                    both_lstm->asymmetric_quantize_inputs, false});
        c.merge = both_lstm->merge_outputs;
    }
    c.two = true;
    return c;
}

struct cell cell_options(const struct node *n)
{
    struct cell c = options_of(n);
    const struct tensor *x = n->in[c.x];

    c.walk.batch = x->rank == 2 ? x->dim[0] : x->dim[c.walk.time_major];
    c.walk.times = x->rank == 2 ? 1 : x->dim[!c.walk.time_major];
    return c;
}

/* ---- inputs ---- */

enum status cell_weights(const struct node *n, uint32_t i, int32_t rows, int32_t cols, const struct tensor **out, struct err *err)
{
    const struct tensor *t = node_in(n, i);

    *out = t;
    if (!t)
        return ST_OK;
    if (t->type != TYPE_FLOAT32 && t->type != TYPE_INT8 && t->type != TYPE_UINT8)
        return cpu_bad_type(n, t, err);
    if (rows < 0 && (t->rank != 1 || t->dim[0] != cols))
        return err_set(err, ST_BAD_MODEL, "input %u is %s, expected [%d]", i, TENSOR_TEXT(t), cols);
    if (rows >= 0 && (t->rank != 2 || t->dim[0] != rows || t->dim[1] != cols))
        return err_set(err, ST_BAD_MODEL, "input %u is %s, expected [%d,%d]", i, TENSOR_TEXT(t), rows, cols);
    return ST_OK;
}

enum status cell_vector(const struct node *n, uint32_t i, int32_t cols, const struct tensor **out, struct err *err)
{
    const struct tensor *t = node_in(n, i);

    return t && t->type != TYPE_FLOAT32 ? cpu_bad_type(n, t, err) : cell_weights(n, i, -1, cols, out, err);
}

enum status cell_check_state(const struct node *n, uint32_t i, enum tensor_type type, int32_t batch, int32_t units, struct err *err)
{
    const struct tensor *t = node_in(n, i);

    if (!t)
        return err_set(err, ST_BAD_MODEL, "the state, input %u, is omitted", i);
    if (!t->is_variable)
        return err_set(err, ST_BAD_MODEL, "the state, input %u, must be a variable tensor", i);
    if (t->type != type || tensor_elems(t) != (size_t)batch * (size_t)units)
        return err_set(err, ST_BAD_MODEL, "the state, input %u, is %s, expected %s[%d,%d]", i, TENSOR_TEXT(t), type_name(type),
                       batch, units);
    return ST_OK;
}

/* Which inputs of a node are a cell. From `first` on, of an LSTM: 4 input, 4 recurrent, 3 peephole weights, 4 biases, projection
 * and its bias; else weights, recurrent weights and bias. */
struct layout {
    uint32_t first, aux, norm; /* aux, norm: the first of the gates' inputs, 0 for none */
};

/* The auxiliary input is a second input of both cells if it has weights, else it is the backward cell's input; but TFLite has that
 * of RNN for time-major data alone. */
static struct layout set_inputs(const struct node *n, struct cell *c)
{
    const uint32_t backward = c->walk.backward, aux = c->lstm ? 39 : 9;
    struct layout l = {.first = 1, .norm = c->lstm && !c->two ? 20 : 0};

    if (backward)
        l.first = c->lstm ? 18 : 5;
    c->output_state = !c->lstm ? l.first + 3 : !c->two ? 18 : 35 + 2 * backward;
    c->cell_state = c->lstm ? c->output_state + 1 : 0;
    if (!c->two || !node_in(n, aux))
        return l;
    if (node_in(n, aux + 1 + (c->lstm ? GATE_FORGET : 0))) {
        c->x_aux = aux;
        c->n_aux = n->in[aux]->dim[2];
        l.aux = aux + 1 + backward * (c->lstm ? GATES : 1);
    } else if (backward && (c->lstm || c->walk.time_major)) {
        c->x = aux;
    }
    return l;
}

static enum status rnn_from_node(struct cell *c, const struct node *n, const struct layout *l, struct err *err)
{
    const struct tensor *w = node_in(n, l->first);
    enum status st;

    if (!w || w->rank != 2)
        return err_set(err, ST_BAD_MODEL, "the weights, input %u, are %s", l->first, w ? TENSOR_TEXT(w) : "omitted");
    c->n_cell = c->n_output = w->dim[0];
    c->n_input = w->dim[1];
    if ((st = cell_weights(n, l->first, c->n_cell, c->n_input, &c->input[GATE_CELL], err)) ||
        (st = cell_weights(n, l->first + 1, c->n_cell, c->n_cell, &c->recurrent[GATE_CELL], err)) ||
        (st = cell_vector(n, l->first + 2, c->n_cell, &c->bias[GATE_CELL], err)) ||
        (l->aux && (st = cell_weights(n, l->aux, c->n_cell, c->n_aux, &c->aux[GATE_CELL], err))))
        return st;
    return c->recurrent[GATE_CELL] ? ST_OK
                                   : err_set(err, ST_BAD_MODEL, "the recurrent weights, input %u, are omitted", l->first + 1);
}

static enum status gate_from_node(struct cell *c, const struct node *n, const struct layout *l, uint32_t k, struct err *err)
{
    const uint32_t recurrent = l->first + 4 + k, peephole = l->first + 8 + (k == GATE_OUTPUT ? 2 : k);
    enum status st;

    if ((st = cell_weights(n, l->first + k, c->n_cell, c->n_input, &c->input[k], err)) ||
        (st = c->diagonal ? cell_vector(n, recurrent, c->n_output, &c->recurrent[k], err)
                          : cell_weights(n, recurrent, c->n_cell, c->n_output, &c->recurrent[k], err)) ||
        (k != GATE_CELL && (st = cell_weights(n, peephole, -1, c->n_cell, &c->peephole[k], err))) ||
        (st = cell_vector(n, l->first + 11 + k, c->n_cell, &c->bias[k], err)) ||
        (l->aux && (st = cell_weights(n, l->aux + k, c->n_cell, c->n_aux, &c->aux[k], err))))
        return st;
    return l->norm ? cell_vector(n, l->norm + k, c->n_cell, &c->norm[k], err) : ST_OK;
}

/* All or none of the gates' optional weights must be there; those of an absent input gate are not looked at. */
static enum status check_sets(const struct cell *c, struct err *err)
{
    for (int k = GATE_FORGET; k < GATES; k++)
        if (!c->input[k] || !c->recurrent[k])
            return err_set(err, ST_BAD_MODEL, "weights of gate %d are omitted", k);
    if (!c->input[GATE_INPUT] != !c->recurrent[GATE_INPUT])
        return err_set(err, ST_BAD_MODEL, "the input gate has input weights or recurrent weights, but not both");
    for (int k = cell_is_coupled(c) ? GATE_FORGET : GATE_INPUT; k < GATES; k++) {
        if (k != GATE_CELL && !c->peephole[k] != !c->peephole[GATE_OUTPUT])
            return err_set(err, ST_BAD_MODEL, "peephole weights are there for some gates only");
        if (!c->norm[k] != !c->norm[GATE_OUTPUT])
            return err_set(err, ST_BAD_MODEL, "layer normalization coefficients are there for some gates only");
        if (!c->aux[k] != !c->aux[GATE_OUTPUT])
            return err_set(err, ST_BAD_MODEL, "auxiliary weights are there for some gates only");
    }
    return c->projection_bias && !c->projection ? err_set(err, ST_BAD_MODEL, "a projection bias without projection weights")
                                                : ST_OK;
}

static void forget_input_gate(struct cell *c)
{
    c->aux[GATE_INPUT] = c->peephole[GATE_INPUT] = c->bias[GATE_INPUT] = c->norm[GATE_INPUT] = NULL;
}

static enum status lstm_from_node(struct cell *c, const struct node *n, const struct layout *l, struct err *err)
{
    const struct tensor *w = node_in(n, l->first + 1), *r = node_in(n, l->first + 5);
    enum status st = ST_OK;

    if (!w || !r || w->rank != 2 || r->rank != (c->diagonal ? 1 : 2))
        return err_set(err, ST_BAD_MODEL, "the forget gate lacks its two weight matrices");
    c->n_cell = w->dim[0];
    c->n_input = w->dim[1];
    c->n_output = r->dim[r->rank - 1];
    if (c->diagonal && c->n_output != c->n_cell)
        return err_set(err, ST_BAD_MODEL, "a diagonal of %d recurrent weights for %d cells", c->n_output, c->n_cell);
    for (uint32_t k = 0; k < GATES; k++)
        if ((st = gate_from_node(c, n, l, k, err)))
            return st;
    if ((st = cell_weights(n, l->first + 15, c->n_output, c->n_cell, &c->projection, err)) ||
        (st = cell_vector(n, l->first + 16, c->n_output, &c->projection_bias, err)))
        return st;
    if (!c->projection && c->n_output != c->n_cell)
        return err_set(err, ST_BAD_MODEL, "%d outputs of %d cells need a projection", c->n_output, c->n_cell);
    if (!(st = check_sets(c, err)) && cell_is_coupled(c))
        forget_input_gate(c);
    return st;
}

/* Fails if weights have another type than those of the input. */
static enum status check_types(const struct cell *c, struct err *err)
{
    for (int k = 0; k < GATES; k++) {
        const struct tensor *w[] = {c->input[k], c->aux[k], c->diagonal ? NULL : c->recurrent[k], c->peephole[k], c->projection};

        for (size_t i = 0; i < sizeof w / sizeof *w; i++)
            if (w[i] && (w[i]->type == TYPE_FLOAT32) == cell_is_hybrid(c))
                return err_set(err, ST_BAD_MODEL, "some weights are float, others have 8 bits");
    }
    return ST_OK;
}

enum status cell_from_node(const struct node *n, bool backward, struct cell *out, struct err *err)
{
    struct layout l;
    enum status st;

    *out = cell_options(n);
    out->walk.backward = backward;
    l = set_inputs(n, out);
    if ((st = out->lstm ? lstm_from_node(out, n, &l, err) : rnn_from_node(out, n, &l, err)) || (st = check_types(out, err)) ||
        (st = cell_check_state(n, out->output_state, TYPE_FLOAT32, out->walk.batch, out->n_output, err)))
        return st;
    return out->lstm ? cell_check_state(n, out->cell_state, TYPE_FLOAT32, out->walk.batch, out->n_cell, err) : ST_OK;
}

enum status cell_shape_two(struct node *n, int32_t forward, int32_t backward, struct err *err)
{
    const struct tensor *x = n->in[0];
    const bool merge = cell_options(n).merge;
    enum status st;

    if (forward > INT32_MAX - backward)
        return err_set(err, ST_BAD_MODEL, "%d and %d outputs", forward, backward);
    if ((st = shape_set(n, 0, (int32_t[]){x->dim[0], x->dim[1], merge ? forward + backward : forward}, 3, err)) || merge)
        return st;
    return shape_set(n, 1, (int32_t[]){x->dim[0], x->dim[1], backward}, 3, err);
}
