/* SPDX-License-Identifier: Apache-2.0 */
/* samples.h - a growing list of measured times. */
#pragma once

#include "lib/measure/stats.h"

/* A list of times; zeros are an empty one. */
struct samples {
    double *us;       /* [n] microseconds, in order of measurement */
    double *begin_us; /* [n] with `begins`: when each run began, in microseconds of clock_ns; NAN: not known */
    size_t n, capacity;
    bool begins; /* set by the owner of an empty list that wants them */
};

/* Runs that were timed and do not count; zeros are an empty list. */
struct left_out {
    struct left_out_run {
        double begin_us, us;
        size_t before; /* number of runs that count before this one */
        uint32_t why;  /* bits of loop_job.disturbed */
    } * runs;          /* [n] */
    size_t n, capacity;
};

/* Allocate room for one more sample, so that the next samples_add cannot fail. Fails with ST_NOMEM. */
enum status samples_reserve(struct samples *s, struct err *err);

/* Append a sample for which samples_reserve has made room. */
void samples_put(struct samples *s, double begin_us, double us);

/* Append a sample whose begin is not known. Fails with ST_NOMEM, which leaves the list unchanged. */
enum status samples_add(struct samples *s, double us, struct err *err);

/* Free the list and make it empty. */
void samples_free(struct samples *s);

/* Append a run that does not count. Fails with ST_NOMEM, which leaves the list unchanged. */
enum status left_out_add(struct left_out *l, const struct left_out_run *run, struct err *err);

/* Free the list and make it empty. */
void left_out_free(struct left_out *l);
