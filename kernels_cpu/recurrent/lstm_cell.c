/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_cell.c - the float and hybrid LSTM step. */
#include "kernels_cpu/recurrent/lstm_cell.h"

#include <math.h>
#include <string.h>

/* Each row to mean 0 and deviation 1. */
static void normalize(float *v, int32_t n_batch, int32_t n)
{
    for (int32_t b = 0; b < n_batch; b++, v += n) {
        float sum = 0, squares = 0, mean, inverse;

        for (int32_t i = 0; i < n; i++)
            sum += v[i];
        mean = sum / (float)n;
        for (int32_t i = 0; i < n; i++)
            squares += (v[i] - mean) * (v[i] - mean);
        inverse = 1.0f / sqrtf(squares / (float)n + 1e-8f);
        for (int32_t i = 0; i < n; i++)
            v[i] = (v[i] - mean) * inverse;
    }
}

struct step {
    const struct lstm_cell *l;
    const struct cpu_call *c;
    struct rnn_vectors x, aux, output_state; /* aux.x is NULL where there is none */
    const float *cell_state;
};

static void gate(const struct step *s, enum lstm_gate k, enum activation act, float *out)
{
    const struct lstm_cell *l = s->l;
    size_t n = (size_t)l->n_cell, total = (size_t)l->n_batch * n;

    rnn_assign(out, l->norm[k] ? NULL : l->bias[k], l->n_batch, l->n_cell);
    rnn_matrix_add(s->c, &l->input[k], &s->x, out);
    if (rnn_present(&l->aux[k]) && s->aux.x)
        rnn_matrix_add(s->c, &l->aux[k], &s->aux, out);
    rnn_matrix_add(s->c, &l->recurrent[k], &s->output_state, out);
    for (size_t i = 0; rnn_present(&l->peephole[k]) && i < total; i++)
        out[i] += rnn_matrix_at(&l->peephole[k], i % n) * s->cell_state[i];
    if (l->norm[k]) {
        normalize(out, l->n_batch, l->n_cell);
        for (size_t i = 0; i < total; i++)
            out[i] = out[i] * l->norm[k][i % n] + (l->bias[k] ? l->bias[k][i % n] : 0);
    }
    activation_apply(out, total, act);
}

/* NaN becomes the limit, as in TFLite. */
static void clip(float *v, size_t n, float limit)
{
    for (size_t i = 0; limit > 0 && i < n; i++)
        v[i] = v[i] < -limit ? -limit : v[i] < limit ? v[i] : limit;
}

static bool is_hybrid(const struct lstm_cell *l)
{
    return l->input[GATE_FORGET].i8 != NULL;
}

static size_t gates_bytes(const struct lstm_cell *l)
{
    return (GATES * sizeof(float) * (size_t)l->n_batch * (size_t)l->n_cell + 15) / 16 * 16;
}

size_t lstm_cell_scratch(const struct lstm_cell *l)
{
    size_t bytes = gates_bytes(l);

    if (is_hybrid(l))
        bytes += rnn_vectors_bytes(l->n_batch, l->n_input) + rnn_vectors_bytes(l->n_batch, l->n_aux) +
                 rnn_vectors_bytes(l->n_batch, l->n_output) + rnn_vectors_bytes(l->n_batch, l->n_cell);
    return bytes;
}

/* Quantizes a batch where the weights have 8 bits; returns the scratch that is left. */
static char *take(struct rnn_vectors *v, const struct step *s, const float *x, int32_t n, char *scratch)
{
    const struct lstm_cell *l = s->l;

    rnn_vectors_init(v, s->c->mode, x, l->n_batch, n, l->asymmetric, is_hybrid(l) ? scratch : NULL);
    return is_hybrid(l) ? scratch + rnn_vectors_bytes(l->n_batch, n) : scratch;
}

