/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_int8.c - LSTM in integers with 8-bit sums: each gate's two products round to 8 bits before they are added.
 *
 * Layer normalization and activations are computed in floats. Input and forget gate are coupled, there is a projection, and the
 * cell state has 15 fractional bits: TFLite has this kernel in no other form. */
#include "kernels_cpu/recurrent/lstm_int8.h"
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/quant/fixed16.h"
#include "kernels_cpu/quant/quant_check.h"

#include <math.h>
#include <string.h>

struct lstm_int8_plan {
    struct lstm_int_cell cell;
};

/* ---- the step ---- */

static int32_t row_in_8_bits(const struct lstm_int_product *p, size_t row, const int8_t *x)
{
    const int8_t *w = p->w + row * (size_t)p->cols;
    uint32_t sum = 0;

    for (int32_t i = 0; i < p->cols; i++)
        sum += (uint32_t)((x[i] + p->zero) * w[i]);
    return fixed_clamp((int32_t)((uint32_t)fixed_scale((int32_t)sum, p->scale) + (uint32_t)p->zero_8), INT8_MIN, INT8_MAX);
}

static int32_t product_row(const struct lstm_int_product *p, size_t row, const int8_t *x)
{
    return fixed_scale(row_in_8_bits(p, row, x) - p->zero_8, p->to_sum);
}

/* Saturating, and 0 for NaN, as the compiled TFLite does. */
static int32_t to_int(double v)
{
    return isnan(v) ? 0 : v >= 0x1p31 ? INT32_MAX : v <= -0x1p31 ? INT32_MIN : (int32_t)v;
}

float lstm_int8_bias_scale(const struct lstm_int_gate *g)
{
    return (float)(0x1p-10 * (double)g->norm_real);
}

static void normalize(const struct lstm_int_gate *g, int16_t *v, int32_t n)
{
    const float bias_scale = lstm_int8_bias_scale(g);
    float sum = 0, squares = 0, mean, variance, inverse;

    for (int32_t i = 0; i < n; i++) {
        sum += (float)v[i];
        squares += (float)v[i] * (float)v[i];
    }
    mean = sum / (float)n;
    variance = squares / (float)n - mean * mean;
    inverse = (float)(1 / sqrt(variance == 0 ? 1e-8 : (double)variance));
    for (int32_t i = 0; i < n; i++) {
        const float unit = ((float)v[i] - mean) * inverse;
        const float weighted = unit * (float)g->norm[i] * g->norm_real + (float)g->bias[i] * bias_scale;

        v[i] = fixed16_saturate(to_int(round((double)weighted * 0x1p12)));
    }
}

int16_t lstm_int8_logistic(int16_t x)
{
    return fixed16_saturate(to_int((double)(1.0f / (1.0f + expf(-((float)x * 0x1p-12f)))) * 0x1p15));
}

static int16_t tanh_of(int16_t x, float scale)
{
    return fixed16_saturate(to_int((double)tanhf((float)x * scale) * 0x1p15));
}

int16_t lstm_int8_tanh(int16_t x)
{
    return tanh_of(x, 0x1p-12f);
}

int16_t lstm_int8_tanh_of_state(int16_t x)
{
    return tanh_of(x, 0x1p-15f);
}

static void compute_gate(const struct lstm_int_cell *l, int k, const int8_t *x, const int8_t *output_state, int16_t *out)
{
    const struct lstm_int_gate *g = &l->gate[k];

    for (int32_t b = 0; b < l->batch; b++, x += l->n_input, output_state += l->n_output, out += l->n_cell) {
        for (size_t r = 0; r < (size_t)l->n_cell; r++)
            out[r] = fixed16_saturate(product_row(&g->recurrent, r, output_state) + product_row(&g->input, r, x));
        normalize(g, out, l->n_cell);
        for (int32_t i = 0; i < l->n_cell; i++)
            out[i] = k == GATE_CELL ? lstm_int8_tanh(out[i]) : lstm_int8_logistic(out[i]);
    }
}

static void project(const struct lstm_int_cell *l, const int16_t *hidden, int8_t *output_state)
{
    for (int32_t b = 0; b < l->batch; b++, hidden += l->n_cell, output_state += l->n_output)
        for (size_t r = 0; r < (size_t)l->n_output; r++) {
            int64_t sum = l->projection.bias_unfolded[r];
            int32_t v;

            for (int32_t i = 0; i < l->n_cell; i++)
                sum += hidden[i] * l->projection.w[r * (size_t)l->n_cell + (size_t)i];
            v = (int32_t)((uint32_t)fixed_scale64(sum, l->projection.scale) + (uint32_t)l->output_zero);
            v = fixed_clamp(v, INT8_MIN, INT8_MAX);
            output_state[r] = (int8_t)(l->projection_clip > 0 ? fixed_clamp(v, -l->projection_clip, l->projection_clip) : v);
        }
}

