/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner.h - memory for values that live for a while: offsets in one block, so that values alive together never overlap.
 *
 * The problem is dynamic storage allocation with known lifetimes; it is NP-hard (Garey and Johnson, SR2), and no block is smaller
 * than what is alive at the busiest step. Values are placed one after the other, each into a gap between those already placed whose
 * lifetimes meet its own. Some order gives the smallest block if each takes the lowest gap that holds it (push any packing down and
 * take its values by offset); the tightest gap needs less luck with the order; in a chain values take turns at both ends. So:
 *
 * 1. Values that live together with all others go to the bottom, which costs nothing.
 * 2. Orders, each with all three rules, until one needs no more than is alive: by size and by breadth, the sum alive at the busiest
 *    step of a life (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020); by area, size times
 *    lifetime, and by lifetime (Maas et al., "TelaMalloc", 2022; Moffitt, "MiniMalloc", 2023); by first use and by last use (the
 *    "temporal" order of XLA's heap simulator).
 * 3. A search from the best of these, as long as something is to be gained: one change at a time to the order or to a value's rule,
 *    most of them near values that stick out above what is alive (Joslin and Clements, "Squeaky Wheel Optimization", 1999); a
 *    change stays unless the block grows.
 *
 * Work is counted in comparisons, not in time, and random numbers start from one seed: the result is the same on every machine.
 * The search ends after 2^23 comparisons (20 to 100 ms), or after 512 changes for each value without a gain. Where more than 2^22
 * pairs of values live together, a sweep over first uses that reuses whole blocks takes its place, with 2^8 looks a value at most.
 */
#ifndef DELEGAUGE_MEMORY_PLANNER_H
#define DELEGAUGE_MEMORY_PLANNER_H

#include "lib/base/err.h"

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

/* Places v[n]; align is a power of two. Sizes must be below 2^60 in sum. Takes memory for as many counters as there are steps
 * meanwhile. Fails only with ST_NOMEM. */
enum status memory_plan(struct memory_use *v, uint32_t n, uint64_t align, struct memory_total *total, struct err *err);

#endif
