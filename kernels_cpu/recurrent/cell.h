/* SPDX-License-Identifier: Apache-2.0 */
/* cell.h - description of a recurrent cell: the tensors and options of a node of RNN or LSTM, in either direction, and its walk
 * through time.
 *
 * The kernels of the CPU and of the GPU, and the checks of both, read a node by cell_from_node(); so both take the same nodes.
 * Hochreiter and Schmidhuber's cell with Gers' forget gate and peepholes, coupled input and forget gate (CIFG), projection (Sak et
 * al. 2014) and layer normalization, each present if its weights are. All failures are ST_BAD_MODEL, with the input's number,
 * unless said otherwise. */
#pragma once

#include "lib/graph/kernel.h"

enum cell_gate { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };

/* How a sequence is walked. Time-major data has all batches of a time beside each other, so they make one step; else each batch
 * walks through its own times: [time,batch,n] = [3,2,n] is 3 steps of 2 vectors, [batch,time,n] = [2,3,n] 6 steps of one, first the
 * three of batch 0. `backward` walks from the last time to the first. */
struct rnn_walk {
    int32_t batch, times;
    bool time_major, backward;
};

/* Tensors that are absent are NULL. Weights are FLOAT32, or INT8 or UINT8 (which TFLite takes for INT8 here), all alike; biases and
 * norms are FLOAT32. Integer LSTMs have options alone. */
struct cell {
    bool lstm;       /* else y = activation(sum), and GATE_CELL is the only gate */
    bool two, merge; /* the node has a cell for each direction; their outputs stand side by side in output 0 */
    bool diagonal;   /* recurrent weights are diagonals, FLOAT32[n_cell] */
    bool asymmetric; /* quantization of the factors of 8-bit weights */
    enum activation activation;
    float cell_clip, projection_clip; /* 0: none */
    struct rnn_walk walk;             /* of operators without time: one time */

    uint32_t x, x_aux;                 /* inputs of the node; x_aux 0: there is no second input */
    uint32_t output_state, cell_state; /* likewise: variables [batch,n_output] and, of an LSTM, [batch,n_cell] */
    int32_t n_input, n_aux, n_cell, n_output;
    const struct tensor *input[GATES];              /* [n_cell,n_input]; that of GATE_INPUT is absent for CIFG */
    const struct tensor *aux[GATES];                /* [n_cell,n_aux] */
    const struct tensor *recurrent[GATES];          /* [n_cell,n_output], or [n_cell] if diagonal */
    const struct tensor *peephole[GATES];           /* [n_cell]; GATE_CELL has none */
    const struct tensor *bias[GATES], *norm[GATES]; /* [n_cell] */
    const struct tensor *projection;                /* [n_output,n_cell] */
    const struct tensor *projection_bias;           /* [n_output] */
};

/* Return the options of a node, its walk and x. */
struct cell cell_options(const struct node *n);

/* Read and check the cell of one direction, its states too; the shapes of outputs have been checked. */
enum status cell_from_node(const struct node *n, bool backward, struct cell *out, struct err *err);

/* Return true if weights have 8 bits. */
static inline bool cell_is_hybrid(const struct cell *c)
{
    return c->input[GATE_CELL]->type != TYPE_FLOAT32;
}

/* Return true if input and forget gate are one. */
static inline bool cell_is_coupled(const struct cell *c)
{
    return !c->input[GATE_INPUT];
}

/* Store input i, weights of that shape, in *out; NULL if it is omitted. rows < 0: a vector of `cols`. */
enum status cell_weights(const struct node *n, uint32_t i, int32_t rows, int32_t cols, const struct tensor **out, struct err *err);

/* Store input i, a FLOAT32[cols], in *out; NULL if it is omitted. */
enum status cell_vector(const struct node *n, uint32_t i, int32_t cols, const struct tensor **out, struct err *err);

/* Fails unless input i is a variable tensor of that type with batch * units elements in all, whatever its shape. */
enum status cell_check_state(const struct node *n, uint32_t i, enum tensor_type type, int32_t batch, int32_t units,
                             struct err *err);

/* Set the shapes of the outputs of a node with two directions, whose cells put out that many. */
enum status cell_shape_two(struct node *n, int32_t forward, int32_t backward, struct err *err);

/* A step: the batches that run at once, at one time. */
struct rnn_step {
    int32_t first, batch; /* the batches of this step */
    size_t row;           /* their begin, counted in vectors, in inputs and outputs */
};

/* Return the number of steps of the walk. */
static inline size_t rnn_steps(const struct rnn_walk *w)
{
    return w->batch > 0 ? (size_t)w->times * (size_t)(w->time_major ? 1 : w->batch) : 0;
}

/* Step i < rnn_steps, in the order in which the state passes through them. */
static inline struct rnn_step rnn_step_at(const struct rnn_walk *w, size_t i)
{
    size_t times = (size_t)w->times, batch = i / times, at = i % times, time = w->backward ? times - 1 - at : at;

    if (w->time_major)
        return (struct rnn_step){0, w->batch, time * (size_t)w->batch};
    return (struct rnn_step){(int32_t)batch, 1, batch * times + time};
}
