/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop.c - the timed loop; the memory for a sample is allocated before its run, outside of the clock. */
#include "lib/measure/bench_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/sorted.h"

#define STEADY_WITHIN 0.05

static double seconds_since(uint64_t start)
{
    return (double)(clock_ns() - start) / 1e9;
}

/* What lies between run n and the next; returns the seconds since the start. */
static double wait_for_next(const struct loop_limits *limits, size_t n, uint64_t start)
{
    if (limits->runs_per_sec > 0)
        clock_sleep((double)n / limits->runs_per_sec - seconds_since(start));
    else
        clock_sleep(limits->delay_secs);
    return seconds_since(start);
}

enum status loop_steady(const double *us, size_t n, bool *steady, struct err *err)
{
    size_t quarter = n / 4 > 2 ? n / 4 : 2;
    double *copy, before, last;

    *steady = false;
    if (n < 4)
        return ST_OK;
    if (!(copy = calloc(quarter, 2 * sizeof *copy)))
        return err_set(err, ST_NOMEM, "out of memory for the last %zu times", 2 * quarter);
    memcpy(copy, us + n - 2 * quarter, 2 * quarter * sizeof *copy);
    sort_values(copy, quarter);
    sort_values(copy + quarter, quarter);
    before = sorted_median(copy, quarter);
    last = sorted_median(copy + quarter, quarter);
    *steady = fabs(last - before) <= STEADY_WITHIN * before;
    free(copy);
    return ST_OK;
}

enum status loop_narrow(const double *us, size_t n, double part, bool *narrow, struct err *err)
{
    double *sorted = malloc((n + 1) * sizeof *sorted);

    if (!sorted)
        return err_set(err, ST_NOMEM, "out of memory for sorting %zu times", n);
    if (n)
        memcpy(sorted, us, n * sizeof *sorted);
    sort_values(sorted, n);
    *narrow = false;
    if (n) {
        const double median = sorted_median(sorted, n);
        const struct interval i = median_interval(sorted, n);

        *narrow = median - i.low <= part * median && i.high - median <= part * median;
    }
    free(sorted);
    return ST_OK;
}

static bool minima_met(const struct loop_limits *l, size_t n, double elapsed)
{
    return (int64_t)n >= l->min_runs && elapsed >= l->min_secs;
}

/* What is to be known between two runs. */
struct watch {
    double elapsed;
    size_t look_at; /* the number of runs at which they are judged next: a tenth more each time, since judging sorts */
};

/* Once the minima are met: whether the runs are as they are to be. */
static enum status judge_runs(const struct loop_limits *l, const struct samples *s, const struct watch *w, int *end,
                              struct err *err)
{
    const bool for_narrow = l->narrow > 0;
    bool reached = false;
    enum status st = ST_OK;

    if (!for_narrow && l->steady_secs <= l->min_secs) {
        *end = LOOP_MINIMA;
        return ST_OK;
    }
    if (s->n >= w->look_at)
        st = for_narrow ? loop_narrow(s->us, s->n, l->narrow, &reached, err) : loop_steady(s->us, s->n, &reached, err);
    if (reached)
        *end = for_narrow ? LOOP_NARROW : LOOP_STEADY;
    else if (!for_narrow && w->elapsed >= l->steady_secs)
        *end = LOOP_UNSTEADY;
    return st;
}

/* Sets *end once it is time; the loop goes on while it is -1. */
static enum status judge(const struct loop_job *job, const struct loop_limits *l, const struct samples *s, struct watch *w,
                         int *end, struct err *err)
{
    enum status st = ST_OK;

    *end = -1;
    if (job->stop && job->stop()) {
        *end = LOOP_STOPPED;
    } else if (w->elapsed > l->max_secs) {
        *end = !minima_met(l, s->n, w->elapsed) ? LOOP_MAX_SECS : l->narrow > 0 ? LOOP_WIDE : LOOP_MINIMA;
    } else if (minima_met(l, s->n, w->elapsed)) {
        st = judge_runs(l, s, w, end, err);
        if (s->n >= w->look_at)
            w->look_at = s->n + s->n / 10 + 1;
    }
    return st;
}

/* The run ended; outside of its time it is asked whether it counts. */
static enum status keep(const struct loop_job *job, uint64_t began, uint64_t ended, struct samples *out, struct err *err)
{
    const uint64_t outside = job->outside_ns ? job->outside_ns(job->arg) : 0;
    const double us = (double)(int64_t)(ended - outside - began) / 1e3 / (job->inferences ? job->inferences : 1);
    const uint32_t why = job->disturbed ? job->disturbed(job->disturbed_arg) : 0;

    if (why)
        return left_out_add(job->left_out, &(struct left_out_run){(double)began / 1e3, us, out->n, why}, err);
    samples_put(out, (double)began / 1e3, us);
    return ST_OK;
}

enum status bench_loop(const struct loop_job *job, const struct loop_limits *limits, struct samples *out,
                       struct loop_result *result, struct err *err)
{
    struct watch w = {0};
    uint64_t start = clock_ns();
    int end;

    for (;;) {
        uint64_t before, after;
        enum status st = samples_reserve(out, err);

        if (st || (st = judge(job, limits, out, &w, &end, err)))
            return st;
        if (end >= 0)
            break;
        before = clock_ns();
        st = job->run(job->arg, err);
        after = clock_ns();
        if (st == ST_LATER) {
            *result = (struct loop_result){LOOP_STOPPED, true, seconds_since(start)};
            return ST_OK;
        }
        if (st)
            return st;
        if ((st = keep(job, before, after, out, err)))
            return st;
        if (job->progress)
            job->progress(job->progress_arg, out->n, seconds_since(start));
        w.elapsed = wait_for_next(limits, out->n + (job->left_out ? job->left_out->n : 0), start);
    }
    *result = (struct loop_result){(enum loop_end)end, false, seconds_since(start)};
    return ST_OK;
}
