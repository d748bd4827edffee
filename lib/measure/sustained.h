/* SPDX-License-Identifier: Apache-2.0 */
/* sustained.h - the slowdown within a long run of inferences: the first minute against the last. */
#ifndef DELEGAUGE_SUSTAINED_H
#define DELEGAUGE_SUSTAINED_H

#include "lib/measure/significance.h"

struct sustained {
    double window_secs;        /* of run time: 60, or a fifth of the whole if that is shorter */
    size_t n_first, n_last;    /* runs that lie in the window at either end; at least one each */
    double first_us, last_us;  /* their medians */
    struct median_ratio ratio; /* last over first: above 1, it became slower */
    struct mann_whitney test;  /* of the two against each other */
};

/* Compare the ends of us[n], microseconds in the order of time; the time between runs does not count. Zeros for n == 0. Fails only
 * with ST_NOMEM. */
enum status sustained_of(const double *us, size_t n, struct sustained *out, struct err *err);

#endif
