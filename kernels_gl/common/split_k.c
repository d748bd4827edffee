/* SPDX-License-Identifier: Apache-2.0 */
/* split_k.c - see split_k.h */
#include "kernels_gl/common/split_k.h"

#include <stdio.h>

#include "kernels_gl/common/kinds.h"

/* Measured: bench/RESULTS.md. A step of a sum over taps and channels reads nine vectors, one of a reduction one. */
#define LONG     1024 /* steps of a reduction that are worth a dispatch more, */
#define MANY     4096 /* unless so many invocations make them, as which there should be */
#define LONG_SUM 4095 /* likewise of a sum */
#define FEW_SUMS 64
#define FEWEST   4    /* steps that can be cut in parts fewer than they are */
#define LONGEST  8192 /* steps of a part: however they are nested, no device ends loops so soon */

/* Return the least integer whose square is not below n, at most 2^32 - 1. */
static uint64_t root(uint64_t n)
{
    uint64_t low = 0, high = UINT32_MAX;

    while (low < high) {
        uint64_t middle = (low + high) / 2;

        if (middle * middle < n)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int32_t split_k_extent(int32_t extent, int32_t parts)
{
    int32_t all;

    return __builtin_mul_overflow(extent, parts, &all) ? INT32_MAX : all;
}

bool split_k_fits(uint64_t steps)
{
    return steps > FEWEST;
}

bool split_k_pays(uint64_t steps, uint64_t passes, uint64_t invocations, const struct gl_limits *lim)
{
    return passes > gl_most_passes(lim) || (steps > LONG && invocations <= MANY);
}

int32_t split_k_length(uint64_t steps, uint64_t invocations)
{
    uint64_t r = root(steps), parts = MANY / (invocations ? invocations : 1), length;

    /* As many parts as each has steps are the shortest way; fewer where there are invocations enough. */
    if (parts > r)
        parts = r;
    if (parts < 2)
        parts = 2;
    length = (steps + parts - 1) / parts;
    if (length > LONGEST)
        length = LONGEST;
    return length ? (int32_t)length : 1;
}

void split_k_shorten(int32_t *n, const int *order, size_t depth, uint64_t steps)
{
    uint64_t all = 1;

    for (size_t i = 0; i < depth; i++)
        all *= (uint64_t)n[order[i]];
    for (size_t i = 0; i < depth && all > steps; i++) {
        uint64_t others = all / (uint64_t)n[order[i]];

        n[order[i]] = others >= steps ? 1 : (int32_t)(steps / others);
        all = others * (uint64_t)n[order[i]];
    }
}

uint64_t split_k_passes(const struct split_k *parts, const int32_t loops[3])
{
    const int32_t *n = parts->n ? parts->length : loops;

    return GL_PASSES((uint64_t)n[0], (uint64_t)n[1], (uint64_t)n[2]);
}

static uint64_t product(const int32_t n[3])
{
    return (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2];
}

bool split_k_sum_fits(const struct split_k *parts, const int32_t loops[3])
{
    return !parts->n && split_k_fits(product(loops));
}

bool split_k_sum_pays(const struct split_k *parts, const int32_t loops[3], uint64_t invocations, const struct gl_limits *lim)
{
    return split_k_passes(parts, loops) > gl_most_passes(lim) || (product(loops) > LONG_SUM && invocations <= FEW_SUMS);
}

struct split_k split_k_of_sum(const int32_t loops[3], uint64_t invocations)
{
    static const int order[3] = {0, 1, 2};
    struct split_k parts = {.length = {loops[0], loops[1], loops[2]}, .n = 1};

    split_k_shorten(parts.length, order, 3, (uint64_t)split_k_length(product(loops), invocations));
    for (int i = 0; i < 3; i++) {
        parts.count[i] = split_k_count(loops[i], parts.length[i]);
        parts.n = split_k_extent(parts.n, parts.count[i]);
    }
    return parts;
}

void split_k_define(struct gl_shader *p, const struct split_k *parts, const char *const ends[3])
{
    static const char *const first[3] = {"FIRST_H", "FIRST_W", "FIRST_S"}, *const last[3] = {"LAST_H", "LAST_W", "LAST_S"};
    static const char *const length[3] = {"LENGTH_H", "LENGTH_W", "LENGTH_S"};
    static const char *const begin[3] = {"(b % PARTS / (COUNT_W * COUNT_S) * LENGTH_H)",
                                         "(b % PARTS / COUNT_S % COUNT_W * LENGTH_W)", "(b % COUNT_S * LENGTH_S)"};
    char end[160];

    gl_define_text(p, "IMAGE", parts->n ? "(b / PARTS)" : "b");
    gl_define_text(p, "ADDS_BIAS", parts->n ? "(b % PARTS == 0)" : "true");
    for (int i = 0; i < 3; i++) {
        snprintf(end, sizeof end, "min(%s + %s, %s)", first[i], length[i], ends[i]);
        gl_define_text(p, first[i], parts->n ? begin[i] : "0");
        gl_define_text(p, last[i], parts->n ? end : ends[i]);
        if (parts->n)
            gl_param(p, length[i], parts->length[i]);
    }
    if (!parts->n)
        return;
    GL_PARAMS(p, "PARTS COUNT_W COUNT_S", parts->n, parts->count[1], parts->count[2]);
}

bool split_k_apply(struct ir *ir, const struct ir_op *op, const void *attr, size_t bytes, const struct split_k *parts)
{
    struct ir_shape y = op->out->shape;
    struct ir_value *partial;

    y.b = split_k_extent(y.b, parts->n);
    partial = ir_temp_full(ir, IR_FLOAT, y);
    return ir_op_with(ir, op->kind, op->in, op->n_in, partial, attr, bytes) &&
           ir_hand_over(op, ir_block_sums(ir, partial, (const int32_t[4]){parts->n, 1, 1, 1}, false, op->out));
}

bool turns_are_many(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct turns *t = op->attr;

    (void)lim;
    return t->end - t->first > t->most;
}

bool turns_are_over(const struct ir_op *op, const struct gl_limits *lim)
{
    return !turns_are_many(op, lim);
}

uint64_t turns_passes(const struct ir_op *op)
{
    const struct turns *t = op->attr;

    return GL_PASSES(4, (uint64_t)(t->end - t->first));
}

/* Each turn continues from the result of the turn before. */
bool turns_take(struct ir *ir, const struct ir_op *op)
{
    const struct turns *all = op->attr;
    struct ir_value *in[] = {op->in[0], op->in[1], op->n_in > 2 ? op->in[2] : NULL}, *y;
    struct turns part = *all;
    struct ir_op *turn;

    for (;; part.first = part.end, in[part.before] = y) {
        const bool last = all->end - part.first <= part.most;

        part.end = last ? all->end : part.first + part.most;
        y = last ? op->out : ir_temp_full(ir, op->stores, op->out->shape);
        turn = ir_op_with(ir, op->kind, in, in[2] ? 3 : 2, y, op->attr, op->attr_size);
        if (!turn)
            return false;
        *(struct turns *)turn->attr = part;
        if (last)
            return ir_hand_over(op, turn);
    }
}
