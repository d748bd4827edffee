/* SPDX-License-Identifier: Apache-2.0 */
/* control.h - parts of whole models that the cases of subgraphs and of resource variables share. */
#ifndef DELEGAUGE_BENCH_CASES_CONTROL_H
#define DELEGAUGE_BENCH_CASES_CONTROL_H

#include "bench/models/builder.h"
#include "bench/opcheck/opcheck.h"

/* Elements of control_vec(). */
#define LEN 5

/* A FLOAT32 tensor [LEN]; a scalar. Both not constant, in the subgraph being built. */
int32_t control_vec(struct builder *b, const char *name);
int32_t control_scalar(struct builder *b, const char *name, enum tensor_type type);

/* The rest of a model whose input is tensor x: a variable of that name, [LEN] as the file says, that CALL_ONCE fills with `start` and
 * every run adds x to; the output is the variable. */
void control_sum(struct builder *b, const char *name, int32_t x, float start);

/* A model x -> y with a variable that CALL_ONCE sets to 0.5 and every run adds x to; y is the variable. */
void control_counter(struct builder *b);

#endif
