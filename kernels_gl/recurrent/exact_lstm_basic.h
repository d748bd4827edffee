/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm_basic.h - the older, basic form of LSTM in integers, as kernels_cpu/recurrent/lstm_basic.c has it. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_LSTM_BASIC_H
#define DELEGAUGE_KERNELS_GL_EXACT_LSTM_BASIC_H

#include "lib/gl/ir/kernel.h"

/* gl_kernel.accept and .lower of a node whose kernel_type is BASIC. */
bool exact_lstm_basic_accept(const struct gl_limits *lim, const struct node *n, struct reason *why);
enum status exact_lstm_basic_lower(struct ir *ir, const struct node *n, struct err *err);

#endif
