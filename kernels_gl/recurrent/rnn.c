/* SPDX-License-Identifier: Apache-2.0 */
/* rnn.c - RNN, UNIDIRECTIONAL_SEQUENCE_RNN, BIDIRECTIONAL_SEQUENCE_RNN: y = activation(W x + R h + b), h = y. */
#include "kernels_gl/recurrent/recurrent.h"

#define RNN(types, accept_)                                                                                                        \
    {                                                                                                                              \
        .max_version = 3, .in_types = types, .quantized = 1u << TYPE_INT8, .accept = accept_, .lower = recurrent_lower,            \
        .updates_variables = true                                                                                                  \
    }

const struct gl_kernel gl_rnn = RNN(TAKES_FLOAT, recurrent_accept);
const struct gl_kernel gl_exact_rnn = RNN(TAKES_FLOAT | TAKES_8BIT, recurrent_accept_exact);
