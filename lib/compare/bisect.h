/* SPDX-License-Identifier: Apache-2.0 */
/* bisect.h - finds the nodes that make a result wrong, by trying ranges of them.
 *
 * It knows neither models nor delegates: nodes are positions 0 .. n - 1 of the caller's list, and try_range() tells if the result
 * is off when only the nodes of one range are given to the test side. Sound if a node that is wrong alone is also wrong together
 * with any others; if only several nodes together are wrong, the range found contains all of them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

/* Positions first .. end - 1. */
struct bisect_range {
    uint32_t first, end;
};

#define BISECT_MAX_FOUND 8 /* most ranges; nodes behind the last one are not searched */

/* Result of bisect_run; zeroed before the call. */
struct bisect {
    struct bisect_range found[BISECT_MAX_FOUND]; /* ascending; no range can be shortened at either end */
    uint32_t n_found, tries;
    bool stopped; /* try_range() ended the search; the ranges found before are valid */
};

/* Search n > 0 nodes for ranges that make the result off. If try_range() is not off for all nodes, nothing is found. A range ends
 * with the first node that makes the result off together with its predecessors. It is that node if it is off alone; else it begins
 * with the last node from which the result is still off, and is reduced to one node if it has at most BISECT_MAX_SINGLE and that
 * one alone is off. The search then goes on behind it. One node that is off takes at most log2(n) + 3 tries, with log2(n) rounded
 * up; a range twice as many. If try_range() fails with ST_LATER the search ends without a failure; bisect_run fails with any other
 * status. */
#define BISECT_MAX_SINGLE 8
enum status bisect_run(struct bisect *b, uint32_t n,
                       enum status (*try_range)(void *arg, struct bisect_range range, bool *off, struct err *err), void *arg,
                       struct err *err);
