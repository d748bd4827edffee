/* SPDX-License-Identifier: Apache-2.0 */
/* samples.h - a growing list of measured times. */
#pragma once

#include "lib/measure/stats.h"

/* A list of times; zeros are an empty one. */
struct samples {
    double *us; /* [n] microseconds, in order of measurement */
    size_t n, capacity;
};

/* Allocate room for one more sample, so that the next samples_add cannot fail. Fails with ST_NOMEM. */
enum status samples_reserve(struct samples *s, struct err *err);

/* Append a sample. Fails with ST_NOMEM, which leaves the list unchanged. */
enum status samples_add(struct samples *s, double us, struct err *err);

/* Free the list and make it empty. */
void samples_free(struct samples *s);
