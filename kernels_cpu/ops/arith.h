/* SPDX-License-Identifier: Apache-2.0 */
/* arith.h - the quantized halves of ADD, SUB, MUL and DIV. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_ARITH_H
#define DELEGAUGE_KERNELS_CPU_OPS_ARITH_H

#include "../common/broadcast.h"

/* Whether the node's output is of a type that these functions serve. */
bool arith_is_quantized(const struct node *n);

/* Prepare functions; run them with broadcast_plan_run. `pot` asks for ADD's and SUB's older 16-bit arithmetic, which works by
 * shifts where all scales are powers of two. */
enum status arith_prepare_sum(struct cpu_call *c, enum activation act, bool pot, struct err *err);
enum status arith_prepare_mul(struct cpu_call *c, enum activation act, struct err *err);
enum status arith_prepare_div(struct cpu_call *c, enum activation act, struct err *err);

#endif