static void int8_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    const struct lstm_int_cell *l = &((const struct lstm_int8_plan *)c->packed)->cell;
    const size_t total = (size_t)l->batch * (size_t)l->n_cell, outputs = (size_t)l->batch * (size_t)l->n_output;
    int16_t *forget = c->scratch, *cell = forget + total, *out = cell + total;
    const int8_t *x = n->in[LSTM_X]->data;
    int8_t *output_state = n->in[LSTM_OUTPUT_STATE]->data;
    int16_t *cell_state = n->in[LSTM_CELL_STATE]->data;

    if (!total || !outputs)
        return;
    compute_gate(l, GATE_FORGET, x, output_state, forget);
    compute_gate(l, GATE_CELL, x, output_state, cell);
    lstm_int_update(total, NULL, forget, cell, -15, l->cell_clip, cell_state);
    compute_gate(l, GATE_OUTPUT, x, output_state, out);
    for (size_t i = 0; i < total; i++)
        out[i] = (int16_t)fixed_shift_right(out[i] * lstm_int8_tanh_of_state(cell_state[i]), 15);
    project(l, out, output_state);
    memcpy(n->out[0]->data, output_state, outputs);
}

/* ---- from the node ---- */

static enum status product_from_node(const struct node *n, uint32_t i, int32_t rows, int32_t cols, const struct tensor *x,
                                     const struct tensor *bits, const struct tensor *sum, struct lstm_int_product *p,
                                     struct err *err)
{
    const void *w;
    enum status st = lstm_int_constant(n, i, TYPE_INT8, rows, cols, &w, err);

    if (st)
        return st;
    if (!w)
        return err_set(err, ST_BAD_MODEL, "the weights, input %u, are omitted", i);
    *p = (struct lstm_int_product){.w = w, .rows = rows, .cols = cols, .zero = -quant_zero(x), .zero_8 = (int8_t)quant_zero(bits)};
    st = quant_multiplier((double)(quant_scale(n->in[i]) * quant_scale(x) / quant_scale(bits)), &p->scale, err);
    return st ? st : quant_multiplier((double)(quant_scale(bits) / quant_scale(sum)), &p->to_sum, err);
}

static enum status norm_from_node(const struct lstm_int_cell *l, const struct node *n, uint32_t k, struct lstm_int_gate *g,
                                  struct err *err)
{
    const void *norm, *bias;
    struct fixed_mul m;
    enum status st;

    if ((st = lstm_int_constant(n, LSTM_NORM + k, TYPE_INT16, l->n_cell, -1, &norm, err)) ||
        (st = lstm_int_constant(n, LSTM_BIAS + k, TYPE_INT32, l->n_cell, -1, &bias, err)))
        return st;
    if (!norm || !bias)
        return err_set(err, ST_UNSUPPORTED, "gate %u lacks layer normalization or a bias, which 8-bit sums need", k);
    if ((st = quant_multiplier((double)quant_scale(n->in[LSTM_NORM + k]), &m, err)))
        return st;
    g->norm = norm;
    g->bias = bias;
    g->norm_real = (float)ldexp(m.mult, m.shift - 31);
    return ST_OK;
}

static enum status gates_from_node(struct lstm_int_cell *l, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[LSTM_X], *h = n->in[LSTM_OUTPUT_STATE];
    enum status st = ST_OK;

    for (uint32_t k = GATE_FORGET; k < GATES && !st; k++) {
        struct tensor *const *mid = n->mid + 3 * k;
        struct lstm_int_gate *g = &l->gate[k];

        if ((st = product_from_node(n, 1 + k, l->n_cell, l->n_input, x, mid[1], mid[0], &g->input, err)) ||
            (st = product_from_node(n, 5 + k, l->n_cell, l->n_output, h, mid[2], mid[0], &g->recurrent, err)) ||
            (st = norm_from_node(l, n, k, g, err)))
            return st;
    }
    /* TFLite takes numbers of other gates for these two: beyond the end of its table of multipliers lies that of shifts. */
    l->gate[GATE_OUTPUT].recurrent.to_sum.mult = l->gate[GATE_FORGET].recurrent.to_sum.shift;
    l->gate[GATE_OUTPUT].recurrent.zero_8 = l->gate[GATE_CELL].input.zero_8;
    return st;
}

static enum status projection_from_node(struct lstm_int_cell *l, const struct node *n, struct err *err)
{
    const void *w, *bias;
    enum status st;

