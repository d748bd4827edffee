/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner.c - which values compete for memory, and with which others. */
#include "lib/session/memory_planner.h"
#include "lib/session/memory_search.h"

#include <stdbool.h>

#define MAX_PAIRS (1u << 22)
#define MAX_LOOKS (1u << 8)

/* Sums what is alive at each step and takes the values with bytes. */
static enum status gather(struct memory_planner *p, struct memory_use *v, uint32_t n, uint64_t align, struct memory_total *total,
                          struct err *err)
{
    for (uint32_t i = 0; i < n; i++)
        p->steps = v[i].last + 2 > p->steps ? v[i].last + 2 : p->steps;
    p->alive = ARENA_ARRAY(&p->scratch, p->steps, uint64_t);
    p->v = ARENA_ARRAY(&p->scratch, n, struct memory_value);
    if (!p->alive || !p->v)
        return err_set(err, ST_NOMEM, "out of memory for placing %u tensors", n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t size = (v[i].bytes + align - 1) & ~(align - 1);

        v[i].offset = 0;
        total->unshared += size;
        /* Differences of neighbouring steps first; below zero they wrap around, and come back in the sums. */
        p->alive[v[i].first] += size;
        p->alive[v[i].last + 1] -= size;
        if (size)
            p->v[p->n++] = (struct memory_value){.size = size, .first = v[i].first, .last = v[i].last, .use = &v[i]};
    }
    for (uint32_t s = 0; s < p->steps; s++) {
        p->alive[s] += s ? p->alive[s - 1] : 0;
        total->lower_bound = p->alive[s] > total->lower_bound ? p->alive[s] : total->lower_bound;
    }
    return ST_OK;
}

/* A value that lives together with all others may be at the bottom of every packing: what was below it moves up by its size. So
 * those get their places here; returns their bytes. All of them are alive at the busiest step, as intervals of which any two meet
 * have a point in common. */
static uint64_t place_bottom(struct memory_planner *p)
{
    uint32_t first_end = UINT32_MAX, last_start = 0, n = 0;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        first_end = p->v[i].last < first_end ? p->v[i].last : first_end;
        last_start = p->v[i].first > last_start ? p->v[i].first : last_start;
    }
    for (uint32_t i = 0; i < p->n; i++)
        if (p->v[i].first <= first_end && p->v[i].last >= last_start) {
            p->v[i].use->offset = bytes;
            bytes += p->v[i].size;
        } else {
            p->v[n++] = p->v[i];
        }
    p->n = n;
    return bytes;
}

static void add_near(struct memory_planner *p, struct memory_value *v, uint32_t other)
{
    if (p->near)
        p->near[v->near + v->n_near] = other;
    v->n_near++;
}

/* Counts the neighbours of each value, and lists them once p->near is there; order[] is by first use. The number of pairs, which
 * ends at MAX_PAIRS. */
static uint32_t pair(struct memory_planner *p, uint32_t *alive)
{
    uint32_t n_alive = 0, pairs = 0;

    for (uint32_t i = 0; i < p->n && pairs < MAX_PAIRS; i++) {
        struct memory_value *v = p->order[i];
        uint32_t n = 0;

        for (uint32_t k = 0; k < n_alive; k++) {
            struct memory_value *o = &p->v[alive[k]];

            if (o->last < v->first)
                continue;
            add_near(p, o, (uint32_t)(v - p->v));
            add_near(p, v, alive[k]);
            alive[n++] = alive[k];
        }
        pairs += n;
        alive[n] = (uint32_t)(v - p->v);
        n_alive = n + 1;
    }
    return pairs;
}

static enum status list_neighbours(struct memory_planner *p, uint32_t *alive, uint32_t pairs, struct err *err)
{
    uint32_t at = 0;

    if (!(p->near = ARENA_ARRAY(&p->scratch, 2 * (size_t)pairs, uint32_t)))
        return err_set(err, ST_NOMEM, "out of memory for placing %u tensors", p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        p->v[i].near = at;
        at += p->v[i].n_near;
        p->v[i].n_near = 0;
    }
    pair(p, alive);
    for (uint32_t i = 0; i < p->n; i++) {
        struct memory_value *v = &p->v[i];

        /* What is alive grows only where something begins. */
        v->breadth = p->alive[v->first];
        for (uint32_t k = 0; k < v->n_near; k++) {
            const struct memory_value *o = &p->v[p->near[v->near + k]];

            if (o->first > v->first && p->alive[o->first] > v->breadth)
                v->breadth = p->alive[o->first];
        }
    }
    return ST_OK;
}

/* Blocks that end their use are used again as they are; v[] of the values, order[] is by first use. */
static uint64_t reuse_blocks(struct memory_planner *p)
{
    struct block {
        uint64_t offset, size;
        uint32_t last;
    } *blocks = ARENA_ARRAY(&p->scratch, p->n, struct block);
    uint32_t n = 0, at = 0;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        struct memory_value *v = p->order[i];
        struct block *b = NULL;

        for (uint32_t look = 0; blocks && look < n && look < MAX_LOOKS; look++) {
            struct block *o = &blocks[at++ % n];

            if (o->last < v->first && o->size >= v->size && (!b || o->size < b->size))
                b = o;
        }
        v->offset = b ? b->offset : bytes;
        bytes += b ? 0 : v->size;
        if (b)
            b->last = v->last;
        else if (blocks)
            blocks[n++] = (struct block){v->offset, v->size, v->last};
    }
    return bytes;
}

static bool make_layout(struct memory_planner *p, struct memory_layout *l)
{
    l->order = ARENA_ARRAY(&p->scratch, p->n, struct memory_value *);
    l->fit = ARENA_ARRAY(&p->scratch, p->n, enum memory_fit);
    l->offset = ARENA_ARRAY(&p->scratch, p->n, uint64_t);
    return l->order && l->fit && l->offset;
}

/* Places v[n] from 0 on; *bytes is the size. */
static enum status place_values(struct memory_planner *p, uint64_t *bytes, struct err *err)
{
    uint32_t *alive = ARENA_ARRAY(&p->scratch, p->n, uint32_t), pairs;
    enum status st;

    p->order = ARENA_ARRAY(&p->scratch, p->n, struct memory_value *);
    p->spans = ARENA_ARRAY(&p->scratch, p->n, struct memory_span);
    if (!alive || !p->order || !p->spans || !make_layout(p, &p->now) || !make_layout(p, &p->best))
        return err_set(err, ST_NOMEM, "out of memory for placing %u tensors", p->n);
    memory_order_by_first(p);
    if ((pairs = pair(p, alive)) >= MAX_PAIRS) {
        *bytes = reuse_blocks(p);
        return ST_OK;
    }
    if ((st = list_neighbours(p, alive, pairs, err)))
        return st;
    memory_search(p);
    *bytes = p->best.bytes;
    return ST_OK;
}

enum status memory_plan(struct memory_use *v, uint32_t n, uint64_t align, struct memory_total *total, struct err *err)
{
    struct memory_planner p = {.seed = 1};
    uint64_t bottom, rest = 0;
    enum status st;

    *total = (struct memory_total){0};
    if ((st = gather(&p, v, n, align, total, err)))
        goto done;
    bottom = place_bottom(&p);
    p.least = total->lower_bound - bottom;
    if (p.n && (st = place_values(&p, &rest, err)))
        goto done;
    for (uint32_t i = 0; i < p.n; i++)
        p.v[i].use->offset = bottom + p.v[i].offset;
    total->bytes = bottom + rest;

done:
    arena_free(&p.scratch);
    return st;
}
