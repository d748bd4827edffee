/* SPDX-License-Identifier: Apache-2.0 */
/* exact_rnn.h - RNN with 8-bit weights, as the CPU has it: their factors are quantized at run time, in every step. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_RNN_H
#define DELEGAUGE_KERNELS_GL_EXACT_RNN_H

#include "kernels_gl/recurrent/recurrent.h"

struct exact_rnn {
    const struct tensor *input, *aux, *recurrent, *bias; /* aux, bias: NULL if there is none */
    enum activation activation;
    bool asymmetric;
};

/* As recurrent_lower. */
enum status exact_rnn_lower(struct ir *ir, const struct node *n, const struct exact_rnn *cell, const struct recurrent *r,
                            struct err *err);

#endif
