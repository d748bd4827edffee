/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_basic.c - the older, basic form of LSTM, whose states are plain inputs and outputs: float or UINT8. */
#include "kernels_cpu/quant/fixed16.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_cpu/recurrent/lstm.h"
#include "kernels_cpu/recurrent/rnn_products.h"

#include <math.h>
#include <string.h>

enum { SLOT_INPUT, SLOT_CELL, SLOT_FORGET, SLOT_OUTPUT, SLOTS }; /* the order of the gates in the weights */

/* Outputs: activation [batch,depth], state [batch,depth], and the temporaries [batch,input + depth] and [batch,4 * depth]. */
enum status lstm_basic_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 5, 5, 4, err);
    int32_t batch, input, depth;

    if (st)
        return st;
    if (n->in[BASIC_X]->rank < 2 || n->in[BASIC_ACTIVATION]->rank != 2)
        return err_set(err, ST_BAD_MODEL, "input has rank %d and activation rank %d, expected 2", n->in[BASIC_X]->rank,
                       n->in[BASIC_ACTIVATION]->rank);
    batch = n->in[BASIC_X]->dim[0];
    depth = n->in[BASIC_ACTIVATION]->dim[1];
    input = n->in[BASIC_X]->dim[n->in[BASIC_X]->rank - 1];
    if (depth > INT32_MAX / 4 - input || tensor_elems(n->in[BASIC_X]) != (size_t)batch * (size_t)input)
        return err_set(err, ST_BAD_MODEL, "input %s is not one vector per batch", TENSOR_TEXT(n->in[BASIC_X]));
    if ((st = shape_set(n, 0, (int32_t[]){batch, depth}, 2, err)) || (st = shape_set(n, 1, (int32_t[]){batch, depth}, 2, err)) ||
        (st = shape_set(n, 2, (int32_t[]){batch, input + depth}, 2, err)))
        return st;
    return shape_set(n, 3, (int32_t[]){batch, 4 * depth}, 2, err);
}

/* Fails where t is not of that type and [rows,cols]; `what` begins the message. */
static enum status expect(const struct tensor *t, const char *what, enum tensor_type type, int32_t rows, int32_t cols,
                          struct err *err)
{
    if (t->type != type || t->rank != 2 || t->dim[0] != rows || t->dim[1] != cols)
        return err_set(err, ST_BAD_MODEL, "%s is %s, expected %s[%d,%d]", what, TENSOR_TEXT(t), type_name(type), rows, cols);
    return ST_OK;
}

static enum status check(const struct node *n, enum tensor_type activation, enum tensor_type bias_type, enum tensor_type state,
                         struct err *err)
{
    int32_t batch = n->out[0]->dim[0], depth = n->out[0]->dim[1], width = n->out[2]->dim[1];
    const enum tensor_type outputs[] = {activation, state, activation, state};
    const struct tensor *bias = n->in[BASIC_BIAS];
    enum status st;

    for (uint32_t i = 0; i < 4; i++)
        if (n->out[i]->type != outputs[i])
            return cpu_bad_type(n, n->out[i], err);
    if ((st = expect(n->in[BASIC_ACTIVATION], "the previous activation", activation, batch, depth, err)) ||
        (st = expect(n->in[BASIC_STATE], "the previous state", state, batch, depth, err)) ||
        (st = expect(n->in[BASIC_WEIGHTS], "the weights", activation, 4 * depth, width, err)))
        return st;
    if (bias->type != bias_type || bias->rank != 1 || bias->dim[0] != 4 * depth)
        return err_set(err, ST_BAD_MODEL, "the bias is %s, expected %s[%d]", TENSOR_TEXT(bias), type_name(bias_type), 4 * depth);
    return ST_OK;
}

/* Keeps the result as the next step's input where that is a variable; a plain input belongs to the caller. */
static void carry_over(struct tensor *state, const struct tensor *result)
{
    if (state->is_variable && result->bytes)
        memcpy(state->data, result->data, result->bytes);
}

/* Output 2: input and previous activation, one after the other, for each batch. */
static void join(const struct node *n, size_t elem)
{
    size_t batch = (size_t)n->out[0]->dim[0], depth = (size_t)n->out[0]->dim[1] * elem, width = (size_t)n->out[2]->dim[1] * elem;
    const char *x = n->in[BASIC_X]->data, *activation = n->in[BASIC_ACTIVATION]->data;
    char *row = n->out[2]->data;

    for (size_t b = 0; b < batch; b++, row += width) {
        if (width > depth)
            memcpy(row, x + b * (width - depth), width - depth);
        if (depth)
            memcpy(row + (width - depth), activation + b * depth, depth);
    }
}

/* ---- the node ---- */

static enum status u8_from_node(const struct node *n, struct lstm_basic *out, struct err *err)
{
    int32_t log2;

    if (quant_zero(n->in[BASIC_X]) != 128 || quant_zero(n->out[0]) != 128)
        return err_set(err, ST_BAD_MODEL, "the zero points of input and output are %d and %d, expected 128",
                       quant_zero(n->in[BASIC_X]), quant_zero(n->out[0]));
    for (uint32_t i = 0; i < 2; i++) {
        const struct tensor *state = i ? n->out[1] : n->in[BASIC_STATE];

        if (!(quant_scale(state) > 0) || !quant_whole_log2(quant_scale(state), &log2) || log2 != -11)
            return err_set(err, ST_BAD_MODEL, "the scale of a state is %g, expected 2^-11", (double)quant_scale(state));
    }
    out->weights_zero = quant_zero(n->in[BASIC_WEIGHTS]);
    return quant_multiplier(4096 * (double)quant_scale(n->in[BASIC_BIAS]), &out->to_gate, err);
}

