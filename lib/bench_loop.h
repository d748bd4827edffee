/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop.h - running something again and again by the rules of TFLite's benchmark_model, and keeping every time. */
#ifndef DELEGAUGE_BENCH_LOOP_H
#define DELEGAUGE_BENCH_LOOP_H

#include "samples.h"

struct loop_limits {
    int32_t min_runs;
    double min_secs;     /* go on until both minima are met */
    double max_secs;     /* then stop whatever the minima say; one run is always made if either asks for it */
    double delay_secs;   /* sleep between runs; <= 0: none */
    double runs_per_sec; /* > 0: run k begins no sooner than k / runs_per_sec seconds after the first, and nothing else is slept */
};

/* Adds the time of each run(arg) to *out, in microseconds; the clock runs during run(arg) alone. A run that fails ends the loop
 * with its status; stop() (NULL: never), asked before each run, ends it with ST_OK once it is true. */
enum status bench_loop(enum status (*run)(void *arg, struct err *err), void *arg, const struct loop_limits *limits,
                       bool (*stop)(void), struct samples *out, struct err *err);

#endif
