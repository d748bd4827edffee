/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_int.c - LSTM in integers: 8-bit activations and weights, 16-bit gates and cell state.
 *
 * Gates have 3 integer bits before their activation and none after it. Zero points are folded into the biases when the plan is
 * made. The cell state's scale is a power of two. */
#include "kernels_cpu/recurrent/lstm_int.h"
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/quant/fixed16.h"
#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/quant/quant_check.h"

#include <string.h>

enum { HIDDEN = 4 }; /* an intermediate tensor */

struct lstm_int_plan {
    struct lstm_int_cell cell;
    size_t gates_at, hidden_at; /* in scratch */
};

/* ---- the step ---- */

struct rows_job {
    const struct lstm_int_product *p;
    const int8_t *x;
    enum cpu_mode mode;
    int32_t batch;
    int16_t *add_to; /* a gate: the result is added and saturates; or NULL */
    int8_t *out;     /* else the result and `zero` */
    int32_t zero;
};

static int32_t scaled_row(const struct lstm_int_product *p, size_t row, const int8_t *x)
{
    const int8_t *w = p->w + row * (size_t)p->cols;
    uint32_t sum = (uint32_t)p->bias[row];

    for (int32_t i = 0; i < p->cols; i++)
        sum += (uint32_t)(w[i] * x[i]);
    return fixed_scale((int32_t)sum, p->scale);
}

/* The reference: the bias and the zero point as the node has them. */
static int32_t scaled_row_plain(const struct lstm_int_product *p, size_t row, const int8_t *x)
{
    uint32_t sum = p->bias_unfolded ? (uint32_t)p->bias_unfolded[row] : 0;

    for (size_t k = 0; k < (size_t)p->cols; k++)
        sum += (uint32_t)(p->w[row * (size_t)p->cols + k] * (x[k] + p->zero));
    return fixed_scale((int32_t)sum, p->scale);
}

