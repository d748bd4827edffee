/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop.h - running something again and again by the rules of TFLite's benchmark_model, and keeping every time. */
#ifndef DELEGAUGE_BENCH_LOOP_H
#define DELEGAUGE_BENCH_LOOP_H

#include "lib/measure/samples.h"

/* The function that runs, and the callbacks between two runs; the clock of a run stands still then. */
struct loop_job {
    enum status (*run)(void *arg,
                       struct err *err); /* one run; one that fails ends the loop with its status, ST_LATER: it is given up */
    void *arg;
    uint32_t inferences; /* inferences that one run makes: its time is divided by them. 0: one */
    bool (*stop)(void);  /* asked before each run: true ends the loop. NULL: never */

    /* Told after each run how many there were, and the seconds since the start. NULL: nobody. */
    void (*progress)(void *arg, size_t runs, double secs);
    void *progress_arg;
};

struct loop_limits {
    int32_t min_runs;
    double min_secs;     /* go on until both minima are met */
    double max_secs;     /* then stop whatever the minima say; one run is always made if either asks for it */
    double delay_secs;   /* sleep between runs; <= 0: none */
    double runs_per_sec; /* > 0: run k begins no sooner than k / runs_per_sec seconds after the first, and nothing else is slept */
    double steady_secs;  /* if it is above min_secs: after the minima go on until the runs are steady, or until then */
};

/* Why a loop ended. */
enum loop_end {
    LOOP_MINIMA,   /* both were met, and no more was asked for */
    LOOP_STEADY,   /* and the runs were steady */
    LOOP_UNSTEADY, /* they were not within steady_secs */
    LOOP_MAX_SECS, /* max_secs came before a minimum */
    LOOP_STOPPED,  /* stop() */
};

struct loop_result {
    enum loop_end end;
    bool given_up; /* LOOP_STOPPED in the middle of a run, which returned ST_LATER and does not count */
    double secs;   /* of the clock on the wall, delays and all */
};

/* Tell whether us[n] no longer become faster or slower: the median of the last quarter of them (two runs at least) is within 5 % of
 * the median of the quarter before. False below 4. ST_NOMEM. */
enum status loop_steady(const double *us, size_t n, bool *steady, struct err *err);

/* Add the time of each run to *out, in microseconds. *result is filled if no run fails. */
enum status bench_loop(const struct loop_job *job, const struct loop_limits *limits, struct samples *out,
                       struct loop_result *result, struct err *err);

#endif
