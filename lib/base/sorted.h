/* SPDX-License-Identifier: Apache-2.0 */
/* sorted.h - percentiles, median and confidence interval of the median of sorted numbers, none of which may be NaN. */
#pragma once

#include <stddef.h>

/* Sort v[n] in ascending order. */
void sort_values(double *v, size_t n);

/* Return element floor(n * percent / 100) of a sorted list, the last one for 100: TFLite's rule. n > 0, percent from 0 to 100. */
double sorted_percentile(const double *sorted, size_t n, double percent);

/* Return the median: the middle element, or the mean of the two middle ones. n > 0. */
double sorted_median(const double *sorted, size_t n);

/* A confidence interval, both ends included. */
struct interval {
    double low, high; /* NAN if there are too few values */
};

/* Return the 95 % confidence interval of the median of the distribution from which sorted[n] was drawn: the elements with so many
 * elements beyond them that a binomial distribution of n coin tosses puts at most 2.5 % in each tail; the coverage is 95 % or a
 * little more. Fewer than 6 values have no interval. Source: Conover, "Practical nonparametric statistics", 3.2; equal to scipy's
 * quantile_test. */
struct interval median_interval(const double *sorted, size_t n);
