/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_int8.h - the integer LSTM whose gates are sums of 8 bits: its numbers, and its computations in floats. */
#ifndef DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_INT8_H
#define DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_INT8_H

#include "kernels_cpu/recurrent/lstm_int.h"

enum { LSTM_INT8_INTERMEDIATES = 12 }; /* of each gate: the sum, the input's product, the state's product */

/* w [rows, cols] times a vector less its zero point, to 8 bits with a scale and zero point of its own. */
struct lstm_int8_product {
    const int8_t *w;
    int32_t cols, x_zero;
    struct fixed_mul scale, to_sum; /* of the 8 bits; from them to the gate's sum */
    int8_t zero;
};

struct lstm_int8_gate {
    struct lstm_int8_product input, recurrent;
    const int16_t *norm;
    const int32_t *bias;
    float norm_scale;
};

struct lstm_int8_cell {
    int32_t batch, n_input, n_cell, n_output;
    struct lstm_int8_gate gate[GATES]; /* but GATE_INPUT */
    const int8_t *projection;
    const int32_t *projection_bias;
    struct fixed_mul projection_scale;
    int32_t output_zero;
    int16_t cell_clip;
    int8_t projection_clip;
};

/* Fails as the CPU's prepare does. */
enum status lstm_int8_cell(const struct node *n, struct lstm_int8_cell *out, struct err *err);

/* A normalized sum's bias has that scale. */
float lstm_int8_bias_scale(const struct lstm_int8_gate *g);

/* Of a gate before its activation, 12 fractional bits; to 15 of them. */
int16_t lstm_int8_logistic(int16_t x);
int16_t lstm_int8_tanh(int16_t x);

/* Of the cell state, 15 fractional bits; to as many. */
int16_t lstm_int8_tanh_of_state(int16_t x);

#endif
