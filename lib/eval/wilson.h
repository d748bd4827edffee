/* SPDX-License-Identifier: Apache-2.0 */
/* wilson.h - figures from counts of right answers: an interval of the share, and a test of two sides on the same pictures. */
#pragma once

#include <stdint.h>

#include "lib/base/sorted.h"

/* Return the 95 % interval of a share of which k of n are seen. NAN if n is 0. Source: Wilson, "Probable inference, the law of
 * succession, and statistical inference", 1927, without correction for continuity. */
struct interval wilson_interval(uint64_t k, uint64_t n);

/* Return the probability of so uneven a split of n pictures of which exactly one of two sides is right, or a more uneven one, if
 * both sides are equally good: two-sided, counted, from a fair coin. `only_a`, `only_b`: pictures that this side alone has right; 1
 * if there are none. Source: McNemar, "Note on the sampling error of the difference between correlated proportions", 1947; equals
 * scipy.stats.binomtest(only_a, only_a + only_b). */
double wilson_mcnemar(uint64_t only_a, uint64_t only_b);
