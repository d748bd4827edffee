/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.c - medians, ratio, test and verdict. */
#include "lib/measure/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/measure/students_t.h"

enum {
    SEED = 1, /* of the resamples behind the interval: the same reports give the same interval */
    MOST_PROCESSES = 1000,
};

static const double LEVEL = 0.05, WIDE_LEVEL = 0.01; /* what intervals leave out */

/* Medians of the processes of a side. */
struct side {
    double log_mean, variance; /* of the logarithms of the medians, 0 for one process */
    double within;             /* the mean variance that their own runs give them; NAN if one has less than six runs */
    double *logs;              /* [n] */
    size_t n;
};

static double square(double x)
{
    return x * x;
}

static enum status median_of(const struct process_times *t, double *median, struct interval *interval, struct err *err)
{
    double *sorted = malloc((t->n + 1) * sizeof *sorted);

    if (!sorted)
        return err_set(err, ST_NOMEM, "out of memory for the median of %zu times", t->n);
    if (t->n)
        memcpy(sorted, t->us, t->n * sizeof *sorted);
    sort_values(sorted, t->n);
    *median = t->n ? sorted_median(sorted, t->n) : NAN;
    *interval = median_interval(sorted, t->n);
    free(sorted);
    return ST_OK;
}

/* s->logs has room for all n processes. */
static enum status measure_side(const struct process_times *t, size_t n, struct side *s, struct err *err)
{
    enum status st;

    for (size_t i = 0; i < n; i++) {
        struct interval interval;
        double median;

        if (!t[i].n)
            continue;
        if ((st = median_of(&t[i], &median, &interval, err)))
            return st;
        s->logs[s->n++] = log(median);
        /* An interval of 95 % has 3.92 standard deviations of a normal distribution. */
        s->within += square(log(interval.high / interval.low) / 3.92);
    }
    for (size_t i = 0; i < s->n; i++)
        s->log_mean += s->logs[i] / (double)s->n;
    for (size_t i = 0; i < s->n && s->n > 1; i++)
        s->variance += square(s->logs[i] - s->log_mean) / (double)(s->n - 1);
    s->within /= (double)s->n;
    return ST_OK;
}

/* The variance of the difference of both sides' means, and its degrees of freedom. */
struct spread {
    double variance, df;
};

/* Of the differences between the two processes of each pair. */
static struct spread paired_spread(const struct side *a, const struct side *b)
{
    double n = (double)a->n, mean = b->log_mean - a->log_mean, sum = 0;

    for (size_t i = 0; i < a->n; i++)
        sum += square(b->logs[i] - a->logs[i] - mean);
    return (struct spread){sum / (n - 1) / n, n - 1};
}

/* Welch's, for unequal variances; one process has the variance of the other side's. */
static struct spread unpaired_spread(const struct side *a, const struct side *b)
{
    double n = (double)a->n, m = (double)b->n, x = a->variance / n, y = b->variance / m;

    if (a->n == 1 || b->n == 1)
        return (struct spread){(a->variance + b->variance) * (1 / n + 1 / m), n + m - 2};
    return (struct spread){x + y, x + y > 0 ? square(x + y) / (square(x) / (n - 1) + square(y) / (m - 1)) : n + m - 2};
}

static struct interval ratio_interval(double change, double error, double level, double df)
{
    const double half = error * students_t_quantile(level, df);

    return (struct interval){exp(change - half), exp(change + half)};
}

static void compare_sides(const struct side *a, const struct side *b, bool paired, struct comparison *out)
{
    const double n = (double)a->n, m = (double)b->n, change = b->log_mean - a->log_mean;
    const double pooled = ((n - 1) * a->variance + (m - 1) * b->variance) / (n + m - 2), within = (a->within + b->within) / 2;
    struct spread spread = paired ? paired_spread(a, b) : unpaired_spread(a, b);
    double error;

    out->old_median = exp(a->log_mean);
    out->new_median = exp(b->log_mean);
    if (!isfinite(change))
        return;
    /* A few processes may agree by chance; their own runs tell how far their medians are known at best. */
    error = sqrt(fmax(spread.variance, isfinite(within) ? a->within / n + b->within / m : 0));
    out->within = sqrt(within);
    out->between = sqrt(fmax(pooled - (isfinite(within) ? within : 0), 0));
    out->change.ratio = exp(change);
    out->change.interval = ratio_interval(change, error, LEVEL, spread.df);
    out->wide = ratio_interval(change, error, WIDE_LEVEL, spread.df);
    out->p = error > 0 ? students_t_p(change / error, spread.df) : change == 0;
}

/* One process a side. */
static enum status compare_runs(const struct process_times *a, const struct process_times *b, struct comparison *out,
                                struct err *err)
{
    struct interval unused;
    struct mann_whitney test;
    enum status st;

    if ((st = median_of(a, &out->old_median, &unused, err)) || (st = median_of(b, &out->new_median, &unused, err)) ||
        (st = median_ratio(a->us, a->n, b->us, b->n, SEED, &out->change, err)) ||
        (st = mann_whitney(a->us, a->n, b->us, b->n, &test, err)))
        return st;
    out->wide = out->change.interval;
    out->p = test.p;
    return ST_OK;
}

