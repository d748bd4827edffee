/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent.h - the tensors as matrices and the walk through time that float and hybrid recurrent kernels share.
 *
 * For RNN, SVDF, the LSTMs and their sequence and bidirectional forms. A kernel's prepare reads its weights with the functions
 * below, which check shape and type; its run walks: for each step the products (rnn_products.h), the cell's own arithmetic, the
 * state in its variable tensor, and rnn_store. All failures are ST_BAD_MODEL, with the input's number, unless said otherwise. */
#ifndef DELEGAUGE_KERNELS_CPU_RECURRENT_RECURRENT_H
#define DELEGAUGE_KERNELS_CPU_RECURRENT_RECURRENT_H

#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/recurrent/rnn_products.h"

/* Give each of `batch` rows of y [batch, n] a copy of bias[n], or zeros if that is NULL: the start of sums. */
void rnn_assign(float *y, const float *bias, int32_t batch, int32_t n);

/* Input i of the node, of that shape, as a weight matrix of FLOAT32, INT8 or UINT8 (which TFLite takes for INT8 here). Its content
 * may be known only while running. rows < 0: a vector of `cols`. Absent if the input is omitted. */
enum status rnn_matrix_from_node(const struct node *n, uint32_t i, int32_t rows, int32_t cols, struct rnn_matrix *out,
                                 struct err *err);

/* Store input i, a FLOAT32[cols], in *out; NULL if it is omitted. */
enum status rnn_vector_from_node(const struct node *n, uint32_t i, int32_t cols, const float **out, struct err *err);

/* Input i, a FLOAT32[rows] (beside 8-bit weights too), as a diagonal matrix. */
enum status rnn_diagonal_from_node(const struct node *n, uint32_t i, int32_t rows, struct rnn_matrix *out, struct err *err);

/* Fails unless input i is a variable tensor of that type with batch * units elements in all, whatever its shape. */
enum status rnn_check_state(const struct node *n, uint32_t i, enum tensor_type type, int32_t batch, int32_t units, struct err *err);

/* How a sequence is walked. Time-major data has all batches of a time beside each other, so they make one step; else each batch
 * walks through its own times: [time,batch,n] = [3,2,n] is 3 steps of 2 vectors, [batch,time,n] = [2,3,n] 6 steps of one, first the
 * three of batch 0. `backward` walks from the last time to the first. */
struct rnn_walk {
    int32_t batch, times;
    bool time_major, backward;
};

/* A step: the batches that run at once, at one time. */
struct rnn_step {
    int32_t first, batch; /* the batches of this step */
    size_t row;           /* their begin, counted in vectors, in inputs and outputs */
};

/* Return the walk over x, [times, batch, n] if time_major, else [batch, times, n]; a matrix [batch, n] is one step. */
struct rnn_walk rnn_walk_over(const struct tensor *x, bool time_major, bool backward);

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

/* Copies a step's result [s->batch, n] into outputs whose rows are `width` wide, from row s->row on; y may point into a row in
 * which two directions stand side by side. */
void rnn_store(float *y, size_t width, const struct rnn_step *s, const float *result, int32_t n);

#endif
