/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.c - LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_LSTM: the forms that kernels take. */
#include "kernels_cpu/recurrent/lstm.h"

#include "kernels_gl/recurrent/recurrent.h"

static bool is_basic(const struct node *n)
{
    return n->builtin == BUILTIN_LSTM && ((const struct opt_lstm *)n->opt)->kernel_type == LSTM_BASIC;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return is_basic(n) ? lstm_basic_accept(lim, n, why) : recurrent_accept(lim, n, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    return is_basic(n) ? lstm_basic_lower(ir, n, err) : recurrent_lower(ir, n, err);
}

/* Floats have 8-bit weights. */
static bool is_hybrid(const struct node *n)
{
    return n->n_in && n->in[LSTM_X] && n->in[LSTM_X]->type == TYPE_FLOAT32;
}

static bool accept_exact(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return is_basic(n)    ? lstm_basic_accept(lim, n, why)
           : is_hybrid(n) ? recurrent_accept_exact(lim, n, why)
                          : exact_lstm_accept(n, why);
}

static enum status lower_exact(struct ir *ir, const struct node *n, struct err *err)
{
    return is_basic(n) || is_hybrid(n) ? lower(ir, n, err) : exact_lstm_lower(ir, n, err);
}

#define LSTM(version, accept_, lower_, ...)                                                                                        \
    {                                                                                                                              \
        .max_version = version, .accept = accept_, .lower = lower_, .updates_variables = true, __VA_ARGS__                         \
    }
#define QUANTIZED .quantized = 1u << TYPE_INT8

const struct gl_kernel gl_lstm = LSTM(4, accept, lower, QUANTIZED);
const struct gl_kernel gl_bidirectional_sequence_lstm = LSTM(3, accept, lower, QUANTIZED);
const struct gl_kernel gl_exact_lstm = LSTM(GL_ANY_VERSION, accept_exact, lower_exact,
                                            .in_types = TAKES_FLOAT | TAKES_QUANTIZED | TAKES_INT,
                                            .out_types = TAKES_FLOAT | TAKES_QUANTIZED);
