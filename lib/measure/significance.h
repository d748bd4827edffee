/* SPDX-License-Identifier: Apache-2.0 */
/* significance.h - statistical tests: is the difference between two lists of times more than chance, and does a list drift?
 *
 * Run times are not normally distributed (they have a floor and a long tail), so the tests use ranks, order statistics (sorted.h)
 * and resampling. All tests are two-sided. All take the runs as independent, which those of a machine that slows down are not: look
 * at the trend first, and interleave the runs to be compared. Both lists of a comparison must have one unit. No value may be NaN.
 *
 * Each function fails only with ST_NOMEM, and fills *out with NAN if there are too few values. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/sorted.h"

struct mann_whitney {
    double u;   /* pairs (a, b) with a > b, plus half of the equal pairs: 0 if all of a are smaller */
    double p;   /* probability of such a u, or a more extreme one, if a and b have one distribution */
    bool exact; /* p is counted; else from the normal distribution, corrected for ties and continuity */
};

/* Do the U test of a[n_a] against b[n_b]. p is exact if no two values are equal and no list has more than 25. NAN if a list is
 * empty; p is 1 if all values are equal. Source: Mann, Whitney, "On a test of whether one of two random variables is stochastically
 * larger than the other", 1947; equals scipy's mannwhitneyu. */
enum status mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b, struct mann_whitney *out, struct err *err);

/* Median of b over median of a. */
struct median_ratio {
    double ratio;
    struct interval interval; /* confidence interval of 95 % */
};

/* Compute the ratio of the medians (sorted_median). The interval is between the 2.5th and the 97.5th percentile of the ratios of
 * 4000 pairs of resamples (Efron's percentile bootstrap). Resamples are not drawn element by element: the kth smallest of one is
 * element floor(n * X) of the sorted list, X the kth smallest of n uniform numbers, distributed as Beta(k, n + 1 - k); so millions
 * of values cost no more than ten. The same `seed` gives the same interval. NAN if a list is empty or the median of a is not above
 * 0; no interval if a list has less than 6 values: their median has no 95 % interval either. */
enum status median_ratio(const double *a, size_t n_a, const double *b, size_t n_b, uint64_t seed, struct median_ratio *out,
                         struct err *err);

struct trend {
    double s; /* pairs (i < j) with v[i] < v[j], less those with v[i] > v[j]: above 0 if values rise */
    double p; /* probability of an s that far from 0 in random order */
};

/* Do the Mann-Kendall test of v[n] in order of time, from the normal distribution, corrected for ties and continuity. NAN below 4
 * values; p is 1 if all are equal. O(n log n). Source: Mann, "Nonparametric tests against trend", 1945; Kendall, "Rank correlation
 * methods", 1975. */
enum status mann_kendall(const double *v, size_t n, struct trend *out, struct err *err);

/* Return the variance of struct trend's s in random order, less than without ties in sorted[n]; *equal: pairs of equal values. */
double kendall_variance(const double *sorted, size_t n, double *equal);
