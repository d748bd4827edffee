/* SPDX-License-Identifier: Apache-2.0 */
/* bench_figures.c - sums of a benchmark's times, and two tests that tell if an average is not to be trusted. */
#include "lib/measure/bench_figures.h"

#include <math.h>

#define SCATTER_CV       0.1
#define SCATTER_MIN_RUNS 10
#define DRIFT_LIMIT      0.1
#define DRIFT_MIN_RUNS   20
#define DRIFT_MAX_P      0.01

double bench_init_us(const struct bench_times *t)
{
    return t->load_us + t->open_us + t->prepare_us;
}

bool bench_scattered(const struct stats *us)
{
    return us->cv > SCATTER_CV && us->count >= SCATTER_MIN_RUNS;
}

enum status bench_figures(const struct bench_times *t, struct bench_figures *out, struct err *err)
{
    enum status st;

    *out = (struct bench_figures){.init_us = bench_init_us(t), .first_us = NAN};
    if ((st = stats_of(t->warmup.us, t->warmup.n, &out->warmup, err)) || (st = stats_of(t->timed.us, t->timed.n, &out->timed, err)))
        return st;
    if (t->warmup.n)
        out->first_us = t->warmup.us[0];
    else if (t->timed.n)
        out->first_us = t->timed.us[0];
    out->scattered = bench_scattered(&out->timed);
    out->drifted = fabs(out->timed.drift) > DRIFT_LIMIT && t->timed.n >= DRIFT_MIN_RUNS && out->timed.trend.p < DRIFT_MAX_P;
    out->per_sec = out->timed.sum > 0 ? (double)t->timed.n * 1e6 / out->timed.sum : NAN;
    return ST_OK;
}