static int32_t add_wrapping(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static void product_rows(void *arg, size_t begin, size_t end)
{
    const struct rows_job *j = arg;

    for (size_t b = 0; b < (size_t)j->batch; b++)
        for (size_t r = begin, at = b * (size_t)j->p->rows + begin; r < end; r++, at++) {
            const int8_t *x = j->x + b * (size_t)j->p->cols;
            const int32_t v = j->mode == CPU_REFERENCE ? scaled_row_plain(j->p, r, x) : scaled_row(j->p, r, x);

            if (j->add_to)
                j->add_to[at] = fixed16_saturate(add_wrapping(v, j->add_to[at]));
            else
                j->out[at] = (int8_t)fixed_clamp(add_wrapping(v, j->zero), INT8_MIN, INT8_MAX);
        }
}

static void multiply(struct threads *threads, const struct rows_job *job)
{
    threads_for(threads, (size_t)job->p->rows, 32768 / ((size_t)job->p->cols * (size_t)job->batch + 1) + 1, product_rows,
                (void *)job);
}

/* TFLite walks the batch in rows of n_output, not of n_cell: with a projection its peepholes see other cells than their own. */
static void add_peephole(const struct lstm_int_cell *l, const struct lstm_int_gate *g, const int16_t *cell_state, int16_t *out)
{
    for (size_t i = 0; i < (size_t)l->batch * (size_t)l->n_output; i++) {
        const int32_t v = fixed_scale(g->peephole[i % (size_t)l->n_output] * cell_state[i], g->peephole_scale);

        out[i] = fixed16_saturate(add_wrapping(v, out[i]));
    }
}

/* Mean and deviation have 10 fractional bits. */
static void normalize(const struct lstm_int_gate *g, int16_t *v, int32_t n)
{
    int64_t sum = 0, squares = 0, mean, variance;
    struct fixed_mul inverse;

    for (int32_t i = 0; i < n; i++) {
        sum += v[i];
        squares += v[i] * v[i];
    }
    mean = (int32_t)(sum * 1024 / n);
    variance = (int32_t)((squares * ((1 << 20) / n) - mean * mean) / (1 << 20));
    inverse = fixed_inv_sqrt((int32_t)(variance < 1 ? g->variance_guard : variance));
    for (int32_t i = 0; i < n; i++) {
        const int32_t unit = fixed_scale((int32_t)(1024 * (int64_t)v[i] - mean), inverse);
        const int64_t weighted = (int64_t)unit * g->norm[i] + g->bias[i];

        v[i] = fixed16_saturate(fixed_scale((int32_t)((weighted > 0 ? weighted + 512 : weighted - 512) / 1024), g->norm_scale));
    }
}

static void compute_gate(const struct lstm_int_cell *l, struct cpu_call *c, int k, const int8_t *x, const int8_t *output_state,
                         const int16_t *cell_state, int16_t *out)
{
    const struct lstm_int_gate *g = &l->gate[k];
    size_t total = (size_t)l->batch * (size_t)l->n_cell;

    memset(out, 0, total * sizeof *out);
    multiply(c->threads, &(struct rows_job){.p = &g->input, .x = x, .mode = c->mode, .batch = l->batch, .add_to = out});
    multiply(c->threads,
             &(struct rows_job){.p = &g->recurrent, .x = output_state, .mode = c->mode, .batch = l->batch, .add_to = out});
    if (g->peephole)
        add_peephole(l, g, cell_state, out);
    if (g->norm && l->n_cell > 0)
        for (int32_t b = 0; b < l->batch; b++)
            normalize(g, out + (size_t)b * (size_t)l->n_cell, l->n_cell);
    for (size_t i = 0; i < total; i++)
        out[i] = k == GATE_CELL ? fixed16_tanh(out[i], 3) : fixed16_logistic(out[i], 3);
}

void lstm_int_update(size_t n, const int16_t *input, const int16_t *forget, const int16_t *cell, int log2, int16_t clip,
                     int16_t *state)
{
    for (size_t i = 0; i < n; i++) {
        const int16_t in = input ? input[i] : (int16_t)(INT16_MAX - forget[i]);
        const int16_t kept = (int16_t)fixed_shift_right(forget[i] * state[i], 15);
        const int16_t added = (int16_t)fixed_shift_right(in * cell[i], 30 + log2);

        state[i] = fixed16_saturate(kept + added);
        if (clip > 0)
            state[i] = (int16_t)fixed_clamp(state[i], -clip, clip);
    }
}

static int8_t hidden(const struct lstm_int_cell *l, int16_t gate, int16_t cell, int32_t zero)
{
    const int32_t v = fixed_scale(gate * fixed16_tanh(cell, 15 + l->cell_log2), l->hidden_scale);

    return (int8_t)fixed_clamp(add_wrapping(v, zero), INT8_MIN, INT8_MAX);
}

static void put_out(const struct lstm_int_cell *l, struct cpu_call *c, const int16_t *gate, const int16_t *cell_state,
                    int8_t *before_projection, int8_t *output_state)
{
    size_t total = (size_t)l->batch * (size_t)l->n_cell;
    bool project = l->projection.w != NULL;
    int8_t *h = project ? before_projection : output_state;

    for (size_t i = 0; i < total; i++)
        h[i] = hidden(l, gate[i], cell_state[i], project ? -l->hidden_zero : l->hidden_zero);
    if (!project)
        return;
    multiply(c->threads,
             &(struct rows_job){
                 .p = &l->projection, .x = h, .mode = c->mode, .batch = l->batch, .out = output_state, .zero = l->output_zero});
    for (size_t i = 0; l->projection_clip > 0 && i < (size_t)l->batch * (size_t)l->n_output; i++)
        output_state[i] = (int8_t)fixed_clamp(output_state[i], -l->projection_clip, l->projection_clip);
}

static void int_step(const struct lstm_int_plan *p, struct cpu_call *c, const int8_t *x, int8_t *output_state, int16_t *cell_state)
{
    const struct lstm_int_cell *l = &p->cell;
    size_t total = (size_t)l->batch * (size_t)l->n_cell;
    int16_t *gates = (int16_t *)((char *)c->scratch + p->gates_at);
    int16_t *gate[GATES] = {gates, gates + total, gates + 2 * total, gates + 3 * total};

    for (int k = l->gate[GATE_INPUT].input.w ? GATE_INPUT : GATE_FORGET; k < GATE_OUTPUT; k++)
        compute_gate(l, c, k, x, output_state, cell_state, gate[k]);
    lstm_int_update(total, l->gate[GATE_INPUT].input.w ? gate[GATE_INPUT] : NULL, gate[GATE_FORGET], gate[GATE_CELL], l->cell_log2,
                    l->cell_clip, cell_state);
    compute_gate(l, c, GATE_OUTPUT, x, output_state, cell_state, gate[GATE_OUTPUT]);
    put_out(l, c, gate[GATE_OUTPUT], cell_state, (int8_t *)c->scratch + p->hidden_at, output_state);
}

static void int_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    struct lstm_int_plan p = *(const struct lstm_int_plan *)c->packed;
    struct lstm_int_cell *l = &p.cell;
    const struct rnn_walk walk = cell_options(n).walk;

    for (size_t i = 0; i < rnn_steps(&walk); i++) {
        const struct rnn_step s = rnn_step_at(&walk, i);
        int8_t *output_state = (int8_t *)n->in[LSTM_OUTPUT_STATE]->data + (size_t)s.first * (size_t)l->n_output;

        l->batch = s.batch;
        int_step(&p, c, (const int8_t *)n->in[LSTM_X]->data + s.row * (size_t)l->n_input, output_state,
                 (int16_t *)n->in[LSTM_CELL_STATE]->data + (size_t)s.first * (size_t)l->n_cell);
        if (l->n_output > 0)
            memcpy((int8_t *)n->out[0]->data + s.row * (size_t)l->n_output, output_state, (size_t)s.batch * (size_t)l->n_output);
    }
}

