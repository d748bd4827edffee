/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.h - how the LSTM operators divide their work: by form and by type.
 *
 * lstm.c checks the shapes and chooses an implementation: BASIC by type of input 0, FULL by type and, of INT8, by the number of
 * intermediate tensors, which is how TFLite tells its two integer forms apart. All see the same node. */
#ifndef DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_H
#define DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_H

#include "lib/graph/kernel.h"

/* Inputs of LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM; the weights lie between. */
enum { LSTM_X, LSTM_FORGET_WEIGHTS = 2, LSTM_FORGET_RECURRENT = 6, LSTM_OUTPUT_STATE = 18, LSTM_CELL_STATE = 19, LSTM_NORM = 20 };

/* The options of both operators. Clips of 0 are none. */
struct lstm_params {
    enum activation activation;
    float cell_clip, proj_clip;
    bool time_major, asymmetric;
};

/* Of LSTM, time_major is true: it runs one step. */
struct lstm_params lstm_params(const struct node *n);

/* One combination of types. prepare checks the node, fills c->packed, whose first member must be this pointer, and asks for
 * scratch; run computes all steps and leaves the states in the node's variable tensors. */
struct lstm_impl {
    enum status (*prepare)(struct cpu_call *c, struct err *err);
    void (*run)(struct cpu_call *c);
};

extern const struct lstm_impl lstm_float; /* float and hybrid */
extern const struct lstm_impl lstm_int;   /* 8-bit activations and weights, 16-bit gates */
extern const struct lstm_impl lstm_int8;  /* the same with 8-bit sums in the gates: LSTM with 12 intermediate tensors */
/* LSTM with kernel_type BASIC: one weight matrix for all gates, states as inputs and outputs. */
extern const struct lstm_impl lstm_basic_f32, lstm_basic_u8;

/* Shape function of that form. */
enum status lstm_basic_shape(struct node *n, struct err *err);

#endif
