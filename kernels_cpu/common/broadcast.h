/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.h - runs a row function over tensors that broadcast into one output, numpy fashion.
 *
 * Dimensions that all inputs walk alike are merged first, so that the common cases (same shape, a scalar, one value per
 * channel) are a few long rows. Rows are cut and shared between threads; each element is computed on its own, so the cut
 * never shows in the result. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_H
#define DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_H

#include "kernels_cpu/common/broadcast_row.h"
#include "lib/graph/kernel.h"

/* Runs `row` over output 0 of the node with its first n_in inputs, whose shapes broadcast into the output's. Element types
 * have whole bytes. CPU_REFERENCE walks as broadcast_plain.h says. */
void broadcast_run(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg);

/* shape_binary for ops whose output takes the type of the inputs whatever the file says: some files say FLOAT32 although the inputs
 * are quantized, and TFLite corrects them silently, too. */
enum status broadcast_shape(struct node *n, struct err *err);

/* The head of c->packed: the row function that prepare chose. The rest is the op's own; the row function gets the whole as
 * `arg`. */
struct broadcast_plan {
    broadcast_row row;
};

/* Makes c->packed `bytes` long (a struct that begins with a broadcast_plan) and stores the row function in it. */
enum status broadcast_plan(struct cpu_call *c, broadcast_row row, size_t bytes, struct err *err);

/* A prepare function for ops whose type of input 0 alone says which row function to take: both inputs must have that type, output 0
 * the type `out` (TYPE_NONE: that of the inputs). */
enum status broadcast_plan_rows(struct cpu_call *c, const broadcast_row row[TYPE_COUNT], enum tensor_type out, struct err *err);

/* Only the checks on the inputs' and the output's types. */
enum status broadcast_types(const struct node *n, enum tensor_type out, struct err *err);

/* A run function for two inputs. */
enum status broadcast_plan_run(struct cpu_call *c, struct err *err);

#endif
