/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner.c - greedy-by-size offset assignment. */
#include "memory_planner.h"

#include <stdlib.h>

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

enum status memory_plan(struct memory_use *v, uint32_t n, uint64_t align, struct arena *scratch, struct memory_total *total,
                        struct err *err)
{
    struct memory_use **todo = ARENA_ARRAY(scratch, n, struct memory_use *),
                      **placed = ARENA_ARRAY(scratch, n, struct memory_use *);
    uint32_t steps = 0;
    int64_t *change;

    *total = (struct memory_total){0};
    for (uint32_t i = 0; i < n; i++)
        if (v[i].last + 2 > steps)
            steps = v[i].last + 2;
    change = ARENA_ARRAY(scratch, steps, int64_t);
    if (!todo || !placed || !change)
        return err_set(err, ST_NOMEM, "out of memory for placing %u tensors", n);
    total->lower_bound = lower_bound(v, n, align, change, steps);
    for (uint32_t i = 0; i < n; i++)
        todo[i] = &v[i];
    qsort(todo, n, sizeof *todo, by_size);
    for (uint32_t i = 0; i < n; i++) {
        struct memory_use *p = todo[i];
        uint64_t size = (p->bytes + align - 1) & ~(align - 1);
        uint32_t at = i;

        p->offset = best_gap(p, size, placed, i, align);
        for (; at && placed[at - 1]->offset > p->offset; at--)
            placed[at] = placed[at - 1];
        placed[at] = p;
        total->unshared += size;
        if (p->offset + size > total->bytes)
            total->bytes = p->offset + size;
    }
    return ST_OK;
}
