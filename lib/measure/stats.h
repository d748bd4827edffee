/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h - figures of a list of samples: the ones that TFLite's tools print, and sturdier ones beside them. */
#ifndef DELEGAUGE_STATS_H
#define DELEGAUGE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/measure/significance.h"

struct stats {
    size_t count;
    double first, last, min, max, avg, sum;
    double std;                              /* of the population, as TFLite has it */
    double p5, p25, p50, p75, p90, p95, p99; /* elements of the list, no interpolation: TFLite's rule, see sorted.h */
    double median;                           /* the usual one: of an even number of samples the mean of the middle two */
    struct interval median_interval;         /* 95 %; NAN below 6 samples: see sorted.h */
    double mad;                              /* median of the distances from the median */
    double cv;                               /* std / avg; 0 if avg is 0 */
    double drift;                            /* median of the last quarter over the first quarter's, less 1; 0 below 8 samples */
    struct trend trend;                      /* whether the drift is more than chance: see significance.h */
    size_t outliers;                         /* farther than 3.5 times 1.4826 mad from the median */
};

/* Compute the figures. All zeros for n == 0; all but the counts NAN if a sample is: figures of the others would hide it. `samples`
 * stay in the order of time. Fails only with ST_NOMEM. */
enum status stats_of(const double *samples, size_t n, struct stats *out, struct err *err);

/* Write to out[k] the percentiles percent[n_percents] of samples[n] (sorted.h); NAN if n is 0. Fails only with ST_NOMEM. */
enum status stats_percentiles(const double *samples, size_t n, const double *percent, size_t n_percents, double *out,
                              struct err *err);

/* Write TFLite's line for times in microseconds: "count=50 first=… curr=… min=… max=… avg=… std=…", with " p5=… median=… p95=…"
 * after it if `percentiles`, whose median is p50. The average has six digits or more and no exponent, which scripts would not read;
 * the others are rounded to whole numbers: scripts expect digits alone. Return `out`. */
const char *stats_line(const struct stats *s, bool percentiles, char *out, size_t size);

#define STATS_AVG_SIZE 32

/* Write the average as that line has it: "0.150345", "31118.1", "1240270". Return `out`. */
const char *stats_avg(double avg, char out[STATS_AVG_SIZE]);

#endif
