/* SPDX-License-Identifier: Apache-2.0 */
/* control.h - parts of models shared by the cases of control flow and of resource variables. */
#pragma once

#include "bench/models/builder.h"
#include "bench/opcheck/opcheck.h"

/* Length of control_vec(). */
#define LEN 5

/* Add a tensor that is not constant to the current subgraph: FLOAT32 [LEN]; a scalar. */
int32_t control_vec(struct builder *b, const char *name);
int32_t control_scalar(struct builder *b, const char *name, enum tensor_type type);

/* Complete a model whose input is tensor x: a variable `name`, [LEN], that CALL_ONCE fills with `start` and every run adds x to.
 * The output is the variable. */
void control_sum(struct builder *b, const char *name, int32_t x, float start);

/* Build a model x -> y with a variable that CALL_ONCE sets to 0.5 and every run adds x to; y is the variable. */
void control_counter(struct builder *b);

/* ---- the subgraph with which StableHLO's scatter and reduce_window combine two elements ---- */

/* Add a subgraph (a, b) -> op(a, b) on scalars of this type. `op` is an enum builtin, or -1: the subgraph returns b. */
void stablehlo_computation(struct builder *b, enum tensor_type type, int op);
