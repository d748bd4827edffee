/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.h - runs a row function over tensors that broadcast into one output by numpy's rules.
 *
 * Neighbouring dimensions along which every input either advances or repeats are merged first, so that the common cases (same
 * shape, a scalar, one value per channel) are a few long rows. Rows are cut and shared between threads; each element is computed on
 * its own, so the cut does not change the result. */
#pragma once

#include "kernels_cpu/common/broadcast_row.h"
#include "lib/graph/kernel.h"

/* Run `row` over output 0 of the node with its first n_in inputs, whose shapes broadcast to the output's. Element types have whole
 * bytes. CPU_REFERENCE runs broadcast_run_plain instead. */
void broadcast_run(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg);

/* cpu_kernel.shape of binary operators: call shape_binary, after setting output 0 to the type of input 0 whatever the file says.
 * Some files say FLOAT32 although the inputs are quantized; TFLite corrects them silently, too. */
enum status broadcast_shape(struct node *n, struct err *err);

/* The head of c->packed: the row function that prepare chose. The operator's own data follows; the row function gets the whole as
 * `arg`. */
struct broadcast_plan {
    broadcast_row row;
};

/* Allocate c->packed with `bytes` bytes (a struct that begins with a broadcast_plan) and store the row function in it. Fails as
 * cpu_pack. */
enum status broadcast_plan(struct cpu_call *c, broadcast_row row, size_t bytes, struct err *err);

/* cpu_kernel.prepare of operators that choose the row function by the type of input 0 alone: store row[type], after checking that
 * both inputs have that type and output 0 the type `out` (TYPE_NONE: the inputs' type). Fails with ST_BAD_MODEL if types differ, as
 * cpu_bad_type if row[type] is NULL. */
enum status broadcast_plan_rows(struct cpu_call *c, const broadcast_row row[TYPE_COUNT], enum tensor_type out, struct err *err);

/* Check types as broadcast_plan_rows does, but accept any type of the inputs. Fails with ST_BAD_MODEL. */
enum status broadcast_types(const struct node *n, enum tensor_type out, struct err *err);

/* cpu_kernel.run of two inputs: run the row function in c->packed. */
enum status broadcast_plan_run(struct cpu_call *c, struct err *err);
