/* SPDX-License-Identifier: Apache-2.0 */
/* memory_search.h - the search for the order in which values are placed; interface between memory_planner.c and memory_search.c.
 *
 * Values are placed one by one, each in a gap between placed values alive together with it. So an order of values and a fit for
 * each define a layout; the search changes these, not offsets. Random numbers come from p->seed alone, and work is counted instead
 * of time: the same values get the same layout on every machine. */
#pragma once

#include <stdint.h>

#include "lib/base/arena.h"

struct memory_use;

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

/* Sort p->order by first use, larger values first if equal. Overwrites v[].key. */
void memory_order_by_first(struct memory_planner *p);

/* Give v[n], n > 0, the offsets of the smallest block found, which starts at 0; its size is p->best.bytes. The caller has allocated
 * all arrays and filled sizes, lifetimes, breadths and neighbours. Tries each simple order with each fit until a block is no larger
 * than p->least; then searches until it exceeds p->least by at most p->least / 2^16. Cannot fail. */
void memory_search(struct memory_planner *p);
