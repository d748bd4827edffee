/* SPDX-License-Identifier: Apache-2.0 */
/* memory_search.c - one value after the other into a gap: in several orders, then in orders that a search makes. */
#include "lib/session/memory_search.h"
#include "lib/base/splitmix.h"

#include <stdlib.h>
#include <string.h>

#define UNPLACED  UINT64_MAX
#define MAX_WORK  (1u << 23)
#define MAX_TRIES 512   /* for each value, without a gain */
#define MAX_STALL 1000  /* tries until the search goes back to its best order */
#define FINE      65536 /* no search for a smaller part of `least` than this */

/* ---- placing in order ---- */

/* By Shell's method: few spans as a rule, and no call for each comparison. */
static void sort_spans(struct memory_planner *p, uint32_t n)
{
    static const uint32_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    struct memory_span *s = p->spans;

    for (uint32_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (uint32_t i = gaps[g]; i < n; i++) {
            struct memory_span x = s[i];
            uint32_t at = i;

            for (; at >= gaps[g] && s[at - gaps[g]].from > x.from; at -= gaps[g], p->work++)
                s[at] = s[at - gaps[g]];
            s[at] = x;
        }
}

/* A gap among spans[n], sorted, or the end of the last. */
static uint64_t find_gap(const struct memory_planner *p, uint32_t n, uint64_t size, enum memory_fit fit)
{
    const struct memory_span *s = p->spans;
    uint64_t end = 0, best = UNPLACED, best_size = UINT64_MAX;

    for (uint32_t i = 0; i < n; i++) {
        if (s[i].from >= end + size && s[i].from - end < best_size) {
            best_size = s[i].from - end;
            best = end;
            if (fit == FIT_LOWEST)
                return best;
        }
        if (s[i].to > end)
            end = s[i].to;
    }
    if (fit == FIT_OUTWARD && end && p->least >= end + size && p->least - end < best_size)
        return p->least - size;
    return best == UNPLACED ? end : best;
}

/* Gives `v` its place among those of its neighbours that have one; its end. */
static uint64_t place_one(struct memory_planner *p, struct memory_value *v)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < v->n_near; i++) {
        const struct memory_value *o = &p->v[p->near[v->near + i]];

        if (o->offset != UNPLACED)
            p->spans[n++] = (struct memory_span){o->offset, o->offset + o->size};
    }
    sort_spans(p, n);
    p->work += v->n_near + n;
    v->offset = find_gap(p, n, v->size, v->fit);
    return v->offset + v->size;
}

/* Places order[from] and all after it; those before stay. The size of the block, or as soon as it is more than `most`, that. */
static uint64_t place_from(struct memory_planner *p, uint32_t from, uint64_t most)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        struct memory_value *v = p->order[i];

        if (i >= from)
            v->offset = UNPLACED;
        else if (v->offset + v->size > bytes)
            bytes = v->offset + v->size;
    }
    for (uint32_t i = from; i < p->n && bytes <= most; i++) {
        uint64_t end = place_one(p, p->order[i]);

        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

static void keep(const struct memory_planner *p, uint64_t bytes, struct memory_layout *l)
{
    l->bytes = bytes;
    memcpy(l->order, p->order, p->n * sizeof *l->order);
    for (uint32_t i = 0; i < p->n; i++) {
        l->fit[i] = p->v[i].fit;
        l->offset[i] = p->v[i].offset;
    }
}

static void go_back(struct memory_planner *p, const struct memory_layout *l)
{
    memcpy(p->order, l->order, p->n * sizeof *l->order);
    for (uint32_t i = 0; i < p->n; i++) {
        p->v[i].fit = l->fit[i];
        p->v[i].offset = l->offset[i];
    }
}

/* ---- orders ---- */

static uint64_t key_size(const struct memory_value *v)
{
    return v->size;
}

static uint64_t key_breadth(const struct memory_value *v)
{
    return v->breadth;
}

static uint64_t key_lifetime(const struct memory_value *v)
{
    return (uint64_t)v->last - v->first + 1;
}

static uint64_t key_area(const struct memory_value *v)
{
    uint64_t life = key_lifetime(v);

    return v->size > UINT64_MAX / life ? UINT64_MAX : v->size * life;
}

static uint64_t key_first(const struct memory_value *v)
{
    return UINT32_MAX - v->first;
}

static uint64_t key_last(const struct memory_value *v)
{
    return v->last;
}

static int by_key(const void *a, const void *b)
{
    const struct memory_value *x = *(struct memory_value *const *)a, *y = *(struct memory_value *const *)b;

    if (x->key != y->key)
        return x->key < y->key ? 1 : -1;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first) : (x > y) - (x < y);
}

