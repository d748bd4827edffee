/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm_hybrid.h - LSTM of floats with 8-bit weights, as the CPU has it: their factors are quantized at run time, in every
 * step; sums are of floats, in the CPU's order. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_LSTM_HYBRID_H
#define DELEGAUGE_KERNELS_GL_EXACT_LSTM_HYBRID_H

#include "kernels_gl/recurrent/recurrent.h"

struct lstm_form; /* lstm.h */

/* The node, which lstm_accept_cell() has taken, multiplies floats by 8-bit weights, and integers are computed exactly. */
bool exact_lstm_is_hybrid(const struct ir *ir, const struct node *n, const struct lstm_form *f);

/* Not too many times, and the device does as its shaders say. False: *why. */
bool exact_lstm_hybrid_fits(const struct gl_limits *lim, int32_t times, struct reason *why);

/* LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM whose input is floats: gl_kernel.accept and .lower. */
bool exact_lstm_hybrid_accept(const struct gl_limits *lim, const struct node *n, int32_t times, struct reason *why);
enum status exact_lstm_hybrid_lower_full(struct ir *ir, const struct node *n, struct err *err);

/* As recurrent_lower, of a cell that lstm_read_cell() has read. */
enum status exact_lstm_hybrid_lower(struct ir *ir, const struct node *n, const struct lstm_form *f, const struct cell *cell,
                                    bool asymmetric, const struct recurrent *r, struct err *err);

#endif
