/* lstm_cell.c - the float LSTM step. */
#include "lstm_cell.h"

#include <math.h>
#include <string.h>

struct matvec {
    const float *m, *v;
    float *out;
    int32_t rows, cols, n_batch;
};

static float dot(const float *a, const float *b, int32_t n)
{
    float lane[8] = {0}, sum;
    int32_t i = 0;

    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            lane[k] += a[i + k] * b[i + k];
    sum = ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void matvec_rows(void *arg, size_t begin, size_t end)
{
    const struct matvec *j = arg;

    for (int32_t b = 0; b < j->n_batch; b++)
        for (size_t r = begin; r < end; r++)
            j->out[(size_t)b * (size_t)j->rows + r] += dot(j->m + r * (size_t)j->cols, j->v + (size_t)b * (size_t)j->cols, j->cols);
}

void matvec_add(struct threads *threads, const float *m, int32_t rows, int32_t cols, const float *v, int32_t n_batch, float *out)
{
    struct matvec job = {m, v, out, rows, cols, n_batch};
    size_t work = (size_t)cols * (size_t)n_batch;

    /* a piece of 32768 multiplications is worth waking a thread */
    threads_for(threads, (size_t)rows, work ? 32768 / work + 1 : (size_t)rows + 1, matvec_rows, &job);
}

void lstm_activate(float *v, size_t n, enum activation act)
{
    for (size_t i = 0; i < n; i++)
        switch (act) {
        case ACT_RELU: v[i] = v[i] < 0 ? 0 : v[i]; break;
        case ACT_RELU6: v[i] = v[i] < 0 ? 0 : v[i] > 6 ? 6 : v[i]; break;
        case ACT_RELU_N1_TO_1: v[i] = v[i] < -1 ? -1 : v[i] > 1 ? 1 : v[i]; break;
        case ACT_TANH: v[i] = tanhf(v[i]); break;
        case ACT_SIGMOID: v[i] = 1.0f / (1.0f + expf(-v[i])); break;
        default: return;
        }
}

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
    struct threads *threads;
    const float *x, *aux, *output_state, *cell_state;
};

static void gate(const struct step *s, enum lstm_gate k, enum activation act, float *out)
{
    const struct lstm_cell *l = s->l;
    size_t n = (size_t)l->n_cell, total = (size_t)l->n_batch * n;

    for (size_t i = 0; i < total; i++)
        out[i] = l->norm[k] || !l->bias[k] ? 0 : l->bias[k][i % n];
    matvec_add(s->threads, l->input[k], l->n_cell, l->n_input, s->x, l->n_batch, out);
    if (l->aux[k] && s->aux)
        matvec_add(s->threads, l->aux[k], l->n_cell, l->n_aux, s->aux, l->n_batch, out);
    matvec_add(s->threads, l->recurrent[k], l->n_cell, l->n_output, s->output_state, l->n_batch, out);
    for (size_t i = 0; l->peephole[k] && i < total; i++)
        out[i] += l->peephole[k][i % n] * s->cell_state[i];
    if (l->norm[k]) {
        normalize(out, l->n_batch, l->n_cell);
        for (size_t i = 0; i < total; i++)
            out[i] = out[i] * l->norm[k][i % n] + (l->bias[k] ? l->bias[k][i % n] : 0);
    }
    lstm_activate(out, total, act);
}

static void clip(float *v, size_t n, float limit)
{
    for (size_t i = 0; limit > 0 && i < n; i++)
        v[i] = v[i] < -limit ? -limit : v[i] > limit ? limit : v[i];
}

size_t lstm_cell_scratch(const struct lstm_cell *l)
{
    return GATES * (size_t)l->n_batch * (size_t)l->n_cell;
}

void lstm_cell_step(const struct lstm_cell *l, struct threads *threads, const float *x, const float *aux, float *output_state,
                    float *cell_state, float *scratch)
{
    const struct step s = {l, threads, x, aux, output_state, cell_state};
    size_t total = (size_t)l->n_batch * (size_t)l->n_cell, outputs = (size_t)l->n_batch * (size_t)l->n_output;
    float *in = scratch, *forget = in + total, *cell = forget + total, *out = cell + total;

    if (l->input[GATE_INPUT])
        gate(&s, GATE_INPUT, ACT_SIGMOID, in);
    gate(&s, GATE_FORGET, ACT_SIGMOID, forget);
    gate(&s, GATE_CELL, l->activation, cell);
    for (size_t i = 0; i < total; i++) {
        float keep = forget[i] * cell_state[i];

        cell_state[i] = keep + cell[i] * (l->input[GATE_INPUT] ? in[i] : 1.0f - forget[i]);
    }
    clip(cell_state, total, l->cell_clip);
    gate(&s, GATE_OUTPUT, ACT_SIGMOID, out);     /* its peephole sees the new cell state */
    memcpy(cell, cell_state, total * sizeof *cell);
    lstm_activate(cell, total, l->activation);
    for (size_t i = 0; i < total; i++)
        out[i] *= cell[i];
    if (!l->projection) {
        memcpy(output_state, out, outputs * sizeof *out);
        return;
    }
    for (size_t i = 0; i < outputs; i++)
        output_state[i] = l->projection_bias ? l->projection_bias[i % (size_t)l->n_output] : 0;
    matvec_add(threads, l->projection, l->n_output, l->n_cell, out, l->n_batch, output_state);
    clip(output_state, outputs, l->projection_clip);
}