static void sort_by(struct memory_planner *p, uint64_t (*key)(const struct memory_value *))
{
    for (uint32_t i = 0; i < p->n; i++) {
        p->v[i].key = key(&p->v[i]);
        p->order[i] = &p->v[i];
    }
    qsort(p->order, p->n, sizeof *p->order, by_key);
}

void memory_order_by_first(struct memory_planner *p)
{
    sort_by(p, key_first);
}

/* The best of all orders, or the first that needs no more than is alive. */
static void try_orders(struct memory_planner *p)
{
    static uint64_t (*const keys[])(const struct memory_value *) = {key_size,     key_breadth, key_area,
                                                                    key_lifetime, key_first,   key_last};

    p->best.bytes = UINT64_MAX;
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        sort_by(p, keys[i]);
        for (uint32_t fit = 0; fit < FITS; fit++) {
            uint64_t bytes;

            if (p->best.bytes == p->least || (p->best.bytes != UINT64_MAX && p->work > MAX_WORK))
                return;
            for (uint32_t k = 0; k < p->n; k++)
                p->v[k].fit = fit;
            if ((bytes = place_from(p, 0, UINT64_MAX)) < p->best.bytes)
                keep(p, bytes, &p->best);
        }
    }
}

/* ---- the search ---- */

/* order[from] moves to `to`; where they are equal it takes another rule instead. */
struct change {
    uint32_t from, to, turn;
};

static uint32_t draw(struct memory_planner *p, uint32_t n)
{
    return (uint32_t)(splitmix_next(&p->seed) % n);
}

/* One of the values that end where the block does, or of all that stick out above what is alive. */
static uint32_t draw_culprit(struct memory_planner *p)
{
    uint64_t edge = draw(p, 2) ? p->now.bytes : p->least + 1;
    uint32_t n = 0, pick = 0;

    for (uint32_t i = 0; i < p->n; i++)
        if (p->order[i]->offset + p->order[i]->size >= edge && !draw(p, ++n))
            pick = i;
    p->work += p->n;
    return pick;
}

/* Three in eight: a culprit comes earlier. One: some value takes another rule. Four: one that lives with a culprit goes
 * anywhere. */
static struct change draw_change(struct memory_planner *p)
{
    uint32_t pick = draw_culprit(p), kind = draw(p, 8), from = 0;
    const struct memory_value *v = p->order[pick], *other;

    if (!kind) {
        from = draw(p, 2) ? pick : draw(p, p->n);
        return (struct change){from, from, 1 + draw(p, FITS - 1)};
    }
    if (kind <= 3 || !v->n_near)
        return (struct change){pick, draw(p, pick + 1), 1};
    other = &p->v[p->near[v->near + draw(p, v->n_near)]];
    while (p->order[from] != other)
        from++;
    return (struct change){from, draw(p, p->n), 1};
}

static void apply(struct memory_planner *p, struct change c)
{
    struct memory_value *v = p->order[c.from];

    if (c.from == c.to)
        v->fit = (v->fit + c.turn) % FITS;
    else if (c.to < c.from)
        memmove(p->order + c.to + 1, p->order + c.to, (c.from - c.to) * sizeof *p->order);
    else
        memmove(p->order + c.from, p->order + c.from + 1, (c.to - c.from) * sizeof *p->order);
    p->order[c.to] = v;
}

static void search_from_best(struct memory_planner *p)
{
    uint64_t tries = 0;
    uint32_t stall = 0;

    go_back(p, &p->best);
    keep(p, p->best.bytes, &p->now);
    while (p->best.bytes > p->least + p->least / FINE && p->work < MAX_WORK && tries++ < (uint64_t)MAX_TRIES * p->n) {
        struct change c = draw_change(p);
        uint64_t bytes;

        apply(p, c);
        if ((bytes = place_from(p, c.from < c.to ? c.from : c.to, p->now.bytes)) > p->now.bytes) {
            go_back(p, &p->now);
        } else {
            stall = bytes < p->now.bytes ? 0 : stall;
            keep(p, bytes, &p->now);
        }
        if (p->now.bytes < p->best.bytes) {
            keep(p, bytes, &p->best);
            tries = 0;
        }
        if (++stall > MAX_STALL) {
            go_back(p, &p->best);
            keep(p, p->best.bytes, &p->now);
            stall = 0;
        }
    }
}

void memory_search(struct memory_planner *p)
{
    try_orders(p);
    search_from_best(p);
    go_back(p, &p->best);
}
