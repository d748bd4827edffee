/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_int8.h - the integer LSTM whose gates are sums of 8 bits: its computations in floats. */
#pragma once

#include "kernels_cpu/recurrent/lstm_int.h"

/* lstm_int_cell() of a node for which lstm_has_int8_sums(). */
enum status lstm_int8_cell(const struct node *n, struct lstm_int_cell *out, struct err *err);

/* A normalized sum's bias has that scale. */
float lstm_int8_bias_scale(const struct lstm_int_gate *g);

/* Of a gate before its activation, 12 fractional bits; to 15 of them. */
int16_t lstm_int8_logistic(int16_t x);
int16_t lstm_int8_tanh(int16_t x);

/* Of the cell state, 15 fractional bits; to as many. */
int16_t lstm_int8_tanh_of_state(int16_t x);
