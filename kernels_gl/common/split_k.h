/* SPDX-License-Identifier: Apache-2.0 */
/* split_k.h - splits an invocation's long loop into parts that run in parallel, and joins their results by a second operation.
 *
 * The split is necessary if the loop is longer than the device allows, and faster if few invocations run long loops. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Return true if a loop of `steps` can be split into fewer parts than steps. */
bool split_k_fits(uint64_t steps);

/* Return true if a loop of `steps` in each of `invocations` should be split: its `passes` (gl_passes) exceed the device's limit, or
 * it is long and invocations are few. */
bool split_k_pays(uint64_t steps, uint64_t passes, uint64_t invocations, const struct gl_limits *lim);

/* Return the most steps of a part: at least 1, and fewer than `steps` if that is more than 1. The length and the number of parts
 * are far below any device's limit, for any `steps` of a value. */
int32_t split_k_length(uint64_t steps, uint64_t invocations);

/* Return the number of parts of that length in n steps. */
static inline int32_t split_k_count(int32_t n, int32_t length)
{
    return n / length + (n % length != 0);
}

/* Return extent * parts; INT32_MAX, which fits no device, if that overflows. */
int32_t split_k_extent(int32_t extent, int32_t parts);

/* Shorten nested loops n[depth], in the order of `order`, until the product of their lengths is at most `steps`. */
void split_k_shorten(int32_t *n, const int *order, size_t depth, uint64_t steps);

/* ---- elements that are taken one after the other ---- */

/* The head of `attr` of an operation that takes elements first to end - 1 in order and continues from the result in in[before];
 * without that input it starts anew. A dispatch of `most` elements is too short for a device's watchdog. */
struct turns {
    int32_t first, end, most;
    uint32_t before;
};

/* turns_are_many and turns_take: gl_variant.fits and .expand of a variant that takes the elements in several dispatches.
 * turns_are_over: .fits of variants that take all in one. */
bool turns_are_many(const struct ir_op *op, const struct gl_limits *lim);
bool turns_take(struct ir *ir, const struct ir_op *op);
bool turns_are_over(const struct ir_op *op, const struct gl_limits *lim);

/* gl_variant.iterations of such a variant: its elements, for each of the four lanes. */
uint64_t turns_passes(const struct ir_op *op);

/* ---- sums over a window and the slices of the input: three nested loops ---- */

/* The split of these loops. Part k of `n` is batch b * n + k of an output with n times the batches. */
struct split_k {
    int32_t length[3], count[3], n; /* passes of each loop in one part, parts of each loop, their product; n = 0: not split */
};

/* Return the passes (gl_passes) of one part, or of the whole loops if they are not split. */
uint64_t split_k_passes(const struct split_k *parts, const int32_t loops[3]);

/* Return true if loops of these lengths, not split so far, can be split; and if they should be. */
bool split_k_sum_fits(const struct split_k *parts, const int32_t loops[3]);
bool split_k_sum_pays(const struct split_k *parts, const int32_t loops[3], uint64_t invocations, const struct gl_limits *lim);

struct split_k split_k_of_sum(const int32_t loops[3], uint64_t invocations);

/* Define for batch `b` of the output: FIRST_H LAST_H FIRST_W LAST_W FIRST_S LAST_S, the begins and ends of the loops; IMAGE, the
 * batch of the input; ADDS_BIAS, true in one part only. `ends` are the ends of the loops without a split. */
void split_k_define(struct gl_shader *p, const struct split_k *parts, const char *const ends[3]);

/* Replace `op` by one of its kind with attributes attr[bytes], which contain *parts, that computes partial sums, and an operation
 * that adds them up to the result of `op`. False if memory runs out. */
bool split_k_apply(struct ir *ir, const struct ir_op *op, const void *attr, size_t bytes, const struct split_k *parts);

/* Lengths of an operation's three loops without a split: window rows, window columns, slices. */
struct sum_loops {
    int32_t n[3];
};

/* Define functions for the variants of a kind of such sums, from `struct type_`, its attributes with a member `parts`, and a
 * function `loops` that returns an operation's struct sum_loops: `can_split` (fits), `is_long` (pays) and `split` (expand) of the
 * variant that splits, `iterations` of the others. */
#define SUM_VARIANTS(type_)                                                                                                        \
    static uint64_t iterations(const struct ir_op *op)                                                                             \
    {                                                                                                                              \
        return split_k_passes(&((const struct type_ *)op->attr)->parts, loops(op).n);                                              \
    }                                                                                                                              \
                                                                                                                                   \
    static bool can_split(const struct ir_op *op, const struct gl_limits *lim)                                                     \
    {                                                                                                                              \
        (void)lim;                                                                                                                 \
        return split_k_sum_fits(&((const struct type_ *)op->attr)->parts, loops(op).n);                                            \
    }                                                                                                                              \
                                                                                                                                   \
    static bool is_long(const struct ir_op *op, const struct gl_limits *lim)                                                       \
    {                                                                                                                              \
        return split_k_sum_pays(&((const struct type_ *)op->attr)->parts, loops(op).n, ir_vectors(op->out->shape), lim);           \
    }                                                                                                                              \
                                                                                                                                   \
    static bool split(struct ir *ir, const struct ir_op *op)                                                                       \
    {                                                                                                                              \
        struct type_ cut = *(const struct type_ *)op->attr;                                                                        \
                                                                                                                                   \
        cut.parts = split_k_of_sum(loops(op).n, ir_vectors(op->out->shape));                                                       \
        return split_k_apply(ir, op, &cut, sizeof cut, &cut.parts);                                                                \
    }
