/* SPDX-License-Identifier: Apache-2.0 */
/* svdf.c - SVDF: a fully connected layer over a window of time, its matrix factored into features and time.
 *
 * Each of the filters multiplies the input by its feature weights, remembers the last `memory` results in the state
 * [batch, filters, memory], and sums them by its time weights; `rank` filters add up to one output. */
#include "kernels_cpu/recurrent/svdf.h"

#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/recurrent/cell.h"
#include "kernels_cpu/recurrent/rnn_products.h"
#include "lib/graph/macs.h"

#include <string.h>

enum { X = SVDF_X, FEATURE = SVDF_FEATURE, TIME = SVDF_TIME, BIAS = SVDF_BIAS, STATE = SVDF_STATE, N_INPUTS = SVDF_INPUTS };

struct plan {
    struct svdf svdf;
    size_t features_at, vectors_at; /* in scratch */
};

static enum status svdf_shape(struct node *n, struct err *err)
{
    const struct opt_svdf *o = n->opt;
    const struct tensor *x = n->in[X], *w = n->in[FEATURE];

    if (n->n_in != N_INPUTS)
        return err_set(err, ST_BAD_MODEL, "%u inputs, expected %d", n->n_in, N_INPUTS);
    if (x->rank != 2 || w->rank != 2 || w->dim[1] != x->dim[1])
        return err_set(err, ST_BAD_MODEL, "input %s and feature weights %s are not [batch,n] and [filters,n]", TENSOR_TEXT(x),
                       TENSOR_TEXT(w));
    if (o->rank < 1 || w->dim[0] % o->rank)
        return err_set(err, ST_BAD_MODEL, "%d filters are not a multiple of the rank, %d", w->dim[0], o->rank);
    return shape_set(n, 0, (int32_t[]){x->dim[0], w->dim[0] / o->rank}, 2, err);
}

/* ---- the node ---- */

static enum status float_from_node(struct svdf *s, const struct node *n, struct err *err)
{
    enum status st;

    if (n->out[0]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->out[0], err);
    if ((st = cell_weights(n, FEATURE, s->filters, n->in[X]->dim[1], &s->feature, err)) ||
        (st = cell_weights(n, TIME, s->filters, s->memory, &s->time, err)) ||
        (st = cell_vector(n, BIAS, s->units, &s->bias, err)) ||
        (st = cell_check_state(n, STATE, TYPE_FLOAT32, s->batch, s->memory * s->filters, err)))
        return st;
    return (s->feature->type == TYPE_FLOAT32) == (s->time->type == TYPE_FLOAT32)
               ? ST_OK
               : err_set(err, ST_BAD_MODEL, "some weights are float, others have 8 bits");
}

static enum status check_int(const struct node *n, uint32_t i, enum tensor_type type, int32_t rows, int32_t cols, struct err *err)
{
    const struct tensor *t = n->in[i];

    if (t->type != type || t->rank != 2 || t->dim[0] != rows || t->dim[1] != cols)
        return err_set(err, ST_BAD_MODEL, "input %u is %s, expected %s[%d,%d]", i, TENSOR_TEXT(t), type_name(type), rows, cols);
    return ST_OK;
}

static enum status int_scales(const struct node *n, struct svdf *s, struct err *err)
{
    float x = quant_scale(n->in[X]), w = quant_scale(n->in[FEATURE]), state = quant_scale(n->in[STATE]);
    float time = quant_scale(n->in[TIME]), y = quant_scale(n->out[0]);

    if (!(x > 0 && w > 0 && state > 0 && time > 0 && y > 0))
        return err_set(err, ST_BAD_MODEL, "input, weights, state and output need one scale above 0 each");
    if (!fixed_from_double((double)(x * w / state), &s->to_state) || !fixed_from_double((double)(state * time / y), &s->to_output))
        return err_set(err, ST_BAD_MODEL, "the scales %g, %g, %g, %g, %g call for a factor that is out of range", (double)x,
                       (double)w, (double)state, (double)time, (double)y);
    s->x_zero = quant_zero(n->in[X]);
    s->y_zero = quant_zero(n->out[0]);
    return ST_OK;
}