enum status lstm_expect_shape(const struct tensor *t, const char *what, int32_t rows, int32_t cols, struct err *err)
{
    if (t->type != TYPE_FLOAT32 || t->rank != 2 || t->dim[0] != rows || t->dim[1] != cols)
        return err_set(err, ST_BAD_MODEL, "%s is %s, expected FLOAT32[%d,%d]", what, TENSOR_TEXT(t), rows, cols);
    return ST_OK;
}

/* Input i as a float tensor of that rank and shape (0: any), or NULL where it is omitted. */
static enum status weights(const struct node *n, uint32_t i, int32_t rows, int32_t cols, const float **out, struct err *err)
{
    const struct tensor *t = node_in(n, i);
    int32_t rank = cols < 0 ? 1 : 2;

    *out = NULL;
    if (!t)
        return ST_OK;
    if (t->type != TYPE_FLOAT32)
        return cpu_bad_type(n, t, err);
    if (t->rank != rank || t->dim[0] != rows || (rank == 2 && t->dim[1] != cols))
        return rank == 2 ? err_set(err, ST_BAD_MODEL, "input %u is %s, expected [%d,%d]", i, TENSOR_TEXT(t), rows, cols)
                         : err_set(err, ST_BAD_MODEL, "input %u is %s, expected [%d]", i, TENSOR_TEXT(t), rows);
    if (!t->is_known || !t->data)
        return err_set(err, ST_UNSUPPORTED, "input %u is computed at run time, weights must be constant", i);
    *out = t->data;
    return ST_OK;
}

/* All or none of the gates' optional weights at inputs `first`.. must be there; those at NULL gates are not looked at. */
static enum status check_sets(const struct lstm_cell *l, struct err *err)
{
    bool cifg = !l->input[GATE_INPUT];

    for (int k = GATE_FORGET; k < GATES; k++)
        if (!l->input[k] || !l->recurrent[k])
            return err_set(err, ST_BAD_MODEL, "weights of gate %d are omitted", k);
    if (cifg != !l->recurrent[GATE_INPUT])
        return err_set(err, ST_BAD_MODEL, "the input gate has input weights or recurrent weights, but not both");
    if (!l->peephole[GATE_FORGET] != !l->peephole[GATE_OUTPUT] || (!cifg && !l->peephole[GATE_INPUT] != !l->peephole[GATE_OUTPUT]))
        return err_set(err, ST_BAD_MODEL, "peephole weights are there for some gates only");
    if (!l->norm[GATE_FORGET] != !l->norm[GATE_OUTPUT] || !l->norm[GATE_CELL] != !l->norm[GATE_OUTPUT] ||
        (!cifg && !l->norm[GATE_INPUT] != !l->norm[GATE_OUTPUT]))
        return err_set(err, ST_BAD_MODEL, "layer normalization coefficients are there for some gates only");
    return l->projection_bias && !l->projection ? err_set(err, ST_BAD_MODEL, "a projection bias without projection weights")
                                                : ST_OK;
}

enum status lstm_cell_from_node(struct lstm_cell *l, const struct node *n, struct err *err)
{
    const struct tensor *w = node_in(n, 2), *r = node_in(n, 6);
    enum status st;

    if (!w || !r || w->rank != 2 || r->rank != 2)
        return err_set(err, ST_BAD_MODEL, "the forget gate lacks its two weight matrices");
    l->n_cell = w->dim[0];
    l->n_input = w->dim[1];
    l->n_output = r->dim[1];
    for (uint32_t k = 0; k < GATES; k++) {
        if ((st = weights(n, 1 + k, l->n_cell, l->n_input, &l->input[k], err)) ||
            (st = weights(n, 5 + k, l->n_cell, l->n_output, &l->recurrent[k], err)) ||
            (st = weights(n, 12 + k, l->n_cell, -1, &l->bias[k], err)) ||
            (st = weights(n, 20 + k, l->n_cell, -1, &l->norm[k], err)))
            return st;
    }
    if ((st = weights(n, 9, l->n_cell, -1, &l->peephole[GATE_INPUT], err)) ||
        (st = weights(n, 10, l->n_cell, -1, &l->peephole[GATE_FORGET], err)) ||
        (st = weights(n, 11, l->n_cell, -1, &l->peephole[GATE_OUTPUT], err)) ||
        (st = weights(n, 16, l->n_output, l->n_cell, &l->projection, err)) ||
        (st = weights(n, 17, l->n_output, -1, &l->projection_bias, err)))
        return st;
    if (!l->projection && l->n_output != l->n_cell)
        return err_set(err, ST_BAD_MODEL, "%d outputs of %d cells need a projection", l->n_output, l->n_cell);
    return check_sets(l, err);
}
