/* SPDX-License-Identifier: Apache-2.0 */
/* bench_figures.h - the figures of a benchmark's times, which its text and its JSON both show. */
#ifndef DELEGAUGE_BENCH_FIGURES_H
#define DELEGAUGE_BENCH_FIGURES_H

#include "lib/measure/samples.h"

/* The measured times, in microseconds. */
struct bench_times {
    double load_us;    /* reading and verifying the model */
    double open_us;    /* opening the delegate; 0 without one */
    double prepare_us; /* the session: shapes, partitions, memory, shaders */
    struct samples warmup, timed;
};

/* Return the time of all of initialization, in microseconds: TFLite's "Init". */
double bench_init_us(const struct bench_times *t);

/* The figures that text and JSON show of them. */
struct bench_figures {
    double init_us;             /* bench_init_us */
    double first_us;            /* the first run of all, a warm-up run if there is one; NAN if none was made */
    struct stats warmup, timed; /* in microseconds, as they were measured */
    bool scattered; /* the timed runs scatter too much for their average to be trusted: cv above 0.1 in 10 runs or more */
    bool drifted;   /* they became slower or faster by more than a tenth, in 20 runs or more, and that is no chance (trend.p below
                       0.01); which, the sign of drift tells */
    double per_sec; /* inferences in a second of the timed runs; NAN if there are none */
};

/* Compute the figures. Fails only with ST_NOMEM. */
enum status bench_figures(const struct bench_times *t, struct bench_figures *out, struct err *err);

#endif