/* The number of times, of processes that have any, and the first of these. */
static size_t count_times(const struct process_times *t, size_t n, size_t *processes, struct process_times *first)
{
    size_t times = 0;

    for (size_t i = n; i-- > 0;) {
        times += t[i].n;
        *processes += t[i].n > 0;
        *first = t[i].n ? t[i] : *first;
    }
    return times;
}

enum status compare_processes(const struct process_times *before, size_t n_before, const struct process_times *after,
                              size_t n_after, bool paired, struct comparison *out, struct err *err)
{
    struct process_times a = {0}, b = {0};
    struct side old_side = {0}, new_side = {0};
    enum status st;

    *out = (struct comparison){.change = {NAN, {NAN, NAN}},
                               .wide = {NAN, NAN},
                               .between = NAN,
                               .within = NAN,
                               .old_median = NAN,
                               .new_median = NAN,
                               .p = NAN,
                               .p_adjusted = NAN};
    out->n_old = count_times(before, n_before, &out->old_processes, &a);
    out->n_new = count_times(after, n_after, &out->new_processes, &b);
    if (out->old_processes <= 1 && out->new_processes <= 1)
        return compare_runs(&a, &b, out, err);
    out->paired = paired && out->old_processes == n_before && out->new_processes == n_before;
    if (!(old_side.logs = malloc((n_before + n_after) * sizeof *old_side.logs)))
        return err_set(err, ST_NOMEM, "out of memory for the medians of %zu processes", n_before + n_after);
    new_side.logs = old_side.logs + n_before;
    st = measure_side(before, n_before, &old_side, err);
    st = st ? st : measure_side(after, n_after, &new_side, err);
    if (!st && old_side.n && new_side.n)
        compare_sides(&old_side, &new_side, out->paired, out);
    free(old_side.logs);
    return st;
}

static int by_p(const void *a, const void *b)
{
    double x = (*(struct comparison *const *)a)->p, y = (*(struct comparison *const *)b)->p;

    return (x > y) - (x < y);
}

static double floor_of(const struct comparison *c)
{
    return c->old_processes > 1 || c->new_processes > 1 ? 1 : COMPARISON_FLOOR;
}

/* With several processes the test alone decides, at alpha; above a floor the interval has to lie. */
static enum verdict verdict_of(const struct comparison *c, double alpha)
{
    const bool floored = floor_of(c) > 1;

    if (isnan(c->p))
        return VERDICT_UNTESTED;
    if (!(c->p_adjusted < alpha))
        return VERDICT_NONE;
    if ((floored ? c->change.interval.low : c->change.ratio) > floor_of(c))
        return VERDICT_SLOWER;
    return (floored ? c->change.interval.high : c->change.ratio) < 1 / floor_of(c) ? VERDICT_FASTER : VERDICT_NONE;
}

enum status compare_all(struct comparison *const *c, size_t n, double alpha, struct err *err)
{
    struct comparison **tested = malloc((n + 1) * sizeof *tested);
    double least = 0;
    size_t m = 0;

    if (!tested)
        return err_set(err, ST_NOMEM, "out of memory for %zu comparisons", n);
    for (size_t i = 0; i < n; i++)
        if (!isnan(c[i]->p))
            tested[m++] = c[i];
    qsort(tested, m, sizeof *tested, by_p);
    for (size_t i = 0; i < m; i++)
        least = tested[i]->p_adjusted = fmin(fmax(least, tested[i]->p * (double)(m - i)), 1);
    for (size_t i = 0; i < n; i++)
        c[i]->verdict = verdict_of(c[i], alpha);
    free(tested);
    return ST_OK;
}

const char *verdict_name(enum verdict v)
{
    static const char *const names[] = {"untested", "none", "faster", "slower"};

    return names[v];
}

enum gate comparison_gate(const struct comparison *c, double ratio)
{
    if (c->verdict == VERDICT_SLOWER && c->wide.low > ratio)
        return GATE_BEYOND;
    return floor_of(c) == 1 && c->change.interval.high < ratio ? GATE_WITHIN : GATE_UNDECIDED;
}

size_t comparison_more_processes(const struct comparison *c, double ratio)
{
    const size_t n = c->old_processes < c->new_processes ? c->old_processes : c->new_processes, per_process = c->paired ? 1 : 2;
    const double away = fabs(log(c->change.ratio / ratio)), level = c->change.ratio > ratio ? WIDE_LEVEL : LEVEL;
    double error;

    if (n < 2 || !(c->change.interval.high > 0))
        return 0;
    error = log(c->change.interval.high / c->change.interval.low) / 2 /
            students_t_quantile(LEVEL, (double)(per_process * (n - 1))) * sqrt((double)n);
    for (size_t k = n + 1; k <= MOST_PROCESSES; k++)
        if (error / sqrt((double)k) * students_t_quantile(level, (double)(per_process * (k - 1))) < away)
            return k - n;
    return 0;
}
