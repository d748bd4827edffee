/* SPDX-License-Identifier: Apache-2.0 */
/* bisect.h - the nodes among many that make a difference, found by trying ranges of them.
 *
 * Knows neither models nor delegates: nodes are the positions 0 .. n - 1 of the caller's list, and try_range() tells if the result
 * is off when only the nodes of a range are given to the side on trial. Sound if a node that is wrong by itself stays so in any
 * company; if several only together are off, the range found has all of them. */
#ifndef DELEGAUGE_BISECT_H
#define DELEGAUGE_BISECT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

/* Positions first .. end - 1. */
struct bisect_range {
    uint32_t first, end;
};

#define BISECT_MAX_FOUND 8 /* ranges; nodes behind the last of so many are not looked at */

/* Filled by bisect_run; zeroed to begin with. */
struct bisect {
    struct bisect_range found[BISECT_MAX_FOUND]; /* in order: none can be made smaller at either end */
    uint32_t n_found, tries;
    bool stopped; /* by try_range(): the ranges found before stand */
};

/* Look for ranges of n > 0 nodes. try_range() is asked about all of them first; if that is not off, nothing is found. Each range
 * found ends with the first node that makes the result off together with nodes before it, begins with the last from which it is,
 * and, if it has at most BISECT_MAX_SINGLE nodes, is one node if that does it alone; then the nodes behind it are looked at. About
 * 2 log2(n) tries a range. try_range() fails with ST_LATER to end the search, which is then no failure; with any other status
 * bisect_run fails. */
#define BISECT_MAX_SINGLE 8
enum status bisect_run(struct bisect *b, uint32_t n,
                       enum status (*try_range)(void *arg, struct bisect_range range, bool *off, struct err *err), void *arg,
                       struct err *err);

#endif