static void project(const struct step *s, const float *hidden, float *output_state, char *scratch)
{
    const struct lstm_cell *l = s->l;
    size_t outputs = (size_t)l->n_batch * (size_t)l->n_output;
    struct rnn_vectors v;

    if (!rnn_present(&l->projection)) {
        memcpy(output_state, hidden, outputs * sizeof *hidden);
        return;
    }
    take(&v, s, hidden, l->n_cell, scratch);
    rnn_assign(output_state, l->projection_bias, l->n_batch, l->n_output);
    rnn_matrix_add(s->c, &l->projection, &v, output_state);
    clip(output_state, outputs, l->projection_clip);
}

void lstm_cell_step(const struct lstm_cell *l, const struct cpu_call *c, const float *x, const float *aux, float *output_state,
                    float *cell_state, void *scratch)
{
    struct step s = {.l = l, .c = c, .cell_state = cell_state};
    size_t total = (size_t)l->n_batch * (size_t)l->n_cell;
    float *in = scratch, *forget = in + total, *cell = forget + total, *out = cell + total;
    char *rest = (char *)scratch + gates_bytes(l);
    bool coupled = !rnn_present(&l->input[GATE_INPUT]);

    rest = take(&s.x, &s, x, l->n_input, rest);
    if (aux)
        rest = take(&s.aux, &s, aux, l->n_aux, rest);
    rest = take(&s.output_state, &s, output_state, l->n_output, rest);
    if (!coupled)
        gate(&s, GATE_INPUT, ACT_SIGMOID, in);
    gate(&s, GATE_FORGET, ACT_SIGMOID, forget);
    gate(&s, GATE_CELL, l->activation, cell);
    for (size_t i = 0; i < total; i++) {
        float keep = forget[i] * cell_state[i];

        cell_state[i] = keep + cell[i] * (coupled ? 1.0f - forget[i] : in[i]);
    }
    clip(cell_state, total, l->cell_clip);
    gate(&s, GATE_OUTPUT, ACT_SIGMOID, out); /* its peephole sees the new cell state */
    if (l->activation != ACT_NONE)           /* else TFLite multiplies by the cell gate, not by the state */
        memcpy(cell, cell_state, total * sizeof *cell);
    activation_apply(cell, total, l->activation);
    for (size_t i = 0; i < total; i++)
        out[i] *= cell[i];
    project(&s, out, output_state, rest);
}

/* ---- from the node ---- */

static bool same(const struct rnn_matrix *a, const struct rnn_matrix *b)
{
    return rnn_present(a) == rnn_present(b);
}

/* Fails where a matrix that is there has another type than the forget gate's. */
static enum status check_types(const struct lstm_cell *l, struct err *err)
{
    for (int k = 0; k < GATES; k++) {
        const struct rnn_matrix *m[] = {&l->input[k], &l->aux[k], &l->recurrent[k], &l->peephole[k], &l->projection};

        for (size_t i = 0; i < sizeof m / sizeof *m; i++)
            if (rnn_present(m[i]) && !m[i]->diagonal && !m[i]->i8 != !is_hybrid(l))
                return err_set(err, ST_BAD_MODEL, "some weights are float, others have 8 bits");
    }
    return ST_OK;
}

/* All or none of the gates' optional weights must be there; those of an absent input gate are not looked at. */
static enum status check_sets(const struct lstm_cell *l, struct err *err)
{
    bool coupled = !rnn_present(&l->input[GATE_INPUT]);

