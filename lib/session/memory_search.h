/* SPDX-License-Identifier: Apache-2.0 */
/* memory_search.h - the search for an order in which values are placed; between memory_planner.c and memory_search.c.
 *
 * Values are placed one by one, each into a gap that those alive together with it leave. So an order, and a rule for each value, is
 * a layout; the search changes these, not offsets. It draws from p->seed alone and counts its work instead of its time: the same
 * values have the same layout on every machine. */
#ifndef DELEGAUGE_MEMORY_SEARCH_H
#define DELEGAUGE_MEMORY_SEARCH_H

#include <stdint.h>

#include "lib/base/arena.h"

struct memory_use;

/* Which gap a value takes: the tightest that holds it; the tightest too, but what lies below `least` behind all others is a gap
 * like any, used from its upper end; the lowest. Where no gap holds it, all of them put it behind the last. */
enum memory_fit { FIT_TIGHTEST, FIT_OUTWARD, FIT_LOWEST, FITS };

/* A memory_use that competes for memory. */
struct memory_value {
    uint64_t size;         /* a multiple of the alignment, above 0 */
    uint64_t offset;       /* where it was placed last; all ones: not yet */
    uint64_t key;          /* what it is sorted by, the largest first */
    uint64_t breadth;      /* the largest sum alive during its life */
    uint32_t first, last;  /* steps of its life, both included */
    uint32_t near, n_near; /* those alive together with it: near[near] and on */
    enum memory_fit fit;
    struct memory_use *use;
};

/* How values were placed, and how large the block was. */
struct memory_layout {
    struct memory_value **order; /* [n] */
    enum memory_fit *fit;        /* [n] by value */
    uint64_t *offset;            /* [n] by value */
    uint64_t bytes;
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
    uint64_t *alive;             /* [steps] bytes */
    uint32_t *near;              /* [twice the pairs] indices in v */
    struct memory_value **order; /* [n] */
    struct memory_span *spans;   /* [n] what the neighbours of the value being placed take */
    struct memory_layout now, best;
    uint64_t least; /* no block of v[n] is smaller */
    uint64_t work;  /* comparisons so far: the search ends after 2^23 */
    uint64_t seed;  /* of the search's draws */
};

/* Puts p->order in the order of first use; of those that begin together the larger goes first. Writes v[].key as well. */
void memory_order_by_first(struct memory_planner *p);

/* Gives v[n], n > 0, the offsets of the smallest block found, from 0 on; its size is p->best.bytes. Of v[] sizes, lives, breadths
 * and neighbours are filled in, and every array is there. At the start each order that a simple rule gives is tried with each fit;
 * it ends early where the block is no larger than p->least, the search also where it is so but for p->least / 2^16. Cannot
 * fail. */
void memory_search(struct memory_planner *p);

#endif