enum status lstm_basic_from_node(const struct node *n, struct lstm_basic *out, struct err *err)
{
    const enum tensor_type x = n->in[BASIC_X]->type;
    const bool u8 = x == TYPE_UINT8;
    const enum status st = x != TYPE_FLOAT32 && !u8 ? cpu_bad_type(n, n->in[BASIC_X], err)
                           : u8                     ? check(n, TYPE_UINT8, TYPE_INT32, TYPE_INT16, err)
                                                    : check(n, TYPE_FLOAT32, TYPE_FLOAT32, TYPE_FLOAT32, err);

    return st || !u8 ? st : u8_from_node(n, out, err);
}

static enum status basic_prepare(struct cpu_call *c, struct err *err)
{
    enum status st = cpu_pack(c, sizeof(struct lstm_basic), err);

    return st ? st : lstm_basic_from_node(c->node, c->packed, err);
}

/* ---- float ---- */

static void f32_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    int32_t batch = n->out[0]->dim[0], depth = n->out[0]->dim[1], width = n->out[2]->dim[1];
    const struct range_f32 finite = {-FLT_MAX, FLT_MAX}; /* the product is a FULLY_CONNECTED */
    const float *prev = n->in[BASIC_STATE]->data;
    float *y = n->out[0]->data, *state = n->out[1]->data, *gates = n->out[3]->data;

    join(n, sizeof(float));
    rnn_assign(gates, n->in[BASIC_BIAS]->data, batch, 4 * depth);
    matvec_add(c, n->in[BASIC_WEIGHTS]->data, 4 * depth, width, n->out[2]->data, batch, gates);
    for (int32_t b = 0; b < batch; b++, gates += 4 * depth)
        for (int32_t i = 0; i < depth; i++) {
            size_t at = (size_t)b * (size_t)depth + (size_t)i;
            float gate[SLOTS];

            for (int k = 0; k < SLOTS; k++) {
                gate[k] = gates[k * depth + i] = activation_clamp(gates[k * depth + i], finite);
                activation_apply(&gate[k], 1, k == SLOT_CELL ? ACT_TANH : ACT_SIGMOID);
            }
            state[at] = gate[SLOT_INPUT] * gate[SLOT_CELL] + gate[SLOT_FORGET] * prev[at];
            y[at] = gate[SLOT_OUTPUT] * tanhf(state[at]);
        }
    carry_over(n->in[BASIC_ACTIVATION], n->out[0]);
    carry_over(n->in[BASIC_STATE], n->out[1]);
}

const struct lstm_impl lstm_basic_f32 = {basic_prepare, f32_run};

/* ---- UINT8 activations, INT16 state with 4 integer bits ---- */

struct u8_sums {
    const struct lstm_basic *p;
    const struct node *n;
};

/* Output 3: what goes into the gates. */
static void u8_gate_rows(void *arg, size_t begin, size_t end)
{
    const struct u8_sums *s = arg;
    const struct node *n = s->n;
    size_t batch = (size_t)n->out[0]->dim[0], rows = (size_t)n->out[3]->dim[1], width = (size_t)n->out[2]->dim[1];
    const int32_t *bias = n->in[BASIC_BIAS]->data;

    for (size_t b = 0; b < batch; b++)
        for (size_t r = begin; r < end; r++) {
            const uint8_t *x = (const uint8_t *)n->out[2]->data + b * width;
            const uint8_t *w = (const uint8_t *)n->in[BASIC_WEIGHTS]->data + r * width;
            uint32_t sum = (uint32_t)bias[r];

            for (size_t i = 0; i < width; i++)
                sum += (uint32_t)((x[i] - 128) * (w[i] - s->p->weights_zero));
            ((int16_t *)n->out[3]->data)[b * rows + r] = fixed16_saturate(fixed_scale_up((int32_t)sum, s->p->to_gate));
        }
}

/* gate: the four inputs of a unit's gates, `depth` apart. */
static void u8_unit(const int16_t *gate, size_t depth, int16_t prev, int16_t *state, uint8_t *y)
{
    const int16_t input = fixed16_logistic(gate[SLOT_INPUT * depth], 3), cell = fixed16_tanh(gate[SLOT_CELL * depth], 3);
    const int16_t forget = fixed16_logistic(gate[SLOT_FORGET * depth], 3), out = fixed16_logistic(gate[SLOT_OUTPUT * depth], 3);
    int16_t activation;

    *state = fixed16_saturate(fixed_shift_right(fixed16_mul(input, cell), 4) + fixed16_mul(forget, prev));
    activation = fixed16_mul(out, fixed16_tanh(fixed16_shift_left(*state, 1), 3));
    *y = (uint8_t)(128 + fixed_clamp(fixed_shift_right(activation, 8), -128, 127));
}

static void u8_run(struct cpu_call *c)
{
    const struct node *n = c->node;
    size_t batch = (size_t)n->out[0]->dim[0], depth = (size_t)n->out[0]->dim[1];
    struct u8_sums sums = {c->packed, n};

    join(n, 1);
    threads_for(c->threads, 4 * depth, 32, u8_gate_rows, &sums);
    for (size_t b = 0; b < batch; b++)
        for (size_t i = 0, at = b * depth; i < depth; i++, at++)
            u8_unit((const int16_t *)n->out[3]->data + b * 4 * depth + i, depth, ((const int16_t *)n->in[BASIC_STATE]->data)[at],
                    (int16_t *)n->out[1]->data + at, (uint8_t *)n->out[0]->data + at);
    carry_over(n->in[BASIC_ACTIVATION], n->out[0]);
    carry_over(n->in[BASIC_STATE], n->out[1]);
}

const struct lstm_impl lstm_basic_u8 = {basic_prepare, u8_run};
