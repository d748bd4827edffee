/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm.h - LSTM of integers, in the two forms that kernels_cpu/recurrent/lstm_int.h describes, to the CPU's bits. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* gl_kernel.accept and .lower of an LSTM whose input is no float. */
bool exact_lstm_accept(const struct node *n, struct reason *why);
enum status exact_lstm_lower(struct ir *ir, const struct node *n, struct err *err);
