/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.c - medians, ratio, test and verdict. */
#include "lib/measure/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The resamples behind the interval: the same reports give the same interval. */
enum { SEED = 1 };

static enum status median_of(const double *times, size_t n, double *out, struct err *err)
{
    double *sorted;

    *out = NAN;
    if (!n)
        return ST_OK;
    if (!(sorted = malloc(n * sizeof *sorted)))
        return err_set(err, ST_NOMEM, "out of memory for the median of %zu times", n);
    memcpy(sorted, times, n * sizeof *sorted);
    sort_values(sorted, n);
    *out = sorted_median(sorted, n);
    free(sorted);
    return ST_OK;
}

enum status compare_times(const double *old_times, size_t n_old, const double *new_times, size_t n_new, struct comparison *out,
                          struct err *err)
{
    struct mann_whitney test;
    enum status st;

    *out = (struct comparison){.n_old = n_old, .n_new = n_new, .p = NAN, .p_adjusted = NAN};
    if ((st = median_of(old_times, n_old, &out->old_median, err)) || (st = median_of(new_times, n_new, &out->new_median, err)) ||
        (st = median_ratio(old_times, n_old, new_times, n_new, SEED, &out->change, err)) ||
        (st = mann_whitney(old_times, n_old, new_times, n_new, &test, err)))
        return st;
    out->p = test.p;
    return ST_OK;
}

static int by_p(const void *a, const void *b)
{
    double x = (*(struct comparison *const *)a)->p, y = (*(struct comparison *const *)b)->p;

    return (x > y) - (x < y);
}

static enum verdict verdict_of(const struct comparison *c, double alpha)
{
    if (isnan(c->p))
        return VERDICT_UNTESTED;
    if (!(c->p_adjusted < alpha) || c->new_median == c->old_median)
        return VERDICT_NONE;
    return c->new_median > c->old_median ? VERDICT_SLOWER : VERDICT_FASTER;
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
