/* SPDX-License-Identifier: Apache-2.0 */
/* sustained.c - the runs in a window at either end, and their comparison. */
#include "lib/measure/sustained.h"

#include "lib/measure/stats.h"

static const double LONGEST_WINDOW_US = 60e6;

/* Any fixed number: the same samples give the same interval. */
enum { SEED = 1 };

/* Both ends of the interval on one side of the least change. */
static enum sustained_verdict verdict_of(const struct interval *in)
{
    const double most = 1 + SUSTAINED_LEAST;

    return in->low > most                            ? SUSTAINED_SLOWER
           : in->high < 1 / most                     ? SUSTAINED_FASTER
           : in->low >= 1 / most && in->high <= most ? SUSTAINED_SAME
                                                     : SUSTAINED_UNKNOWN;
}

enum status sustained_of(const double *us, size_t n, struct sustained *out, struct err *err)
{
    double all = 0, window, first = 0, last = 0;
    struct stats s;
    enum status st;

    *out = (struct sustained){0};
    if (!n)
        return ST_OK;
    for (size_t i = 0; i < n; i++)
        all += us[i];
    window = all / 5 < LONGEST_WINDOW_US ? all / 5 : LONGEST_WINDOW_US;
    while (out->n_first < n && (!out->n_first || first + us[out->n_first] <= window))
        first += us[out->n_first++];
    while (out->n_last < n && (!out->n_last || last + us[n - 1 - out->n_last] <= window))
        last += us[n - 1 - out->n_last++];
    out->window_secs = window / 1e6;
    if ((st = stats_of(us, out->n_first, &s, err)))
        return st;
    out->first_us = s.median;
    if ((st = stats_of(us + n - out->n_last, out->n_last, &s, err)))
        return st;
    out->last_us = s.median;
    if ((st = median_ratio(us, out->n_first, us + n - out->n_last, out->n_last, SEED, &out->ratio, err)))
        return st;
    out->verdict = verdict_of(&out->ratio.interval);
    return mann_whitney(us, out->n_first, us + n - out->n_last, out->n_last, &out->test, err);
}
