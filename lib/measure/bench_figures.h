/* SPDX-License-Identifier: Apache-2.0 */
/* bench_figures.h - the figures of a benchmark's times, for its text and its JSON. */
#pragma once

#include "lib/measure/samples.h"

/* Measured times. Samples are in microseconds. */
struct bench_times {
    double load_us;                                        /* reading and verifying the model */
    double open_us;                                        /* opening the delegate; 0 without one */
    double prepare_us;                                     /* preparing the session: shapes, partitions, memory, shaders */
    double load_begin_us, open_begin_us, prepare_begin_us; /* when these began, in microseconds of clock_ns */
    struct samples warmup, timed;
    struct left_out left_out; /* timed runs that count in no figure */
};

/* Return the time of the whole initialization, TFLite's "Init", in microseconds. */
double bench_init_us(const struct bench_times *t);

/* Figures computed from the times. */
struct bench_figures {
    double init_us;             /* bench_init_us */
    double first_us;            /* the first run, a warm-up run if there is one; NAN without runs */
    struct stats warmup, timed; /* in microseconds */
    bool scattered;             /* bench_scattered of the timed runs */
    bool drifted;   /* the timed runs became slower or faster (sign of timed.drift) by more than a tenth in 20 runs or more, and not
                       by chance (timed.trend.p below 0.01) */
    double per_sec; /* inferences per second in the timed runs; NAN without any */
};

/* Return true if the average of runs is not to be trusted: cv above 0.1 in 10 runs or more. */
bool bench_scattered(const struct stats *us);

/* Compute the figures. Fails only with ST_NOMEM. */
enum status bench_figures(const struct bench_times *t, struct bench_figures *out, struct err *err);
