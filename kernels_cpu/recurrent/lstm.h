/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.h - implementations of the LSTM operators with one direction, by form and by type.
 *
 * lstm.c checks the shapes and chooses an implementation: BASIC by type of input 0, FULL by type and, of INT8, by the number of
 * intermediate tensors, which is how TFLite tells its two integer forms apart. All see the same node. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"
#include "lib/graph/kernel.h"

/* Inputs of LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM; the weights lie between. */
enum { LSTM_X, LSTM_FORGET_WEIGHTS = 2, LSTM_FORGET_RECURRENT = 6, LSTM_OUTPUT_STATE = 18, LSTM_CELL_STATE = 19, LSTM_NORM = 20 };

/* Intermediate tensors of an LSTM with 8-bit sums: of each gate the sum, the input's product, the state's product. */
enum { LSTM_INT8_INTERMEDIATES = 12 };

/* Return true if the gates of an integer node are sums of 8 bits. */
static inline bool lstm_has_int8_sums(const struct node *n)
{
    return n->builtin == BUILTIN_LSTM && n->n_mid >= LSTM_INT8_INTERMEDIATES;
}

/* One combination of types. prepare checks the node, fills c->packed and asks for scratch; compute takes all steps and leaves the
 * states in the node's variable tensors. */
struct lstm_impl {
    enum status (*prepare)(struct cpu_call *c, struct err *err);
    void (*compute)(struct cpu_call *c);
};

extern const struct lstm_impl lstm_int;  /* 8-bit activations and weights, 16-bit gates */
extern const struct lstm_impl lstm_int8; /* the same with 8-bit sums in the gates: LSTM with 12 intermediate tensors */
/* LSTM with kernel_type BASIC: one weight matrix for all gates, states as inputs and outputs. */
extern const struct lstm_impl lstm_basic_f32, lstm_basic_u8;

/* Shape function of that form, and its inputs and outputs. */
enum status lstm_basic_shape(struct node *n, struct err *err);
enum { BASIC_X, BASIC_ACTIVATION, BASIC_WEIGHTS, BASIC_BIAS, BASIC_STATE, BASIC_N_IN };
enum { BASIC_NEW_ACTIVATION, BASIC_NEW_STATE, BASIC_JOINED, BASIC_GATES, BASIC_N_OUT };

/* Its numbers of UINT8. */
struct lstm_basic {
    struct fixed_mul to_gate; /* from sums to 3 integer bits */
    int32_t weights_zero;
};

/* Check a node of that form, of floats or UINT8, and fill *out. */
enum status lstm_basic_from_node(const struct node *n, struct lstm_basic *out, struct err *err);
