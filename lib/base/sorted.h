/* SPDX-License-Identifier: Apache-2.0 */
/* sorted.h - figures of a sorted list of numbers: percentiles, the median, and the median's interval of confidence. No value may be
 * NaN. */
#ifndef DELEGAUGE_SORTED_H
#define DELEGAUGE_SORTED_H

#include <stddef.h>

/* Sort v[n], the smallest first. */
void sort_values(double *v, size_t n);

/* Return element floor(n * percent / 100) of a sorted list, the last one for 100: TFLite's rule. n > 0, percent from 0 to 100. */
double sorted_percentile(const double *sorted, size_t n, double percent);

/* Return the usual median: the element in the middle, of an even number the mean of the two. n > 0. */
double sorted_median(const double *sorted, size_t n);

/* An interval of confidence, both ends included. */
struct interval {
    double low, high; /* NAN if there are too few values */
};

/* Return the 95 % interval of the median of the distribution that sorted[n] was drawn from: the two elements as many places from
 * either end as a binomial distribution of n coin tosses leaves outside with at most 2.5 % each, so the interval covers 95 % or a
 * little more. Below 6 values there is none. Source: Conover, "Practical nonparametric statistics", 3.2; scipy's quantile_test
 * gives the same. */
struct interval median_interval(const double *sorted, size_t n);

#endif
