/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_steps.c - the full LSTM cell of 8-bit activations and 16-bit states, as reals: which roundings and limits are TFLite's.
 *
 * Sums of a gate are kept in 16 bits with 3 before the point, or in steps of an intermediate tensor where a norm follows, which
 * limits them; products with the inputs and with the output state each saturate, too. What the gates make of them has 15 bits and
 * is not rounded here. The cell state and what is put out are rounded every time, since the next time reads them. */
#include "lstm.h"

#include <math.h>

#include "../lib/gl/quantized.h"

enum { X, HIDDEN = 4, MOST_MID = 12 }; /* an input; intermediate tensors */

static bool check_mid(const struct node *n, uint32_t i, struct reason *why)
{
    const struct tensor *t = i < n->n_mid ? n->mid[i] : NULL;

    return (t && t->quant.n == 1 && isnormal(t->quant.scale[0]) && t->quant.scale[0] > 0) ||
           reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "intermediate tensor %u has no scale", i);
}

/* The CPU takes the numbers of the output state as those of the output. */
static bool check_output(const struct node *n, const struct lstm_form *f, struct reason *why)
{
    const struct tensor *state = n->in[f->state], *y = n->out[0];

    return gl_same_steps(state, y) || reason_set(why, REASON_UNSUPPORTED_QUANTIZATION,
                                                 "%s and the output state have different scales or zero points", TENSOR_TEXT(y));
}

bool lstm_accept_steps(const struct node *n, const struct lstm_form *f, const struct lstm_sizes *s, struct reason *why)
{
    if (n->in[X]->type != TYPE_INT8 || n->out[0]->type != TYPE_INT8)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "%s as activations", type_name(n->in[X]->type));
    if (n->n_mid >= MOST_MID)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "gates are sums of 8 bits, rounded at each part");
    if (f->diagonal)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "diagonal recurrent weights of 8 bits");
    if (s->peepholes && s->projection)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "with a projection peepholes see other cells than their own");
    for (uint32_t k = s->coupled; k < HIDDEN && s->norm; k++)
        if (!check_mid(n, k, why))
            return false;
    return check_mid(n, HIDDEN, why) && recurrent_state(n, f->state, TYPE_INT8, s->batch, s->n_output, why) &&
           recurrent_state(n, f->state + 1, TYPE_INT16, s->batch, s->n_cell, why) && gl_quantized_fits(n->in[f->state], why) &&
           gl_quantized_fits(n->in[f->state + 1], why) && check_output(n, f, why);
}

/* ---- lowering ---- */

static float zero_of(const struct tensor *t)
{
    return t->quant.zero_point ? (float)t->quant.zero_point[0] : 0;
}

/* 8 bits of a tensor, within so many steps of 0 as the clip has, where it has any. */
static struct cell_steps steps_of(const struct tensor *t, float clip)
{
    const float zero = zero_of(t), steps = clip > 0 ? fminf(floorf(clip / t->quant.scale[0]), INT8_MAX) : 0,
                most = steps > 0 ? steps : INT8_MAX, least = steps > 0 ? -steps : INT8_MIN;

    return (struct cell_steps){t->quant.scale[0], least - zero, most - zero, 0, t->quant.scale[0]};
}

/* What is put out counts in steps of the hidden state; without a projection TFLite takes that number as one of the output. With
 * one, it adds the zero point where others subtract it. */
static void set_steps(const struct node *n, const struct lstm_form *f, struct cell *c)
{
    const struct tensor *hidden = n->mid[HIDDEN], *y = n->out[0], *state = n->in[f->state + 1];

    c->state = (struct cell_steps){state->quant.scale[0], INT16_MIN, INT16_MAX, 0, state->quant.scale[0]};
    c->output = steps_of(y, c->projection ? c->projection_clip : 0);
    c->hidden = steps_of(hidden, 0);
    c->projection_clip = 0;
    if (c->projection) {
        c->hidden.least = INT8_MIN + zero_of(hidden);
        c->hidden.most = INT8_MAX + zero_of(hidden);
        return;
    }
    c->output = c->hidden;
    c->output.shift = zero_of(hidden) - zero_of(y);
    c->output.to = y->quant.scale[0];
}

/* A norm's biases have 10 bits more than its factors. */
static const float *norm_bias(struct ir *ir, const struct tensor *norm, const struct tensor *bias)
{
    const size_t n = tensor_elems(bias);
    float *out = ARENA_ARRAY(ir->arena, n, float);

    for (size_t i = 0; out && i < n; i++)
        out[i] = (float)((double)tensor_int(bias, i) * (double)norm->quant.scale[0] / 1024);
    return out;
}

bool lstm_read_steps(struct ir *ir, const struct node *n, const struct lstm_form *f, struct cell *c)
{
    const struct tensor *bias;

    c->activation = ACT_TANH; /* whatever the node says */
    c->gate_limit = 8;
    set_steps(n, f, c);
    for (uint32_t k = 0; k < CELL_GATES; k++) {
        const bool norm = c->norm[k];

        c->sum_limit[k] = norm ? INT16_MAX * n->mid[k]->quant.scale[0] : c->gate_limit;
        if (!(bias = node_in(n, f->first + LSTM_BIAS + k)) || !node_in(n, f->first + k))
            continue;
        c->bias[k] = norm ? norm_bias(ir, n->in[f->norm + k], bias) : gl_quantized_bias(ir, n->in[X], n->in[f->first + k], bias);
        if (!c->bias[k])
            return false;
    }
    if ((bias = node_in(n, f->first + LSTM_PROJECTION_BIAS)))
        c->projection_bias = gl_quantized_bias(ir, n->mid[HIDDEN], n->in[f->first + LSTM_PROJECTION], bias);
    return !bias || c->projection_bias;
}