/* ---- from the node ---- */

enum status lstm_int_constant(const struct node *n, uint32_t i, enum tensor_type type, int32_t rows, int32_t cols, const void **out,
                              struct err *err)
{
    const struct tensor *t = node_in(n, i);

    *out = NULL;
    if (!t)
        return ST_OK;
    if (t->type != type || t->rank != (cols < 0 ? 1 : 2) || t->dim[0] != rows || (cols >= 0 && t->dim[1] != cols))
        return cols < 0 ? err_set(err, ST_BAD_MODEL, "input %u is %s, expected %s[%d]", i, TENSOR_TEXT(t), type_name(type), rows)
                        : err_set(err, ST_BAD_MODEL, "input %u is %s, expected %s[%d,%d]", i, TENSOR_TEXT(t), type_name(type), rows,
                                  cols);
    if (!t->is_known || !t->data)
        return err_set(err, ST_UNSUPPORTED, "input %u is computed at run time, weights must be constant", i);
    *out = t->data;
    return type == TYPE_INT32 ? ST_OK : quant_check(t, err);
}

/* Collects the weights at input i and folds `zero`, times each row's sum, into the bias. */
static enum status product_from_node(const struct node *n, uint32_t i, int32_t rows, int32_t cols, int32_t zero,
                                     const int32_t *bias, struct lstm_int_product *p, struct err *err)
{
    const void *w;
    enum status st = lstm_int_constant(n, i, TYPE_INT8, rows, cols, &w, err);

    if (st)
        return st;
    p->w = w;
    p->rows = rows;
    p->cols = cols;
    p->bias_unfolded = bias;
    p->zero = zero;
    for (int32_t r = 0; w && p->bias && r < rows; r++) {
        uint32_t sum = bias ? (uint32_t)bias[r] : 0;

        for (int32_t k = 0; k < cols; k++)
            sum += (uint32_t)(p->w[(size_t)r * (size_t)cols + (size_t)k] * zero);
        p->bias[r] = (int32_t)sum;
    }
    return ST_OK;
}

/* What a gate is scaled to before its activation: 3 integer bits, or what layer normalization finds calibrated. */
static enum status gate_scale(const struct node *n, int k, bool norm, float *out, struct err *err)
{
    *out = 0x1p-12f;
    if (!norm)
        return ST_OK;
    if ((uint32_t)k >= n->n_mid || !n->mid[k] || !(quant_scale(n->mid[k]) > 0))
        return err_set(err, ST_BAD_MODEL, "intermediate tensor %d has no scale", k);
    *out = quant_scale(n->mid[k]);
    return ST_OK;
}

static enum status norm_from_node(const struct lstm_int_cell *l, const struct node *n, uint32_t k, struct lstm_int_gate *g,
                                  struct err *err)
{
    const void *norm, *bias;
    float scale;
    enum status st;

