/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm_int8.h - the integer LSTM whose gates are sums of 8 bits, as kernels_cpu/recurrent/lstm_int8.c has it. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_LSTM_INT8_H
#define DELEGAUGE_KERNELS_GL_EXACT_LSTM_INT8_H

#include "kernels_cpu/recurrent/lstm_int8.h"
#include "lib/gl/ir/kernel.h"

/* gl_kernel.accept and .lower of an LSTM with an INT8 input and that many intermediate tensors. */
bool exact_lstm_int8_accept(const struct node *n, struct reason *why);
enum status exact_lstm_int8_lower(struct ir *ir, const struct node *n, struct err *err);

#endif
