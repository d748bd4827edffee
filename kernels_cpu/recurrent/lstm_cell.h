/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_cell.h - one step of a float or hybrid LSTM over a batch, which LSTM and the sequence LSTMs share.
 *
 * Hochreiter and Schmidhuber's cell with Gers' forget gate and peepholes, coupled input and forget gate (CIFG), projection (Sak et
 * al. 2014) and layer normalization, each present if its weights are. */
#ifndef DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_CELL_H
#define DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_CELL_H

#include "kernels_cpu/recurrent/recurrent.h"

enum lstm_gate { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };

struct lstm_cell {
    int32_t n_batch, n_input, n_aux, n_cell, n_output;
    struct rnn_matrix input[GATES];     /* [n_cell, n_input]; that of GATE_INPUT is absent for CIFG */
    struct rnn_matrix aux[GATES];       /* [n_cell, n_aux]; absent: no auxiliary input */
    struct rnn_matrix recurrent[GATES]; /* [n_cell, n_output] */
    struct rnn_matrix peephole[GATES];  /* [n_cell] or absent; GATE_CELL has none */
    const float *bias[GATES];           /* [n_cell] or NULL */
    const float *norm[GATES];           /* [n_cell] layer normalization coefficients, or NULL for none */
    struct rnn_matrix projection;       /* [n_output, n_cell] or absent */
    const float *projection_bias;       /* [n_output] or NULL */
    enum activation activation;
    float cell_clip, projection_clip; /* 0: none */
    bool asymmetric;                  /* how hybrid products quantize */
};

/* Which inputs of a node are a cell's weights. From `first` on: 4 input, 4 recurrent, 3 peephole weights, 4 biases, projection
 * and its bias. */
struct lstm_layout {
    uint32_t first, aux, norm; /* aux, norm: the first of 4 inputs, 0 for none */
    bool diagonal;             /* the recurrent weights are diagonals */
};

/* Bytes of scratch that a step needs, a multiple of 16. */
size_t lstm_cell_scratch(const struct lstm_cell *l);

/* Computes one step: x [n_batch, n_input], aux [n_batch, n_aux] or NULL; updates output_state [n_batch, n_output] and
 * cell_state [n_batch, n_cell]. The step's output is the new output_state. scratch is aligned to 16. Mode and
 * threads are c's. */
void lstm_cell_step(const struct lstm_cell *l, const struct cpu_call *c, const float *x, const float *aux, float *output_state,
                    float *cell_state, void *scratch);

/* Checks and collects the weights, and sets the sizes from them (n_aux is the caller's to set before; n_batch is left alone). */
enum status lstm_cell_from_node(struct lstm_cell *l, const struct node *n, const struct lstm_layout *layout, struct err *err);

#endif