    if ((st = lstm_int_constant(n, LSTM_PROJECTION, TYPE_INT8, l->n_output, l->n_cell, &w, err)) ||
        (st = lstm_int_constant(n, LSTM_PROJECTION_BIAS, TYPE_INT32, l->n_output, -1, &bias, err)))
        return st;
    if (!w || !bias)
        return err_set(err, ST_UNSUPPORTED, "there is no projection or no bias of it, which 8-bit sums need");
    l->projection = (struct lstm_int_product){.w = w, .bias_unfolded = bias, .rows = l->n_output, .cols = l->n_cell};
    l->output_zero = quant_zero(n->in[LSTM_OUTPUT_STATE]);
    return quant_multiplier(
        (double)(float)((double)quant_scale(n->in[LSTM_PROJECTION]) * 0x1p-15 / (double)quant_scale(n->in[LSTM_OUTPUT_STATE])),
        &l->projection.scale, err);
}

static enum status check_node(const struct lstm_int_cell *l, const struct node *n, struct err *err)
{
    const struct tensor *cell = n->in[LSTM_CELL_STATE];
    enum status st;

    if (n->out[0]->type != TYPE_INT8)
        return cpu_bad_type(n, n->out[0], err);
    if (n->n_mid != LSTM_INT8_INTERMEDIATES)
        return err_set(err, ST_BAD_MODEL, "%u intermediate tensors, expected 5 or %d", n->n_mid, LSTM_INT8_INTERMEDIATES);
    for (uint32_t i = 0; i < LSTM_INT8_INTERMEDIATES; i++)
        if (!n->mid[i] || !(quant_scale(n->mid[i]) > 0))
            return err_set(err, ST_BAD_MODEL, "intermediate tensor %u has no scale", i);
    for (uint32_t i = 0; i < 3; i++)
        if (node_in(n, LSTM_PEEPHOLE + i))
            return err_set(err, ST_UNSUPPORTED, "peepholes with 8-bit sums, which TFLite ignores");
    if (node_in(n, 1) || node_in(n, 5))
        return err_set(err, ST_UNSUPPORTED, "an input gate with 8-bit sums, which TFLite ignores");
    if ((st = cell_check_state(n, LSTM_OUTPUT_STATE, TYPE_INT8, l->batch, l->n_output, err)) ||
        (st = cell_check_state(n, LSTM_CELL_STATE, TYPE_INT16, l->batch, l->n_cell, err)) ||
        (st = quant_check_all((const struct tensor *[]){n->in[LSTM_X], n->in[LSTM_OUTPUT_STATE], n->out[0]}, 3, err)))
        return st;
    if (quant_scale(cell) != 0x1p-15f)
        return err_set(err, ST_BAD_MODEL, "the cell state's scale is %g, expected 2^-15", (double)quant_scale(cell));
    return ST_OK;
}

static void set_clips(struct lstm_int_cell *l, const struct node *n)
{
    const struct cell o = cell_options(n);
    const float projection = o.projection_clip / quant_scale(n->out[0]);

    if (o.cell_clip > 0 && o.cell_clip < 1)
        l->cell_clip = (int16_t)(o.cell_clip * 0x1p15f);
    if (o.projection_clip > 0)
        l->projection_clip = (int8_t)(projection > INT8_MAX ? INT8_MAX : projection);
}

enum status lstm_int8_cell(const struct node *n, struct lstm_int_cell *out, struct err *err)
{
    const struct tensor *w = n->in[LSTM_FORGET_WEIGHTS], *r = n->in[LSTM_FORGET_RECURRENT];
    enum status st;

    *out = (struct lstm_int_cell){
        .int8_sums = true, .batch = n->in[LSTM_X]->dim[0], .n_cell = w->dim[0], .n_input = w->dim[1], .n_output = r->dim[1]};
    if ((st = check_node(out, n, err)))
        return st;
    set_clips(out, n);
    return (st = gates_from_node(out, n, err)) ? st : projection_from_node(out, n, err);
}

static enum status int8_prepare(struct cpu_call *c, struct err *err)
{
    struct layout scratch = {0};
    struct lstm_int_cell cell;
    enum status st;

    if ((st = lstm_int8_cell(c->node, &cell, err)) || (st = cpu_pack(c, sizeof(struct lstm_int8_plan), err)))
        return st;
    layout_add(&scratch, (GATES - 1) * (size_t)cell.batch * (size_t)cell.n_cell, sizeof(int16_t));
    c->scratch_bytes = scratch.bytes;
    ((struct lstm_int8_plan *)c->packed)->cell = cell;
    return ST_OK;
}

const struct lstm_impl lstm_int8 = {int8_prepare, int8_run};
