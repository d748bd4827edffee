/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop.c - the clock stands still while nothing runs: room for the sample is made before it starts. */
#include "bench_loop.h"

#include <time.h>

#include "clock.h"

static void sleep_secs(double secs)
{
    struct timespec t = {(time_t)secs, (long)((secs - (double)(time_t)secs) * 1e9)};

    if (secs > 0)
        nanosleep(&t, NULL);
}

static double seconds_since(uint64_t start)
{
    return (double)(clock_ns() - start) / 1e9;
}

/* What lies between run n and the next; returns the seconds since the start. */
static double wait_for_next(const struct loop_limits *limits, size_t n, uint64_t start)
{
    if (limits->runs_per_sec > 0)
        sleep_secs((double)n / limits->runs_per_sec - seconds_since(start));
    else
        sleep_secs(limits->delay_secs);
    return seconds_since(start);
}

enum status bench_loop(enum status (*run)(void *arg, struct err *err), void *arg, const struct loop_limits *limits,
                       bool (*stop)(void), struct samples *out, struct err *err)
{
    double elapsed = 0;
    uint64_t start = clock_ns();

    while (((int64_t)out->n < limits->min_runs || elapsed < limits->min_secs) && elapsed <= limits->max_secs && !(stop && stop())) {
        uint64_t before, after;
        enum status st = samples_reserve(out, err);

        if (st)
            return st;
        before = clock_ns();
        st = run(arg, err);
        after = clock_ns();
        if (st)
            return st;
        out->us[out->n++] = (double)(after - before) / 1e3;
        elapsed = wait_for_next(limits, out->n, start);
    }
    return ST_OK;
}