static enum status int_from_node(struct svdf *s, const struct node *n, struct err *err)
{
    const struct tensor *bias = n->in[BIAS];
    enum status st;

    if (n->out[0]->type != TYPE_INT8)
        return cpu_bad_type(n, n->out[0], err);
    if (((const struct opt_svdf *)n->opt)->activation != ACT_RELU)
        return err_set(err, ST_UNSUPPORTED, "INT8 needs a fused RELU, as in TFLite");
    if (bias && (bias->type != TYPE_INT32 || bias->rank != 1 || bias->dim[0] != s->units))
        return err_set(err, ST_BAD_MODEL, "the bias is %s, expected INT32[%d]", TENSOR_TEXT(bias), s->units);
    if ((st = check_int(n, FEATURE, TYPE_INT8, s->filters, n->in[X]->dim[1], err)) ||
        (st = check_int(n, TIME, TYPE_INT16, s->filters, s->memory, err)) ||
        (st = cell_check_state(n, STATE, TYPE_INT16, s->batch, s->memory * s->filters, err)))
        return st;
    return int_scales(n, s, err);
}

enum status svdf_from_node(const struct node *n, struct svdf *out, struct err *err)
{
    const struct tensor *time = n->in[TIME];

    if (time->rank != 2 || time->dim[1] < 1 || time->dim[1] > INT32_MAX / (n->in[FEATURE]->dim[0] + 1))
        return err_set(err, ST_BAD_MODEL, "the time weights are %s, expected [%d,memory]", TENSOR_TEXT(time),
                       n->in[FEATURE]->dim[0]);
    *out = (struct svdf){.batch = n->in[X]->dim[0],
                         .rank = ((const struct opt_svdf *)n->opt)->rank,
                         .units = n->out[0]->dim[1],
                         .filters = n->in[FEATURE]->dim[0],
                         .memory = time->dim[1],
                         .feature = n->in[FEATURE],
                         .time = time,
                         .bias = n->in[BIAS]};
    if (n->in[X]->type == TYPE_FLOAT32)
        return float_from_node(out, n, err);
    return n->in[X]->type == TYPE_INT8 ? int_from_node(out, n, err) : cpu_bad_type(n, n->in[X], err);
}

/* ---- float and hybrid ---- */

static float in_time(const struct rnn_matrix *time, size_t filter, const float *state)
{
    const size_t memory = (size_t)time->cols;
    float sum = 0;

    for (size_t m = 0; m < memory; m++)
        sum += rnn_matrix_at(time, filter * memory + m) * state[m];
    return sum;
}

static void float_run(struct cpu_call *c, const struct plan *p)
{
    const struct svdf *s = &p->svdf;
    const struct rnn_matrix feature = rnn_matrix_of(s->feature, false), time = rnn_matrix_of(s->time, false);
    const struct opt_svdf *o = c->node->opt;
    size_t filters = (size_t)s->filters, memory = (size_t)s->memory, rank = (size_t)s->rank, units = (size_t)s->units;
    float *features = (float *)((char *)c->scratch + p->features_at), *state = c->node->in[STATE]->data;
    float *y = c->node->out[0]->data;
    struct rnn_vectors x;

    rnn_vectors_init(&x, c->mode, c->node->in[X]->data, s->batch, feature.cols, o->asymmetric_quantize_inputs,
                     feature.i8 ? (char *)c->scratch + p->vectors_at : NULL);
    rnn_assign(features, NULL, s->batch, s->filters);
    rnn_matrix_add(c, &feature, &x, features);
    rnn_assign(y, s->bias ? s->bias->data : NULL, s->batch, s->units);
    for (size_t i = 0; i < (size_t)s->batch * filters; i++, state += memory) {
        memmove(state, state + 1, (memory - 1) * sizeof *state);
        state[memory - 1] = features[i];
        y[i / rank] += in_time(&time, i % filters, state);
    }
    activation_apply(y, (size_t)s->batch * units, o->activation);
}

