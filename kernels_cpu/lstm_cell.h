/* lstm_cell.h - one step of a float LSTM over a batch: what LSTM and the sequence LSTMs share.
 *
 * Hochreiter and Schmidhuber's cell with Gers' forget gate and peepholes, coupled input and forget gate (CIFG), projection
 * (Sak et al. 2014) and layer normalization, each present where its weights are. Matrices are [rows, columns] row-major. */
#ifndef DELEGAUGE_LSTM_CELL_H
#define DELEGAUGE_LSTM_CELL_H

#include "../lib/kernel.h"

enum lstm_gate { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };

struct lstm_cell {
    int32_t n_batch, n_input, n_aux, n_cell, n_output;
    const float *input[GATES];       /* [n_cell, n_input]; input[GATE_INPUT] is NULL for CIFG */
    const float *aux[GATES];         /* [n_cell, n_aux]; NULL: no auxiliary input */
    const float *recurrent[GATES];   /* [n_cell, n_output] */
    const float *peephole[GATES];    /* [n_cell] or NULL; GATE_CELL has none */
    const float *bias[GATES];        /* [n_cell] or NULL */
    const float *norm[GATES];        /* [n_cell] layer normalization coefficients, or NULL for none */
    const float *projection, *projection_bias;     /* [n_output, n_cell] or NULL, [n_output] or NULL */
    enum activation activation;
    float cell_clip, projection_clip;              /* 0: none */
};

/* Floats of scratch that a step needs. */
size_t lstm_cell_scratch(const struct lstm_cell *l);

/* Computes one step: x [n_batch, n_input], aux [n_batch, n_aux] or NULL; updates output_state [n_batch, n_output] and
 * cell_state [n_batch, n_cell]. The step's output is the new output_state. */
void lstm_cell_step(const struct lstm_cell *l, struct threads *threads, const float *x, const float *aux, float *output_state,
                    float *cell_state, float *scratch);

/* Checks and collects the weights of a node laid out like LSTM's 20 or 24 inputs; the sequence LSTMs are laid out alike. Sets the
 * sizes from the weights; n_batch is left alone. */
enum status lstm_cell_from_node(struct lstm_cell *l, const struct node *n, struct err *err);

/* Fails where t is not FLOAT32[rows,cols]; `what` begins the sentence. */
enum status lstm_expect_shape(const struct tensor *t, const char *what, int32_t rows, int32_t cols, struct err *err);

/* Applies ACT_NONE, ACT_RELU, ACT_RELU6, ACT_RELU_N1_TO_1, ACT_TANH or ACT_SIGMOID in place. */
void lstm_activate(float *v, size_t n, enum activation act);

/* out[r] += sum over c of m[r,c] * v[c], for each of n_batch vectors; sums in eight fixed lanes. */
void matvec_add(struct threads *threads, const float *m, int32_t rows, int32_t cols, const float *v, int32_t n_batch, float *out);

#endif
