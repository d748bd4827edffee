/* SPDX-License-Identifier: Apache-2.0 */
/* split_k.h - the cutting of an invocation's long loop into parts that run beside each other, a second operation joining them.
 *
 * The cut is necessary if the loop is longer than the device allows, and faster if few invocations make long loops. */
#ifndef DELEGAUGE_KERNELS_GL_SPLIT_K_H
#define DELEGAUGE_KERNELS_GL_SPLIT_K_H

#include "lib/gl/ir/kernel.h"

/* Return true if a loop of so many steps can be cut into parts that are fewer than the steps. */
bool split_k_fits(uint64_t steps);

/* Return true if `invocations` that make `steps` each should be cut: their `passes` are more than the device allows, or they are
 * long and few. */
bool split_k_pays(uint64_t steps, uint64_t passes, uint64_t invocations, const struct gl_limits *lim);

/* Return the most steps that a part makes: at least 1, fewer than `steps` if that is more than 1. Both the parts and their number
 * are far below what a device allows, whatever `steps` a value can have. */
int32_t split_k_length(uint64_t steps, uint64_t invocations);

/* Return the number of parts of that length. */
static inline int32_t split_k_count(int32_t n, int32_t length)
{
    return n / length + (n % length != 0);
}

/* Return extent * parts; INT32_MAX, which fits no device, if the product is more than that. */
int32_t split_k_extent(int32_t extent, int32_t parts);

/* Cuts loops nested in each other: shortens n[k], in the order in which `order` names them, until no more than `steps` passes are
 * left of the innermost. */
void split_k_shorten(int32_t *n, const int *order, size_t depth, uint64_t steps);

/* ---- elements that are to be taken one after the other ---- */

/* The head of `attr` of an operation that takes the elements first to end - 1 and continues from the result in in[before]; without
 * such an input it begins anew. A dispatch of `most` elements is quick enough not to be noticed by a device that watches. */
struct turns {
    int32_t first, end, most;
    uint32_t before;
};

/* gl_variant.fits of a variant that is to take them in turns, and its expand; and of the others. */
bool turns_are_many(const struct ir_op *op, const struct gl_limits *lim);
bool turns_take(struct ir *ir, const struct ir_op *op);
bool turns_are_over(const struct ir_op *op, const struct gl_limits *lim);

/* ---- sums over a window and the slices of the input: three loops in each other ---- */

/* The cut of these loops. Part k of `n` belongs to batch b * n + k of an output with n times the batches. */
struct split_k {
    int32_t length[3], count[3], n; /* passes of a loop in one part, parts of the loop; n = 0: nothing is cut */
};

/* Return the passes of one part of loops of these lengths. */
uint64_t split_k_passes(const struct split_k *parts, const int32_t loops[3]);

/* Return true if loops of these lengths, none of them in parts so far, can be cut; and if they should be. */
bool split_k_sum_fits(const struct split_k *parts, const int32_t loops[3]);
bool split_k_sum_pays(const struct split_k *parts, const int32_t loops[3], uint64_t invocations, const struct gl_limits *lim);

struct split_k split_k_of_sum(const int32_t loops[3], uint64_t invocations);

/* Defines, for the batch `b` of the output, FIRST_H LAST_H FIRST_W LAST_W FIRST_S LAST_S: the begins and ends of the loops; IMAGE,
 * the batch of the input; ADDS_BIAS, in one part only. `ends` are the ends of the loops if nothing is cut. */
void split_k_define(struct gl_shader *p, const struct split_k *parts, const char *const ends[3]);

/* Puts in the place of `op` one of its kind with attributes attr[bytes], in which `parts` lies, that makes the partial sums, and
 * one that adds them up to the result of `op`. False if memory runs out. */
bool split_k_apply(struct ir *ir, const struct ir_op *op, const void *attr, size_t bytes, const struct split_k *parts);

/* Passes of the three loops of an operation if nothing is cut: over the rows of its window, the columns, the slices. */
struct sum_loops {
    int32_t n[3];
};

/* Defines the functions that the variants of a kind of such sums share, from `struct type_`, its attributes with a member `parts`,
 * and a function `loops`, struct sum_loops of an operation: of the variant that splits it `can_split` (fits), `is_long` (pays) and
 * `split` (expand); of the others `iterations`. */
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

#endif
