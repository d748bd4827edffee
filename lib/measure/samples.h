/* SPDX-License-Identifier: Apache-2.0 */
/* samples.h - a growing list of measured times. */
#ifndef DELEGAUGE_SAMPLES_H
#define DELEGAUGE_SAMPLES_H

#include "lib/measure/stats.h"

/* Zeros are an empty list. */
struct samples {
    double *us; /* [n] microseconds, in the order of time */
    size_t n, capacity;
};

/* Makes room for one more, so that the samples_add after it cannot fail. ST_NOMEM. */
enum status samples_reserve(struct samples *s, struct err *err);

/* ST_NOMEM leaves the list as it was. */
enum status samples_add(struct samples *s, double us, struct err *err);

/* Empties the list; accepts an empty one. */
void samples_free(struct samples *s);

#endif
