/* SPDX-License-Identifier: Apache-2.0 */
/* sustained.h - the slowdown within a long series of inferences: the first minute against the last. */
#pragma once

#include "lib/measure/significance.h"

/* Least change of the median that counts: 0.02 is 2 %. Smaller ones come and go in the series of an idle machine. */
#define SUSTAINED_LEAST 0.02

/* What the 95 % interval of the ratio shows of such a change. */
enum sustained_verdict {
    SUSTAINED_UNKNOWN, /* no interval, or one with such a change and without: more runs are needed */
    SUSTAINED_SAME,    /* all of the interval is within it */
    SUSTAINED_SLOWER,  /* all of it is above */
    SUSTAINED_FASTER   /* all of it is below */
};

struct sustained {
    double window_secs;        /* length of both windows in seconds of run time: 60, or a fifth of the whole if that is less */
    size_t n_first, n_last;    /* runs in the first and in the last window, at least one each */
    double first_us, last_us;  /* medians of the two windows */
    struct median_ratio ratio; /* median time of the last over that of the first: above 1, runs became slower */
    struct mann_whitney test;  /* first window against last; no part of the verdict */
    enum sustained_verdict verdict;
};

/* Compare the first and the last runs of us[n], microseconds in order of time; pauses between runs do not count. Zeros if n is 0.
 * Fails only with ST_NOMEM. */
enum status sustained_of(const double *us, size_t n, struct sustained *out, struct err *err);