    if ((st = lstm_int_constant(n, LSTM_NORM + k, TYPE_INT16, l->n_cell, -1, &norm, err)) ||
        (st = lstm_int_constant(n, LSTM_BIAS + k, TYPE_INT32, l->n_cell, -1, &bias, err)) || !norm)
        return st;
    if (!bias)
        return err_set(err, ST_BAD_MODEL, "layer normalization of gate %u needs its bias", k);
    g->norm = norm;
    g->bias = bias;
    scale = quant_scale(n->in[LSTM_NORM + k]);
    if (!(scale < 0x1p17f))
        return err_set(err, ST_BAD_MODEL, "a layer normalization scale of %g is out of range", (double)scale);
    if ((st = quant_multiplier((double)scale, &g->norm_scale, err)))
        return st;
    g->norm_scale.shift += g->norm_scale.mult ? 12 : 0;
    g->variance_guard = 10000 * scale > 1 ? (int32_t)(10000 * scale) : 1;
    return ST_OK;
}

static enum status peephole_from_node(const struct lstm_int_cell *l, const struct node *n, uint32_t k, float scale,
                                      struct lstm_int_gate *g, struct err *err)
{
    uint32_t i = LSTM_PEEPHOLE + (k == GATE_OUTPUT ? 2 : k);
    const void *w;
    enum status st;

    if (k == GATE_CELL || (st = lstm_int_constant(n, i, TYPE_INT16, l->n_cell, -1, &w, err)) || !w)
        return k == GATE_CELL ? ST_OK : st;
    if (l->n_output > l->n_cell)
        return err_set(err, ST_UNSUPPORTED, "peepholes with more outputs (%d) than cells (%d)", l->n_output, l->n_cell);
    g->peephole = w;
    return quant_multiplier((double)(float)(ldexp(1, l->cell_log2) * (double)quant_scale(n->in[i]) / (double)scale),
                            &g->peephole_scale, err);
}

static enum status gate_from_node(const struct lstm_int_cell *l, const struct node *n, uint32_t k, struct lstm_int_gate *g,
                                  struct err *err)
{
    const struct tensor *x = n->in[LSTM_X], *h = n->in[LSTM_OUTPUT_STATE];
    const void *bias;
    float scale;
    enum status st;

    if ((st = norm_from_node(l, n, k, g, err)) ||
        (st = lstm_int_constant(n, LSTM_BIAS + k, TYPE_INT32, l->n_cell, -1, &bias, err)) ||
        (st = gate_scale(n, (int)k, g->norm, &scale, err)) ||
        (st = product_from_node(n, 1 + k, l->n_cell, l->n_input, -quant_zero(x), g->norm ? NULL : bias, &g->input, err)) ||
        (st = product_from_node(n, 5 + k, l->n_cell, l->n_output, -quant_zero(h), NULL, &g->recurrent, err)))
        return st;
    if (!g->input.w != !g->recurrent.w || (k != GATE_INPUT && !g->input.w))
        return err_set(err, ST_BAD_MODEL, "gate %u lacks input or recurrent weights", k);
    if (!g->input.w)
        return ST_OK;
    if ((st = quant_multiplier((double)(quant_scale(n->in[1 + k]) * quant_scale(x) / scale), &g->input.scale, err)) ||
        (st = quant_multiplier((double)(quant_scale(n->in[5 + k]) * quant_scale(h) / scale), &g->recurrent.scale, err)))
        return st;
    return peephole_from_node(l, n, k, scale, g, err);
}

static enum status output_from_node(struct lstm_int_cell *l, const struct node *n, struct err *err)
{
    const struct tensor *h = n->n_mid > HIDDEN ? n->mid[HIDDEN] : NULL;
    const void *bias;
    enum status st;

    if (!h || !(quant_scale(h) > 0))
        return err_set(err, ST_BAD_MODEL, "intermediate tensor %d, the hidden state, has no scale", HIDDEN);
    l->hidden_zero = quant_zero(h);
    l->output_zero = quant_zero(n->in[LSTM_OUTPUT_STATE]);
    if ((st = lstm_int_constant(n, LSTM_PROJECTION_BIAS, TYPE_INT32, l->n_output, -1, &bias, err)) ||
        (st = product_from_node(n, LSTM_PROJECTION, l->n_output, l->n_cell, l->hidden_zero, bias, &l->projection, err)) ||
        (st = quant_multiplier((double)(float)(0x1p-15 / (double)quant_scale(h) * 0x1p-15), &l->hidden_scale, err)))
        return st;
    if (!l->projection.w)
        return l->n_output == l->n_cell
                   ? ST_OK
                   : err_set(err, ST_BAD_MODEL, "%d outputs of %d cells need a projection", l->n_output, l->n_cell);
    return quant_multiplier((double)(quant_scale(n->in[LSTM_PROJECTION]) * quant_scale(h) / quant_scale(n->in[LSTM_OUTPUT_STATE])),
                            &l->projection.scale, err);
}

