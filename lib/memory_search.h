/* SPDX-License-Identifier: Apache-2.0 */
/* memory_search.h - the search for an order in which values are placed; between memory_planner.c and memory_search.c. */
#ifndef DELEGAUGE_MEMORY_SEARCH_H
#define DELEGAUGE_MEMORY_SEARCH_H

#include <stdint.h>

#include "arena.h"

struct memory_use;

/* Which gap a value takes: the tightest that holds it; the tightest too, but what lies below `least` behind all others is a gap
 * like any, used from its upper end; the lowest. */
enum memory_fit { FIT_TIGHTEST, FIT_OUTWARD, FIT_LOWEST, FITS };

/* A memory_use that competes for memory. */
struct memory_value {
    uint64_t size; /* a multiple of the alignment, above 0 */
    uint64_t offset;
    uint64_t key;     /* what it is sorted by, the largest first */
    uint64_t breadth; /* the largest sum alive during its life */
    uint32_t first, last;
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
    uint32_t *near;              /* twice the pairs */
    struct memory_value **order; /* [n] */
    struct memory_span *spans;   /* [n] */
    struct memory_layout now, best;
    uint64_t least; /* no block of v[n] is smaller */
    uint64_t work;  /* comparisons so far */
    uint64_t seed;
};

/* The order by first use. */
void memory_order_by_first(struct memory_planner *p);

/* Gives v[n], n > 0, the offsets of the smallest block found, from 0 on; its size is p->best.bytes. Of v[] sizes, lives, breadths
 * and neighbours are filled in, and every array is there. */
void memory_search(struct memory_planner *p);

#endif
