/* SPDX-License-Identifier: Apache-2.0 */
/* float_cell.c - one step of a cell over a batch, and the walk of a node's cells through time. */
#include "kernels_cpu/recurrent/float_cell.h"

#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/recurrent/rnn_products.h"

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
    const struct cell *l;
    const struct cpu_call *c;
    int32_t batch;
    struct rnn_vectors x, aux, output_state;
    const float *cell_state;
};

static void add(const struct step *s, const struct tensor *w, bool diagonal, const struct rnn_vectors *v, float *out)
{
    const struct rnn_matrix m = rnn_matrix_of(w, diagonal);

    rnn_matrix_add(s->c, &m, v, out);
}

static void gate(const struct step *s, enum cell_gate k, enum activation act, float *out)
{
    const struct cell *l = s->l;
    const float *bias = l->bias[k] ? l->bias[k]->data : NULL, *norm = l->norm[k] ? l->norm[k]->data : NULL;
    const struct rnn_matrix peephole = l->peephole[k] ? rnn_matrix_of(l->peephole[k], false) : (struct rnn_matrix){0};
    size_t n = (size_t)l->n_cell, total = (size_t)s->batch * n;

    rnn_assign(out, norm ? NULL : bias, s->batch, l->n_cell);
    add(s, l->input[k], false, &s->x, out);
    if (l->aux[k])
        add(s, l->aux[k], false, &s->aux, out);
    add(s, l->recurrent[k], l->diagonal, &s->output_state, out);
    for (size_t i = 0; l->peephole[k] && i < total; i++)
        out[i] += rnn_matrix_at(&peephole, i % n) * s->cell_state[i];
    if (norm) {
        normalize(out, s->batch, l->n_cell);
        for (size_t i = 0; i < total; i++)
            out[i] = out[i] * norm[i % n] + (bias ? bias[i % n] : 0);
    }
    activation_apply(out, total, act);
}

/* NaN becomes the limit, as in TFLite. */
static void clip(float *v, size_t n, float limit)
{
    for (size_t i = 0; limit > 0 && i < n; i++)
        v[i] = v[i] < -limit ? -limit : v[i] < limit ? v[i] : limit;
}

static size_t gates_bytes(const struct cell *l, int32_t batch)
{
    return ((l->lstm ? GATES : 1) * sizeof(float) * (size_t)batch * (size_t)l->n_cell + 15) / 16 * 16;
}

static size_t scratch_bytes(const struct cell *l)
{
    const int32_t batch = l->walk.batch;

    return gates_bytes(l, batch) + (!cell_is_hybrid(l)
                                        ? 0
                                        : rnn_vectors_bytes(batch, l->n_input) + rnn_vectors_bytes(batch, l->n_aux) +
                                              rnn_vectors_bytes(batch, l->n_output) + rnn_vectors_bytes(batch, l->n_cell));
}

/* Quantizes a batch where the weights have 8 bits; returns the scratch that is left. */
static char *take(struct rnn_vectors *v, const struct step *s, const float *x, int32_t n, char *scratch)
{
    const bool hybrid = cell_is_hybrid(s->l);

    rnn_vectors_init(v, s->c->mode, x, s->batch, n, s->l->asymmetric, hybrid ? scratch : NULL);
    return hybrid ? scratch + rnn_vectors_bytes(s->batch, n) : scratch;
}

static void project(const struct step *s, const float *hidden, float *output_state, char *scratch)
{
    const struct cell *l = s->l;
    size_t outputs = (size_t)s->batch * (size_t)l->n_output;
    struct rnn_vectors v;

    if (!l->projection) {
        memcpy(output_state, hidden, outputs * sizeof *hidden);
        return;
    }
    take(&v, s, hidden, l->n_cell, scratch);
    rnn_assign(output_state, l->projection_bias ? l->projection_bias->data : NULL, s->batch, l->n_output);
    add(s, l->projection, false, &v, output_state);
    clip(output_state, outputs, l->projection_clip);
}

/* The new cell state, and what is put out before the projection: the last of the gates. */
static float *lstm_gates(const struct step *s, float *cell_state, float *gates)
{
    const struct cell *l = s->l;
    size_t total = (size_t)s->batch * (size_t)l->n_cell;
    float *in = gates, *forget = in + total, *cell = forget + total, *out = cell + total;
    bool coupled = cell_is_coupled(l);

    if (!coupled)
        gate(s, GATE_INPUT, ACT_SIGMOID, in);
    gate(s, GATE_FORGET, ACT_SIGMOID, forget);
    gate(s, GATE_CELL, l->activation, cell);
    for (size_t i = 0; i < total; i++) {
        float keep = forget[i] * cell_state[i];

        cell_state[i] = keep + cell[i] * (coupled ? 1.0f - forget[i] : in[i]);
    }
    clip(cell_state, total, l->cell_clip);
    gate(s, GATE_OUTPUT, ACT_SIGMOID, out); /* its peephole sees the new cell state */
    if (l->activation != ACT_NONE)          /* else TFLite multiplies by the cell gate, not by the state */
        memcpy(cell, cell_state, total * sizeof *cell);
    activation_apply(cell, total, l->activation);
    for (size_t i = 0; i < total; i++)
        out[i] *= cell[i];
    return out;
}