static enum status check_node(struct lstm_int_cell *l, const struct node *n, struct err *err)
{
    const struct tensor *cell = n->in[LSTM_CELL_STATE];
    enum status st;

    if (n->out[0]->type != TYPE_INT8)
        return cpu_bad_type(n, n->out[0], err);
    if ((st = cell_check_state(n, LSTM_OUTPUT_STATE, TYPE_INT8, l->batch, l->n_output, err)) ||
        (st = cell_check_state(n, LSTM_CELL_STATE, TYPE_INT16, l->batch, l->n_cell, err)) ||
        (st = quant_check_all((const struct tensor *[]){n->in[LSTM_X], n->in[LSTM_OUTPUT_STATE], n->out[0], cell}, 4, err)))
        return st;
    if (!quant_whole_log2(quant_scale(cell), &l->cell_log2) || l->cell_log2 > -9 || l->cell_log2 < -15)
        return err_set(err, ST_BAD_MODEL, "the cell state's scale is %g, expected a power of two from 2^-15 to 2^-9",
                       (double)quant_scale(cell));
    return ST_OK;
}

static void set_clips(struct lstm_int_cell *l, const struct node *n)
{
    const struct cell o = cell_options(n);
    const float cell = o.cell_clip / quant_scale(n->in[LSTM_CELL_STATE]), projection = o.projection_clip / quant_scale(n->out[0]);

    l->cell_clip = o.cell_clip > 0 ? (int16_t)(cell > INT16_MAX ? INT16_MAX : cell) : 0;
    l->projection_clip = o.projection_clip > 0 ? (int8_t)(projection > INT8_MAX ? INT8_MAX : projection) : 0;
}

/* Its biases lie behind the plan. */
static enum status allocate(struct cpu_call *c, const struct lstm_int_cell *l, struct err *err)
{
    struct layout packed = {0}, scratch = {0};
    size_t total = (size_t)l->batch * (size_t)l->n_cell, cells = (size_t)l->n_cell, biases;
    struct lstm_int_plan *p, plan = {.cell = *l};
    int32_t *at;
    enum status st;

    plan.gates_at = layout_add(&scratch, GATES * total, sizeof(int16_t));
    plan.hidden_at = layout_add(&scratch, total, 1);
    c->scratch_bytes = scratch.bytes;
    layout_add(&packed, 1, sizeof *p);
    biases = layout_add(&packed, 2 * GATES * cells + (size_t)l->n_output, sizeof(int32_t));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    p = c->packed;
    *p = plan;
    at = (int32_t *)((char *)c->packed + biases);
    for (int k = 0; k < GATES; k++, at += 2 * cells) {
        p->cell.gate[k].input.bias = at;
        p->cell.gate[k].recurrent.bias = at + cells;
    }
    p->cell.projection.bias = at;
    return ST_OK;
}

static enum status begin(const struct node *n, struct lstm_int_cell *l, struct err *err)
{
    enum status st;

    *l = (struct lstm_int_cell){
        .batch = cell_options(n).walk.batch,
        .n_cell = n->in[LSTM_FORGET_WEIGHTS]->dim[0],
        .n_input = n->in[LSTM_FORGET_WEIGHTS]->dim[1],
        .n_output = n->in[LSTM_FORGET_RECURRENT]->dim[1],
    };
    if ((st = check_node(l, n, err)))
        return st;
    set_clips(l, n);
    return ST_OK;
}

static enum status finish(const struct node *n, struct lstm_int_cell *l, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t k = 0; k < GATES && !st; k++)
        st = gate_from_node(l, n, k, &l->gate[k], err);
    return st ? st : output_from_node(l, n, err);
}

enum status lstm_int_cell(const struct node *n, struct lstm_int_cell *out, struct err *err)
{
    enum status st = begin(n, out, err);

    return st ? st : finish(n, out, err);
}

static enum status int_prepare(struct cpu_call *c, struct err *err)
{
    struct lstm_int_cell l;
    enum status st;

    if ((st = begin(c->node, &l, err)) || (st = allocate(c, &l, err)))
        return st;
    return finish(c->node, &((struct lstm_int_plan *)c->packed)->cell, err);
}

const struct lstm_impl lstm_int = {int_prepare, int_run};
