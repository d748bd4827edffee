/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - how the long loop of one invocation is cut into parts that run beside each other, a second operation joining them.
 *
 * Where the loop is longer than the device allows it must be; where few invocations make long loops it is faster. */
#ifndef DELEGAUGE_KERNELS_GL_PARTS_H
#define DELEGAUGE_KERNELS_GL_PARTS_H

#include "../lib/gl/kernel.h"

/* A loop of so many steps can be cut into parts that are fewer than they. */
bool parts_fit(uint64_t steps);

/* `invocations` that make `steps` each should be cut: into `passes` they are more than the device allows, or they are long and
 * few. */
bool parts_pay(uint64_t steps, uint64_t passes, uint64_t invocations, const struct gl_limits *lim);

/* How many steps a part makes at most: at least 1, fewer than `steps` where that is more than 1. Both the parts and their number
 * are far below what a device allows, whatever `steps` a value can have. */
int32_t parts_length(uint64_t steps, uint64_t invocations);

/* How many parts of that length there are. */
static inline int32_t parts_count(int32_t n, int32_t length)
{
    return n / length + (n % length != 0);
}

/* So many parts of each of `extent`; INT32_MAX, which fits no device, where they are more than that. */
int32_t parts_extent(int32_t extent, int32_t parts);

/* Cuts loops nested in each other: shortens n[k], in the order in which `order` names them, until no more than `steps` passes are
 * left of the innermost. */
void parts_shorten(int32_t *n, const int *order, size_t depth, uint64_t steps);

/* ---- sums over a window and the slices of the input: three loops in each other ---- */

/* How they are cut. Part k of them, of `n`, belongs to batch b * n + k of an output with n times the batches. */
struct parts {
    int32_t length[3], count[3], n; /* passes of a loop in one part, parts of the loop; n = 0: nothing is cut */
};

/* Passes of one part of loops of these lengths. */
uint64_t parts_passes(const struct parts *parts, const int32_t loops[3]);

/* Loops of these lengths, none of them in parts so far, can be cut; should be. */
bool parts_of_sum_fit(const struct parts *parts, const int32_t loops[3]);
bool parts_of_sum_pay(const struct parts *parts, const int32_t loops[3], uint64_t invocations, const struct gl_limits *lim);

struct parts parts_of_sum(const int32_t loops[3], uint64_t invocations);

/* Defines, for the batch `b` of the output, FIRST_H LAST_H FIRST_W LAST_W FIRST_S LAST_S: where the loops begin and end; IMAGE, the
 * batch of the input; ADDS_BIAS, in one part only. `ends` is what the loops end at where nothing is cut. */
void parts_define(struct gl_shader *p, const struct parts *parts, const char *const ends[3]);

/* A value for the partial sums of `y` in so many parts, and the operation that adds them up to what `op` computes. */
struct ir_value *parts_temp(struct ir *ir, struct ir_shape y, const struct parts *parts);
bool parts_join(struct ir *ir, const struct ir_op *op, struct ir_value *partial, const struct parts *parts);

#endif