/* ---- INT8 ---- */

static int16_t feature(const struct svdf *s, const int8_t *x, const int8_t *w, int32_t n)
{
    uint32_t sum = 0;

    for (int32_t i = 0; i < n; i++)
        sum += (uint32_t)(w[i] * (x[i] - s->x_zero));
    return (int16_t)fixed_clamp(fixed_scale((int32_t)sum, s->to_state), INT16_MIN, INT16_MAX);
}

static uint32_t in_time_int(const int16_t *w, const int16_t *state, size_t memory)
{
    uint32_t sum = 0;

    for (size_t m = 0; m < memory; m++)
        sum += (uint32_t)(w[m] * state[m]);
    return sum;
}

/* As in TFLite the fused RELU is not computed: the range of the output's quantization stands for it. */
static void int_run(const struct node *n, const struct svdf *s)
{
    size_t filters = (size_t)s->filters, memory = (size_t)s->memory, inputs = (size_t)n->in[X]->dim[1];
    const int32_t *bias = n->in[BIAS] ? n->in[BIAS]->data : NULL;
    const int8_t *x = n->in[X]->data, *w = n->in[FEATURE]->data;
    const int16_t *time = n->in[TIME]->data;
    int16_t *state = n->in[STATE]->data;
    int8_t *y = n->out[0]->data;

    for (size_t b = 0; b < (size_t)s->batch; b++, x += inputs)
        for (size_t u = 0; u < (size_t)s->units; u++) {
            uint32_t sum = bias ? (uint32_t)bias[u] : 0;
            int64_t shifted;

            for (size_t f = u * (size_t)s->rank; f < (u + 1) * (size_t)s->rank; f++) {
                int16_t *row = state + (b * filters + f) * memory;

                memmove(row, row + 1, (memory - 1) * sizeof *row);
                row[memory - 1] = feature(s, x, w + f * inputs, (int32_t)inputs);
                sum += in_time_int(time + f * memory, row, memory);
            }
            shifted = (int64_t)fixed_scale((int32_t)sum, s->to_output) + s->y_zero;
            *y++ = (int8_t)(shifted < INT8_MIN ? INT8_MIN : shifted > INT8_MAX ? INT8_MAX : shifted);
        }
}

/* ---- both ---- */

static enum status svdf_prepare(struct cpu_call *c, struct err *err)
{
    struct layout l = {0};
    struct plan *p;
    enum status st;

    if ((st = cpu_pack(c, sizeof *p, err)))
        return st;
    p = c->packed;
    if ((st = svdf_from_node(c->node, &p->svdf, err)) || c->node->in[X]->type != TYPE_FLOAT32)
        return st;
    p->features_at = layout_add(&l, (size_t)p->svdf.batch * (size_t)p->svdf.filters, sizeof(float));
    p->vectors_at = layout_add(
        &l, p->svdf.feature->type == TYPE_FLOAT32 ? 0 : rnn_vectors_bytes(p->svdf.batch, p->svdf.feature->dim[1]), 1);
    c->scratch_bytes = l.bytes;
    return ST_OK;
}

static void svdf_run(struct cpu_call *c)
{
    if (c->node->in[X]->type == TYPE_FLOAT32)
        float_run(c, c->packed);
    else
        int_run(c->node, &((const struct plan *)c->packed)->svdf);
}

const struct cpu_kernel cpu_svdf = {
    .arity = {3, N_INPUTS, 1}, .shape = svdf_shape, .prepare = svdf_prepare, .compute = svdf_run, .macs = macs_recurrent};
