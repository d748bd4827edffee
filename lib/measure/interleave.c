/* SPDX-License-Identifier: Apache-2.0 */
/* interleave.c - rounds of turns, each turn timed by itself. */
#include "lib/measure/interleave.h"

#include <time.h>

#include "lib/base/clock.h"

static size_t still_in(const struct contender *c, size_t n)
{
    size_t in = 0;

    for (size_t i = 0; i < n; i++)
        in += c[i].failed == ST_OK;
    return in;
}

/* Fails where there is no room for the time. */
static enum status turn(struct contender *c, double delay_secs, struct err *err)
{
    uint64_t before, after;
    enum status st;

    if (c->failed)
        return ST_OK;
    if ((st = samples_reserve(&c->samples, err)))
        return st;
    before = clock_ns();
    c->failed = c->run(c->arg, &c->err);
    after = clock_ns();
    after -= c->outside_ns ? c->outside_ns(c->arg) : 0;
    if (!c->failed)
        samples_put(&c->samples, (double)before / 1e3, (double)(after - before) / 1e3 / (c->inferences ? c->inferences : 1));
    clock_sleep(delay_secs);
    return ST_OK;
}

/* So that all have the same number of turns. */
static void give_up_round(struct contender *c, size_t stopped)
{
    c[stopped].failed = ST_OK;
    for (size_t i = 0; i < stopped; i++)
        c[i].samples.n -= !c[i].failed;
}

enum status interleave(struct contender *c, size_t n, const struct loop_job *watch, const struct loop_limits *limits,
                       struct loop_result *result, struct err *err)
{
    uint64_t start = clock_ns();
    double secs = 0;

    *result = (struct loop_result){.end = LOOP_MINIMA};
    for (int64_t round = 0;; round++) {
        double in = (double)still_in(c, n);
        bool met = round >= limits->min_runs && secs >= limits->min_secs * in;

        if (met || in == 0)
            break;
        if (secs > limits->max_secs * in) {
            result->end = LOOP_MAX_SECS;
            break;
        }
        if (watch->stop && watch->stop()) {
            result->end = LOOP_STOPPED;
            break;
        }
        for (size_t i = 0; i < n; i++) {
            enum status st = turn(&c[i], limits->delay_secs, err);

            if (st)
                return st;
            if (c[i].failed == ST_LATER) {
                give_up_round(c, i);
                *result = (struct loop_result){LOOP_STOPPED, true, (double)(clock_ns() - start) / 1e9};
                return ST_OK;
            }
        }
        secs = (double)(clock_ns() - start) / 1e9;
        if (watch->progress)
            watch->progress(watch->progress_arg, (size_t)round + 1, secs);
    }
    result->secs = secs;
    return ST_OK;
}
