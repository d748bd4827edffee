/* SPDX-License-Identifier: Apache-2.0 */
/* split_k.h - how the long loop of one invocation is cut into parts that run beside each other, a second operation joining them.
 *
 * Where the loop is longer than the device allows it must be; where few invocations make long loops it is faster. */
#ifndef DELEGAUGE_KERNELS_GL_PARTS_H
#define DELEGAUGE_KERNELS_GL_PARTS_H

#include "lib/gl/ir/kernel.h"

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

/* ---- elements that are to be taken one after the other ---- */

/* What `attr` begins with, of an operation that takes the elements first to end - 1 from what in[before] holds on; where it has no
 * such input it begins anew. So many are quick enough not to be noticed by a device that watches: `most` of one dispatch. */
struct turns {
    int32_t first, end, most;
    uint32_t before;
};

/* gl_variant.fits of a variant that is to take them in turns, and its expand; and of the others. */
bool turns_are_many(const struct ir_op *op, const struct gl_limits *lim);
bool turns_take(struct ir *ir, const struct ir_op *op);
bool turns_are_over(const struct ir_op *op, const struct gl_limits *lim);

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

/* Puts in the place of `op` one of its kind with attributes attr[bytes], in which `parts` lies, that makes the partial sums, and
 * one that adds them up to what `op` computes. False: out of memory. */
bool parts_split(struct ir *ir, const struct ir_op *op, const void *attr, size_t bytes, const struct parts *parts);

/* How often the three loops of an operation run where nothing is cut: over the rows of its window, the columns, the slices. */
struct sum_loops {
    int32_t n[3];
};

/* Defines what the variants of a kind of such sums share, from `struct type_`, its attributes with a member `parts`, and a function
 * `loops`, struct sum_loops of an operation: of the variant that splits it `can_split` (fits), `is_long` (pays) and `split`
 * (expand); of the others `iterations`. */
#define SUM_VARIANTS(type_)                                                                                                        \
    static uint64_t iterations(const struct ir_op *op)                                                                             \
    {                                                                                                                              \
        return parts_passes(&((const struct type_ *)op->attr)->parts, loops(op).n);                                                \
    }                                                                                                                              \
                                                                                                                                   \
    static bool can_split(const struct ir_op *op, const struct gl_limits *lim)                                                     \
    {                                                                                                                              \
        (void)lim;                                                                                                                 \
        return parts_of_sum_fit(&((const struct type_ *)op->attr)->parts, loops(op).n);                                            \
    }                                                                                                                              \
                                                                                                                                   \
    static bool is_long(const struct ir_op *op, const struct gl_limits *lim)                                                       \
    {                                                                                                                              \
        return parts_of_sum_pay(&((const struct type_ *)op->attr)->parts, loops(op).n, ir_vectors(op->out->shape), lim);           \
    }                                                                                                                              \
                                                                                                                                   \
    static bool split(struct ir *ir, const struct ir_op *op)                                                                       \
    {                                                                                                                              \
        struct type_ cut = *(const struct type_ *)op->attr;                                                                        \
                                                                                                                                   \
        cut.parts = parts_of_sum(loops(op).n, ir_vectors(op->out->shape));                                                         \
        return parts_split(ir, op, &cut, sizeof cut, &cut.parts);                                                                  \
    }

#endif
