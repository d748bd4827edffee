/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h - statistics of samples: those that TFLite's tools print, and more robust ones. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/measure/significance.h"

struct stats {
    size_t count;
    double first, last, min, max, avg, sum;
    double std;                              /* standard deviation of the population, as in TFLite */
    double p5, p25, p50, p75, p90, p95, p99; /* percentiles by TFLite's rule (sorted.h): elements of the list, not interpolated */
    double median;                           /* of an even number of samples the mean of the middle two */
    struct interval median_interval;         /* 95 % confidence; NAN below 6 samples (sorted.h) */
    double mad;                              /* median absolute deviation from the median */
    double cv;                               /* coefficient of variation, std / avg; 0 if avg is 0 */
    double drift;                            /* median of the last quarter over that of the first, less 1; 0 below 8 samples */
    struct trend trend;                      /* is the drift more than chance? (significance.h) */
    size_t outliers;                         /* samples farther than 3.5 * 1.4826 * mad from the median */
};

/* Compute the statistics of samples[n], which are in order of time. Zeros if n is 0; NAN, except counts, if any sample is NAN.
 * Fails only with ST_NOMEM. */
enum status stats_of(const double *samples, size_t n, struct stats *out, struct err *err);

/* Write the percentiles percent[n_percents] of samples[n] to out[n_percents] (sorted.h); NAN if n is 0. Fails only with
 * ST_NOMEM. */
enum status stats_percentiles(const double *samples, size_t n, const double *percent, size_t n_percents, double *out,
                              struct err *err);

/* Write TFLite's line of times in microseconds: "count=50 first=… curr=… min=… max=… avg=… std=…", and with `percentiles` " p5=…
 * median=… p95=…", in which median is p50. The average is written by stats_avg, all others as whole numbers, since scripts expect
 * digits alone. Returns `out`. */
const char *stats_line(const struct stats *s, bool percentiles, char *out, size_t size);

#define STATS_AVG_SIZE 32

/* Write an average with at least six digits and without an exponent, which scripts would not read: "0.150345", "31118.1",
 * "1240270". Returns `out`. */
const char *stats_avg(double avg, char out[STATS_AVG_SIZE]);
