/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_int.h - what the two integer LSTMs share. */
#ifndef DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_INT_H
#define DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_INT_H

#include "lstm.h"

enum { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };

/* Inputs between the weights and the states. */
enum { LSTM_PEEPHOLE = 9, LSTM_BIAS = 12, LSTM_PROJECTION = 16, LSTM_PROJECTION_BIAS = 17 };

/* Input i as a constant of that type and shape (cols < 0: a vector), or NULL where it is omitted. */
enum status lstm_int_constant(const struct node *n, uint32_t i, enum tensor_type type, int32_t rows, int32_t cols, const void **out,
                              struct err *err);

/* state = forget * state + input * cell, for n cells whose state has the scale 2^log2; gates have 15 fractional bits. input NULL:
 * 1 - forget. clip 0: none. */
void lstm_int_update(size_t n, const int16_t *input, const int16_t *forget, const int16_t *cell, int log2, int16_t clip,
                     int16_t *state);

#endif
