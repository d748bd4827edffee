/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h - what a list of samples says: the figures that TFLite's tools print, and sturdier ones beside them. */
#ifndef DELEGAUGE_STATS_H
#define DELEGAUGE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct stats {
    size_t count;
    double first, last, min, max, avg, sum;
    double std;                                 /* of the population, as TFLite has it */
    double p5, p25, median, p75, p90, p95, p99; /* elements of the list, no interpolation: see stats_percentile */
    double mad;                                 /* median of the distances from the median */
    double cv;                                  /* std / avg; 0 where avg is 0 */
    double drift;                               /* median of the last quarter over that of the first, less 1; 0 below 8 samples */
    size_t outliers;                            /* farther than 3.5 times 1.4826 mad from the median */
};

/* All zeros for n == 0. `samples` stay in the order of time. Fails only with ST_NOMEM. */
enum status stats_of(const double *samples, size_t n, struct stats *out, struct err *err);

/* Element floor(n * percent / 100) of a sorted list, the last one for 100: TFLite's rule. n > 0. */
double stats_percentile(const double *sorted, size_t n, uint32_t percent);

/* TFLite's line for values in whole units: "count=50 first=… curr=… min=… max=… avg=… std=…", with " p5=… median=… p95=…"
 * after it where `percentiles`. Returns `out`. */
const char *stats_line(const struct stats *s, bool percentiles, char *out, size_t size);

#endif
