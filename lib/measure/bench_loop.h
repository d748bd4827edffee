/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop.h - repeated runs by the rules of TFLite's benchmark_model, each of them timed. */
#pragma once

#include "lib/measure/samples.h"

/* Function to time, and callbacks between two runs, which are not timed. */
struct loop_job {
    /* Do one run. A failure ends the loop with its status; ST_LATER gives the run up and is no failure of the loop. */
    enum status (*run)(void *arg, struct err *err);
    void *arg;
    /* Inferences of one run: its time is divided by them. 0: one. */
    uint32_t inferences;
    /* Called before each run; true ends the loop. NULL: never. */
    bool (*stop)(void);

    /* Called after each run with the number of runs and the seconds since the start, or NULL. */
    void (*progress)(void *arg, size_t runs, double secs);
    void *progress_arg;

    /* Return the nanoseconds of the last run that are not to be counted, or NULL: all count. */
    uint64_t (*outside_ns)(void *arg);

    /* Return what disturbed the last run, as bits, or 0: nothing. A disturbed run goes to *left_out, and not to the samples: no
     * minimum counts it. NULL: every run counts. */
    uint32_t (*disturbed)(void *arg);
    void *disturbed_arg;
    struct left_out *left_out;
};

struct loop_limits {
    int32_t min_runs;
    double min_secs;     /* go on until both minima are met */
    double max_secs;     /* end the loop after this time, whatever the minima say; one run is always made if a minimum is above 0 */
    double delay_secs;   /* sleep between two runs; <= 0: none */
    double runs_per_sec; /* > 0: start run k no sooner than k / runs_per_sec seconds after the first, in place of delay_secs */
    double steady_secs;  /* if above min_secs: after the minima go on until the runs are steady, at most until this time */
    double narrow;       /* if above 0: after the minima go on until the 95 % interval of the median reaches at most this part of
                            it to either side, at most until max_secs */
};

/* Why a loop ended. */
enum loop_end {
    LOOP_MINIMA,   /* both minima were met, and steadiness was not asked for */
    LOOP_STEADY,   /* minima met and runs steady */
    LOOP_UNSTEADY, /* minima met, but runs not steady within steady_secs */
    LOOP_MAX_SECS, /* max_secs passed before the minima were met */
    LOOP_NARROW,   /* minima met and the interval of the median as narrow as asked for */
    LOOP_WIDE,     /* minima met, but the interval wider when max_secs passed */
    LOOP_STOPPED,  /* stop() returned true, or a run was given up */
};

struct loop_result {
    enum loop_end end;
    bool given_up; /* LOOP_STOPPED because a run returned ST_LATER; that run does not count */
    double secs;   /* wall clock time, delays included */
};

/* Set *steady if the times us[n] do not drift: the medians of the last quarter (at least two runs) and of the quarter before differ
 * by at most 5 %. False below 4 runs. Fails only with ST_NOMEM. */
enum status loop_steady(const double *us, size_t n, bool *steady, struct err *err);

/* Set *narrow if the 95 % interval of the median of us[n] (sorted.h) reaches at most `part` of the median to either side. False
 * below 6 runs. Fails only with ST_NOMEM. */
enum status loop_narrow(const double *us, size_t n, double part, bool *narrow, struct err *err);

/* Run the loop and append the time of each run to *out, in microseconds. *result is filled unless a run fails. */
enum status bench_loop(const struct loop_job *job, const struct loop_limits *limits, struct samples *out,
                       struct loop_result *result, struct err *err);
