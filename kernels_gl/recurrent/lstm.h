/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.h - the full LSTM cell of a node, as LSTM shares it with the sequence LSTMs. */
#ifndef DELEGAUGE_KERNELS_GL_LSTM_H
#define DELEGAUGE_KERNELS_GL_LSTM_H

#include "kernels_gl/recurrent/recurrent.h"

/* Inputs counted from the first of a cell. */
enum { LSTM_RECURRENT = 4, LSTM_PEEPHOLE = 8, LSTM_BIAS = 11, LSTM_PROJECTION = 15, LSTM_PROJECTION_BIAS };

/* Which inputs of a node are a cell: from `first` on 4 matrices for the input, 4 for the output state, 3 peepholes, 4 biases, the
 * projection and its bias; aux and norm are the first of 4, 0 for none; state the first of 2. */
struct lstm_form {
    uint32_t first, aux, norm, state;
    bool diagonal;
};

/* A cell's sizes, and which of its optional weights are there. Batch and n_aux are the caller's to set. */
struct lstm_sizes {
    int32_t batch, n_input, n_aux, n_cell, n_output;
    bool coupled, peepholes, norm, projection;
    enum tensor_type type; /* of matrices and peepholes */
};

/* The cell's weights and states are such as the CPU takes; fills the rest of *s. */
bool lstm_accept_cell(const struct node *n, const struct lstm_form *f, struct lstm_sizes *s, enum activation act,
                      struct reason *why);

/* Of an accepted node: fills all of *c that is in weights but n_aux. False: out of memory. */
bool lstm_read_cell(struct ir *ir, const struct node *n, const struct lstm_form *f, struct cell *c);

/* LSTM with kernel_type BASIC: its inputs and outputs, and a check of the parts of the node that no type changes. False: *why. */
enum { BASIC_X, BASIC_ACTIVATION, BASIC_WEIGHTS, BASIC_BIAS, BASIC_STATE, BASIC_N_IN };
enum { BASIC_NEW_ACTIVATION, BASIC_NEW_STATE, BASIC_JOINED, BASIC_GATES, BASIC_N_OUT };
bool lstm_accept_basic(const struct node *n, struct reason *why);

/* Give states that are variables the content of the node's outputs. False if memory runs out. */
bool lstm_keep_basic(struct ir *ir, const struct node *n);

/* LSTM with kernel_type FULL, and UNIDIRECTIONAL_SEQUENCE_LSTM: gl_kernel.accept and .lower. */
bool lstm_accept_full(const struct node *n, struct reason *why);
enum status lstm_lower_full(struct ir *ir, const struct node *n, struct err *err);

#endif
