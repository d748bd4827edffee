/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.h - two lists of times of one thing, before and after: how much slower it became, and whether that is more than
 * chance.
 *
 * The verdict comes from the two-sided Mann-Whitney U test; the ratio of the medians says how much. If many things are compared at
 * once, some differ by chance alone: Holm's correction keeps the probability of one such verdict or more below alpha. All of it
 * takes the runs as independent: two starts of one program differ by more than its runs do, which no test of the runs can know. */
#ifndef DELEGAUGE_COMPARISON_H
#define DELEGAUGE_COMPARISON_H

#include "lib/measure/significance.h"

enum verdict {
    VERDICT_UNTESTED, /* one list has no times */
    VERDICT_NONE,     /* no difference shown, which is not to say that there is none */
    VERDICT_FASTER,
    VERDICT_SLOWER,
};

struct comparison {
    size_t n_old, n_new;           /* times */
    double old_median, new_median; /* in the unit of the times; NAN if there are none */
    struct median_ratio change;    /* new over old: above 1 is slower */
    double p;                      /* of the U test; NAN if untested */
    double p_adjusted;             /* by Holm's correction, from 0 to 1; NAN if untested. Set by compare_all, as is the verdict */
    enum verdict verdict;
};

/* Compare two lists of times, none of them NaN: fill all but p_adjusted and verdict. Fails only with ST_NOMEM. */
enum status compare_times(const double *old_times, size_t n_old, const double *new_times, size_t n_new, struct comparison *out,
                          struct err *err);

/* Adjust the p of c[n] for their number, untested ones not counted, and give the verdicts: faster or slower if the adjusted p is
 * below alpha and the medians differ. Fails only with ST_NOMEM. Source: Holm, "A simple sequentially rejective multiple test
 * procedure", 1979; statsmodels' multipletests(method="holm") gives the same. */
enum status compare_all(struct comparison *const *c, size_t n, double alpha, struct err *err);

/* "untested", "none", "faster", "slower": for reports. */
const char *verdict_name(enum verdict v);

#endif
