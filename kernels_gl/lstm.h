/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.h - the full LSTM cell of a node, as LSTM shares it with the sequence LSTMs. */
#ifndef DELEGAUGE_KERNELS_GL_LSTM_H
#define DELEGAUGE_KERNELS_GL_LSTM_H

#include "../lib/gl/kernel.h"

/* LSTM with kernel_type FULL: gl_kernel.accept and .lower. */
bool lstm_accept_full(const struct node *n, struct reason *why);
enum status lstm_lower_full(struct ir *ir, const struct node *n, struct err *err);

#endif
