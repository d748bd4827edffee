/* SPDX-License-Identifier: Apache-2.0 */
/* float_cell.h - RNN and LSTM of floats, with weights of floats or of 8 bits ("hybrid"), in either direction. */
#pragma once

#include "kernels_cpu/recurrent/cell.h"

/* cpu_kernel.prepare and .compute of a node that cell_from_node() reads. */
enum status float_cell_prepare(struct cpu_call *c, struct err *err);
void float_cell_run(struct cpu_call *c);
