/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner.c - which values compete for memory, and with which others. */
#include "lib/session/memory_planner.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/splitmix.h"

/* ---- the search for the order in which values are placed ----
 *
 * Values are placed one by one, each in a gap between placed values alive together with it. So an order of values and a fit for
 * each define a layout; the search changes these, not offsets. Random numbers come from p->seed alone, and work is counted instead
 * of time: the same values get the same layout on every machine. */

/* The gap that a value takes. TIGHTEST: the smallest that holds it. OUTWARD: as TIGHTEST, but the space between the last neighbour
 * and memory_planner.least counts as a gap, filled from its upper end. LOWEST: the first that holds it. If no gap holds the value,
 * it goes behind its last neighbour. */
enum memory_fit { FIT_TIGHTEST, FIT_OUTWARD, FIT_LOWEST, FITS };

/* A memory_use with its state in the search. */
struct memory_value {
    uint64_t size;         /* a multiple of the alignment, above 0 */
    uint64_t offset;       /* current offset; all ones: not placed */
    uint64_t key;          /* sort key, the largest first */
    uint64_t breadth;      /* largest sum of sizes alive during its lifetime */
    uint32_t first, last;  /* lifetime in steps, both included */
    uint32_t near, n_near; /* its neighbours, values alive together with it: memory_planner.near[near .. near + n_near - 1] */
    enum memory_fit fit;
    struct memory_use *use;
};

/* An order with fits, and the offsets that follow. */
struct memory_layout {
    struct memory_value **order; /* [n] order of placement */
    enum memory_fit *fit;        /* [n] by index in memory_planner.v */
    uint64_t *offset;            /* [n] by index in memory_planner.v */
    uint64_t bytes;              /* size of the block */
};

/* Bytes [from, to) of the block. */
struct memory_span {
    uint64_t from, to;
};

/* The state of one search. */
struct memory_planner {
    struct arena scratch;
    struct memory_value *v; /* [n] */
    uint32_t n, steps;
    uint64_t *alive;             /* [steps] bytes alive at each step */
    uint32_t *near;              /* [twice the pairs] neighbours of all values, as indices in v */
    struct memory_value **order; /* [n] order of placement */
    struct memory_span *spans;   /* [n] memory of the neighbours of the value being placed */
    struct memory_layout now, best;
    uint64_t least; /* lower bound on the block */
    uint64_t work;  /* comparisons so far: the search ends after 2^23 */
    uint64_t seed;  /* state of the random numbers */
};

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

/* Sort p->order by first use, larger values first if equal. Overwrites v[].key. */
static void memory_order_by_first(struct memory_planner *p)
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

/* Give v[n], n > 0, the offsets of the smallest block found, which starts at 0; its size is p->best.bytes. The caller has allocated
 * all arrays and filled sizes, lifetimes, breadths and neighbours. Tries each simple order with each fit until a block is no larger
 * than p->least; then searches until it exceeds p->least by at most p->least / 2^16. Cannot fail. */
static void memory_search(struct memory_planner *p)
{
    try_orders(p);
    search_from_best(p);
    go_back(p, &p->best);
}

/* ---- values that compete for memory ---- */

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