/* Computes one step of x [batch, n_input] and aux [batch, n_aux] or NULL; updates output_state [batch, n_output], which is the
 * result too, and cell_state [batch, n_cell]. */
static void step(const struct cell *l, const struct cpu_call *c, int32_t batch, const float *x, const float *aux,
                 float *output_state, float *cell_state)
{
    struct step s = {.l = l, .c = c, .batch = batch, .cell_state = cell_state};
    float *gates = c->scratch;
    char *rest = (char *)c->scratch + gates_bytes(l, batch);

    rest = take(&s.x, &s, x, l->n_input, rest);
    if (aux)
        rest = take(&s.aux, &s, aux, l->n_aux, rest);
    rest = take(&s.output_state, &s, output_state, l->n_output, rest);
    if (l->lstm)
        gates = lstm_gates(&s, cell_state, gates);
    else
        gate(&s, GATE_CELL, l->activation, gates);
    project(&s, gates, output_state, rest);
}

/* ---- the node ---- */

static enum status check_float(const struct node *n, const struct tensor *t, struct err *err)
{
    return !t || t->type == TYPE_FLOAT32 ? ST_OK : cpu_bad_type(n, t, err);
}

enum status float_cell_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const int directions = cell_options(n).two ? 2 : 1;
    struct cell *cells; /* forward, backward */
    enum status st;

    for (uint32_t i = 0; i < n->n_out; i++)
        if ((st = check_float(n, n->out[i], err)))
            return st;
    if ((st = cpu_pack(c, 2 * sizeof *cells, err)))
        return st;
    cells = c->packed;
    for (int d = 0; d < directions; d++) {
        struct cell *l = &cells[d];

        if ((st = cell_from_node(n, d, l, err)) || (st = check_float(n, n->in[l->x], err)) ||
            (st = check_float(n, n->in[l->x_aux], err)))
            return st;
        if (scratch_bytes(l) > c->scratch_bytes)
            c->scratch_bytes = scratch_bytes(l);
    }
    return ST_OK;
}

/* Copies a step's result [s->batch, n] into outputs whose rows are `width` wide, from row s->row on; y may point into a row in
 * which two directions stand side by side. */
static void store(float *y, size_t width, const struct rnn_step *s, const float *result, int32_t n)
{
    if (n > 0)
        for (size_t b = 0; b < (size_t)s->batch; b++)
            memcpy(y + (s->row + b) * width, result + b * (size_t)n, (size_t)n * sizeof *y);
}

/* Runs a cell over all times. */
static void run_cell(struct cpu_call *c, const struct cell *l, float *y, size_t width)
{
    struct tensor *const *in = c->node->in;
    const float *x = in[l->x]->data, *aux = l->x_aux ? in[l->x_aux]->data : NULL;
    float *output_state = in[l->output_state]->data, *cell_state = l->lstm ? in[l->cell_state]->data : NULL;

    for (size_t i = 0; i < rnn_steps(&l->walk); i++) {
        const struct rnn_step s = rnn_step_at(&l->walk, i);
        float *h = output_state + (size_t)s.first * (size_t)l->n_output;

        step(l, c, s.batch, x + s.row * (size_t)l->n_input, aux ? aux + s.row * (size_t)l->n_aux : NULL, h,
             l->lstm ? cell_state + (size_t)s.first * (size_t)l->n_cell : NULL);
        store(y, width, &s, h, l->n_output);
    }
}

/* TFLite walks hybrid time-major sequences of RNN in two directions as often as they have steps, the state going from one walk to
 * the next. */
static int32_t walks(const struct cell *l)
{
    return l->two && !l->lstm && l->walk.time_major && cell_is_hybrid(l) ? l->walk.times : 1;
}

void float_cell_run(struct cpu_call *c)
{
    const struct cell *l = c->packed;
    struct tensor *const *out = c->node->out;
    const size_t forward = (size_t)l->n_output, backward = (size_t)l[1].n_output, both = forward + backward;

    for (int32_t i = 0; i < walks(l); i++) {
        run_cell(c, &l[0], out[0]->data, l->merge ? both : forward);
        if (l->two)
            run_cell(c, &l[1], l->merge ? (float *)out[0]->data + forward : out[1]->data, l->merge ? both : backward);
    }
}
