/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner.c - greedy offset assignment, first by size, then again with what stuck out at the front. */
#include "memory_planner.h"

#include <stdlib.h>
#include <string.h>

/* Passes stop where nothing can be gained, and here: most need one, and each takes n * n / 2 steps. */
#define MAX_PASSES 64
#define MAX_STEPS  (1u << 23)

static int by_size(const void *a, const void *b)
{
    const struct memory_use *x = *(struct memory_use *const *)a, *y = *(struct memory_use *const *)b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first) : (x > y) - (x < y);
}

/* The offset for `v` among placed[n], which are sorted by offset: the smallest gap that holds it, else behind all. */
static uint64_t best_gap(const struct memory_use *v, uint64_t size, struct memory_use *const *placed, uint32_t n, uint64_t align)
{
    uint64_t end = 0, best = 0, best_size = UINT64_MAX;

    for (uint32_t i = 0; i < n; i++) {
        const struct memory_use *p = placed[i];

        if (p->last < v->first || v->last < p->first)
            continue;
        if (p->offset >= end + size && p->offset - end < best_size) {
            best_size = p->offset - end;
            best = end;
        }
        if (p->offset + p->bytes > end)
            end = (p->offset + p->bytes + align - 1) & ~(align - 1);
    }
    return best_size == UINT64_MAX ? end : best;
}

/* Sum alive at the busiest step, by a sweep over the steps. */
static uint64_t lower_bound(const struct memory_use *v, uint32_t n, uint64_t align, int64_t *change, uint32_t steps)
{
    uint64_t alive = 0, most = 0;

    for (uint32_t i = 0; i < n; i++) {
        int64_t size = (int64_t)((v[i].bytes + align - 1) & ~(align - 1));

        change[v[i].first] += size;
        change[v[i].last + 1] -= size;
    }
    for (uint32_t s = 0; s < steps; s++) {
        alive += (uint64_t)change[s];
        if (alive > most)
            most = alive;
    }
    return most;
}

/* Places todo[n] one after the other; returns the size of the block. */
static uint64_t place_in_order(struct memory_use *const *todo, uint32_t n, uint64_t align, struct memory_use **placed)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct memory_use *p = todo[i];
        uint64_t size = (p->bytes + align - 1) & ~(align - 1);
        uint32_t at = i;

        p->offset = best_gap(p, size, placed, i, align);
        for (; at && placed[at - 1]->offset > p->offset; at--)
            placed[at] = placed[at - 1];
        placed[at] = p;
        if (p->offset + size > bytes)
            bytes = p->offset + size;
    }
    return bytes;
}

/* Moves the values that end where the block does to the front of todo[n], all in their order. */
static void top_first(struct memory_use **todo, uint32_t n, uint64_t align, uint64_t bytes, struct memory_use **scratch)
{
    uint32_t top = 0, rest = 0;

    for (uint32_t i = 0; i < n; i++)
        if (todo[i]->offset + ((todo[i]->bytes + align - 1) & ~(align - 1)) < bytes)
            scratch[rest++] = todo[i];
        else
            todo[top++] = todo[i];
    if (rest)
        memcpy(todo + top, scratch, rest * sizeof *todo);
}

/* Tries orders until one reaches `least`; the offsets are those of the best, whose size is returned. */
static uint64_t place_best(struct memory_use *v, struct memory_use **todo, uint32_t n, uint64_t align, uint64_t least,
                           struct memory_use **placed, uint64_t *kept)
{
    uint64_t best = UINT64_MAX, passes = MAX_STEPS / ((uint64_t)n * n + 1) + 1;

    for (uint64_t pass = 0; pass < passes && pass < MAX_PASSES && best > least; pass++) {
        uint64_t bytes = place_in_order(todo, n, align, placed);

        for (uint32_t i = 0; i < n && bytes < best; i++)
            kept[i] = v[i].offset;
        best = bytes < best ? bytes : best;
        top_first(todo, n, align, bytes, placed);
    }
    for (uint32_t i = 0; i < n; i++)
        v[i].offset = kept[i];
    return best;
}

enum status memory_plan(struct memory_use *v, uint32_t n, uint64_t align, struct arena *scratch, struct memory_total *total,
                        struct err *err)
{
    struct memory_use **todo = ARENA_ARRAY(scratch, n, struct memory_use *),
                      **placed = ARENA_ARRAY(scratch, n, struct memory_use *);
    uint64_t *kept = ARENA_ARRAY(scratch, n, uint64_t);
    uint32_t steps = 0;
    int64_t *change;

    *total = (struct memory_total){0};
    for (uint32_t i = 0; i < n; i++)
        if (v[i].last + 2 > steps)
            steps = v[i].last + 2;
    change = ARENA_ARRAY(scratch, steps, int64_t);
    if (!todo || !placed || !kept || !change)
        return err_set(err, ST_NOMEM, "out of memory for placing %u tensors", n);
    total->lower_bound = lower_bound(v, n, align, change, steps);
    for (uint32_t i = 0; i < n; i++) {
        todo[i] = &v[i];
        total->unshared += (v[i].bytes + align - 1) & ~(align - 1);
    }
    qsort(todo, n, sizeof *todo, by_size);
    total->bytes = place_best(v, todo, n, align, total->lower_bound, placed, kept);
    return ST_OK;
}
