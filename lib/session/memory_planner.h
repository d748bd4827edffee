/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner.h - offsets in one block for values with known lifetimes, so that values alive together never overlap.
 *
 * This is dynamic storage allocation, which is NP-hard (Garey and Johnson, SR2); no block is smaller than the sum alive at the
 * busiest step (the lower bound). Values are placed one by one, each in a gap between placed values whose lifetimes meet its own.
 * Some order yields the smallest block if each value takes the lowest gap that holds it (push any packing down, then take its
 * values by offset); taking the tightest gap depends less on the order; in a chain of values it pays to alternate between both ends
 * of the block. So:
 *
 * 1. Place values that live together with all others at the bottom, at no cost.
 * 2. Try orders, each with all three fits of memory_planner.c, until one reaches the lower bound: by size and by breadth, the
 *    largest sum alive during a lifetime (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020);
 *    by area, size times lifetime, and by lifetime (Maas et al., "TelaMalloc", 2022; Moffitt, "MiniMalloc", 2023); by first use
 *    and by last use (the "temporal" order of XLA's heap simulator).
 * 3. Search from the best of these, until the lower bound is near: change the order or the fit of one value at a time, most often
 *    near values that lie above the lower bound (Joslin and Clements, "Squeaky Wheel Optimization", 1999); keep a change unless the
 *    block grows.
 *
 * Work is counted in comparisons, not in time, and random numbers have a fixed seed: the result is the same on every machine. The
 * search ends after 2^23 comparisons (20 to 100 ms), or after 512 changes per value without a gain. If more than 2^22 pairs of
 * values live together, a sweep in order of first use reuses whole blocks instead, with at most 2^8 comparisons per value. */
#pragma once

#include "lib/base/err.h"

#include <stdint.h>

struct memory_use {
    uint64_t bytes;       /* size; may be 0 */
    uint32_t first, last; /* lifetime in steps, both included; first <= last */
    uint64_t offset;      /* result: offset in the block, a multiple of the alignment */
};

struct memory_total {
    uint64_t bytes;       /* size of the block */
    uint64_t lower_bound; /* largest sum of sizes alive at one step */
    uint64_t unshared;    /* sum of all sizes */
};

/* Set the offsets of v[n]. align is a power of two; the sum of sizes is below 2^60. Needs temporary memory for one counter per
 * step. Fails only with ST_NOMEM. */
enum status memory_plan(struct memory_use *v, uint32_t n, uint64_t align, struct memory_total *total, struct err *err);