    for (int k = GATE_FORGET; k < GATES; k++)
        if (!rnn_present(&l->input[k]) || !rnn_present(&l->recurrent[k]))
            return err_set(err, ST_BAD_MODEL, "weights of gate %d are omitted", k);
    if (coupled == rnn_present(&l->recurrent[GATE_INPUT]))
        return err_set(err, ST_BAD_MODEL, "the input gate has input weights or recurrent weights, but not both");
    if (!same(&l->peephole[GATE_FORGET], &l->peephole[GATE_OUTPUT]) ||
        (!coupled && !same(&l->peephole[GATE_INPUT], &l->peephole[GATE_OUTPUT])))
        return err_set(err, ST_BAD_MODEL, "peephole weights are there for some gates only");
    for (int k = coupled ? GATE_FORGET : GATE_INPUT; k < GATES; k++) {
        if (!l->norm[k] != !l->norm[GATE_OUTPUT])
            return err_set(err, ST_BAD_MODEL, "layer normalization coefficients are there for some gates only");
        if (!same(&l->aux[k], &l->aux[GATE_OUTPUT]))
            return err_set(err, ST_BAD_MODEL, "auxiliary weights are there for some gates only");
    }
    return l->projection_bias && !rnn_present(&l->projection)
               ? err_set(err, ST_BAD_MODEL, "a projection bias without projection weights")
               : ST_OK;
}

static enum status recurrent_from_node(struct lstm_cell *l, const struct node *n, const struct lstm_layout *layout, uint32_t k,
                                       struct err *err)
{
    if (layout->diagonal)
        return rnn_diagonal_from_node(n, layout->first + 4 + k, l->n_output, &l->recurrent[k], err);
    return rnn_matrix_from_node(n, layout->first + 4 + k, l->n_cell, l->n_output, &l->recurrent[k], err);
}

static enum status gates_from_node(struct lstm_cell *l, const struct node *n, const struct lstm_layout *layout, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t k = 0; k < GATES && !st; k++)
        if ((st = rnn_matrix_from_node(n, layout->first + k, l->n_cell, l->n_input, &l->input[k], err)) ||
            (st = recurrent_from_node(l, n, layout, k, err)) ||
            (st = rnn_vector_from_node(n, layout->first + 11 + k, l->n_cell, &l->bias[k], err)) ||
            (layout->aux && (st = rnn_matrix_from_node(n, layout->aux + k, l->n_cell, l->n_aux, &l->aux[k], err))) ||
            (layout->norm && (st = rnn_vector_from_node(n, layout->norm + k, l->n_cell, &l->norm[k], err))))
            return st;
    return st;
}

enum status lstm_cell_from_node(struct lstm_cell *l, const struct node *n, const struct lstm_layout *layout, struct err *err)
{
    const struct tensor *w = node_in(n, layout->first + 1), *r = node_in(n, layout->first + 5);
    enum status st;

    if (!w || !r || w->rank != 2 || r->rank != (layout->diagonal ? 1 : 2))
        return err_set(err, ST_BAD_MODEL, "the forget gate lacks its two weight matrices");
    l->n_cell = w->dim[0];
    l->n_input = w->dim[1];
    l->n_output = r->dim[r->rank - 1];
    if (layout->diagonal && l->n_output != l->n_cell)
        return err_set(err, ST_BAD_MODEL, "a diagonal of %d recurrent weights for %d cells", l->n_output, l->n_cell);
    if ((st = gates_from_node(l, n, layout, err)) ||
        (st = rnn_matrix_from_node(n, layout->first + 8, -1, l->n_cell, &l->peephole[GATE_INPUT], err)) ||
        (st = rnn_matrix_from_node(n, layout->first + 9, -1, l->n_cell, &l->peephole[GATE_FORGET], err)) ||
        (st = rnn_matrix_from_node(n, layout->first + 10, -1, l->n_cell, &l->peephole[GATE_OUTPUT], err)) ||
        (st = rnn_matrix_from_node(n, layout->first + 15, l->n_output, l->n_cell, &l->projection, err)) ||
        (st = rnn_vector_from_node(n, layout->first + 16, l->n_output, &l->projection_bias, err)))
        return st;
    if (!rnn_present(&l->projection) && l->n_output != l->n_cell)
        return err_set(err, ST_BAD_MODEL, "%d outputs of %d cells need a projection", l->n_output, l->n_cell);
    st = check_sets(l, err);
    return st ? st : check_types(l, err);
}
