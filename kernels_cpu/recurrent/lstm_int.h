/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_int.h - what the two integer LSTMs share. */
#ifndef DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_INT_H
#define DELEGAUGE_KERNELS_CPU_RECURRENT_LSTM_INT_H

#include "lstm.h"

enum { GATE_INPUT, GATE_FORGET, GATE_CELL, GATE_OUTPUT, GATES };

/* Inputs between the weights and the states. */
enum { LSTM_PEEPHOLE = 9, LSTM_BIAS = 12, LSTM_PROJECTION = 16, LSTM_PROJECTION_BIAS = 17 };

/* *out = the content of input i, a constant of that type and shape (cols < 0: a vector [rows]), borrowed, or NULL where it is
 * omitted. ST_BAD_MODEL for another type or shape and for weights without a scale, ST_UNSUPPORTED where it is computed at run
 * time. */
enum status lstm_int_constant(const struct node *n, uint32_t i, enum tensor_type type, int32_t rows, int32_t cols, const void **out,
                              struct err *err);

/* state = forget * state + input * cell, saturating, for n cells whose state has the scale 2^log2; gates have 15 fractional bits.
 * input NULL: 1 - forget. clip, in steps of the state: 0 for none. Source: TFLite's UpdateLstmCellInteger. */
void lstm_int_update(size_t n, const int16_t *input, const int16_t *forget, const int16_t *cell, int log2, int16_t clip,
                     int16_t *state);

#endif
