/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner.h - memory for values that live for a while: offsets in one block, so that values alive together never overlap.
 *
 * Greedy by size (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020): the largest value
 * first, each into the tightest gap between those already placed whose lifetimes meet its own. Where that takes more than is alive
 * at once, again and again with the values that stuck out placed first; the best of these is kept. */
#ifndef DELEGAUGE_MEMORY_PLANNER_H
#define DELEGAUGE_MEMORY_PLANNER_H

#include "arena.h"

#include <stdint.h>

struct memory_use {
    uint64_t bytes;       /* 0 is allowed */
    uint32_t first, last; /* the steps during which it lives, both included; first <= last */
    uint64_t offset;      /* the result, a multiple of the alignment */
};

struct memory_total {
    uint64_t bytes;       /* of the whole block */
    uint64_t lower_bound; /* largest sum alive at one step */
    uint64_t unshared;    /* sum of all */
};

/* Places v[n]; align is a power of two. Sizes must be below 2^60 in sum. */
enum status memory_plan(struct memory_use *v, uint32_t n, uint64_t align, struct arena *scratch, struct memory_total *total,
                        struct err *err);

#endif
