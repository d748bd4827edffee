/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.h - compares two lists of times, before and after a change: how much slower, and is it more than chance?
 *
 * The verdict comes from the two-sided Mann-Whitney U test; the ratio of the medians is the size of the change. If many things are
 * compared at once, some differ by chance: Holm's correction keeps the probability of any such verdict below alpha. Runs are taken
 * as independent; two starts of one program differ by more than its runs do, and no test of the runs can know that. */
#ifndef DELEGAUGE_COMPARISON_H
#define DELEGAUGE_COMPARISON_H

#include "lib/measure/significance.h"

enum verdict {
    VERDICT_UNTESTED, /* one list has no times */
    VERDICT_NONE,     /* no difference shown, which does not prove that there is none */
    VERDICT_FASTER,
    VERDICT_SLOWER,
};

struct comparison {
    size_t n_old, n_new;           /* numbers of times */
    double old_median, new_median; /* in the unit of the times; NAN for an empty list */
    struct median_ratio change;    /* new over old: above 1 is slower */
    double p;                      /* of the U test; NAN if untested */
    double p_adjusted;             /* p with Holm's correction, 0 to 1; NAN if untested; set by compare_all */
    enum verdict verdict;          /* set by compare_all */
};

/* Fill *out except p_adjusted and verdict from two lists of times without NaN. Fails only with ST_NOMEM. */
enum status compare_times(const double *old_times, size_t n_old, const double *new_times, size_t n_new, struct comparison *out,
                          struct err *err);

/* Correct the p of c[n] for their number, ignoring untested ones, and set the verdicts: faster or slower if p_adjusted is below
 * alpha and the medians differ. Fails only with ST_NOMEM. Source: Holm, "A simple sequentially rejective multiple test procedure",
 * 1979; equals statsmodels' multipletests(method="holm"). */
enum status compare_all(struct comparison *const *c, size_t n, double alpha, struct err *err);

/* Return "untested", "none", "faster" or "slower". */
const char *verdict_name(enum verdict v);

#endif
