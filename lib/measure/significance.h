/* SPDX-License-Identifier: Apache-2.0 */
/* significance.h - is the difference between two lists of times more than chance, and does one list drift?
 *
 * Run times are not normally distributed (they have a floor and a long tail), so nothing here assumes a normal distribution: ranks,
 * order statistics (sorted.h) and resampling. All tests are two-sided. All take the runs as independent of each other, but the runs
 * of a machine that slows down are not: look at the trend first, and interleave the runs to be compared. Units do not matter, but
 * both lists of a comparison have the same one. No value may be NaN.
 *
 * Each function fails only with ST_NOMEM, and fills *out with NAN if there are too few values for an answer. */
#ifndef DELEGAUGE_SIGNIFICANCE_H
#define DELEGAUGE_SIGNIFICANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/sorted.h"

struct mann_whitney {
    double u;   /* number of pairs (a, b) with a > b, plus half of the equal ones: 0 if all of a is smaller */
    double p;   /* probability of such a u, or one farther from the middle, if a and b come from one distribution */
    bool exact; /* counted; otherwise from the normal distribution, corrected for ties and for u being a whole number */
};

/* Do the U test of a[n_a] against b[n_b]. Counted if no two values are equal and neither list has more than 25. NAN if one is
 * empty; p is 1 if all values are equal. Source: Mann, Whitney, "On a test of whether one of two random variables is stochastically
 * larger than the other", 1947; scipy's mannwhitneyu gives the same. */
enum status mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b, struct mann_whitney *out, struct err *err);

/* The ratio of the median of b to the median of a. */
struct median_ratio {
    double ratio;
    struct interval interval; /* 95 % */
};

/* Compute the ratio of the medians, as sorted_median defines them. The interval is between the 2.5th and 97.5th percentile of the
 * ratios of 4000 pairs of resamples (Efron's percentile bootstrap). No resample is drawn out: the kth smallest of one is element
 * floor(n * X) of the sorted list, X the kth smallest of n uniform numbers, whose distribution is Beta(k, n + 1 - k), so that a
 * list of millions costs no more than one of ten. The same `seed` gives the same interval. NAN if a list is empty or the median of
 * a is not above 0; no interval if a list has less than 6 values, as the median of so few has none of 95 % either. */
enum status median_ratio(const double *a, size_t n_a, const double *b, size_t n_b, uint64_t seed, struct median_ratio *out,
                         struct err *err);

struct trend {
    double s; /* pairs (i < j) with v[i] < v[j], less pairs with v[i] > v[j]: above 0, the values rise */
    double p; /* probability of an s that far from 0 if the order of the values were chance */
};

/* Do Mann and Kendall's test of v[n] in the order of time, from the normal distribution, corrected for ties and for s being a whole
 * number. NAN below 4 values; p is 1 if all are equal. n log n steps. Source: Mann, "Nonparametric tests against trend", 1945;
 * Kendall, "Rank correlation methods", 1975. */
enum status mann_kendall(const double *v, size_t n, struct trend *out, struct err *err);

#endif
