/* SPDX-License-Identifier: Apache-2.0 */
/* significance.c - tests by ranks, an interval by resampling. */
#include "lib/measure/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/splitmix.h"

/* ---- ranks ---- */

/* One value, and which list it comes from. */
struct labelled {
    double value;
    bool of_a;
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct labelled *)a)->value, y = ((const struct labelled *)b)->value;

    return (x > y) - (x < y);
}

/* Of both lists sorted together: the ranks of a added up, equal values having the mean of their ranks, and what ties take from the
 * variance: the sum of t^3 - t over groups of t equal values. */
static void rank_sums(const struct labelled *all, size_t n, double *ranks_of_a, double *ties)
{
    *ranks_of_a = *ties = 0;
    for (size_t i = 0, end; i < n; i = end) {
        double t;

        for (end = i + 1; end < n && all[end].value == all[i].value;)
            end++;
        t = (double)(end - i);
        *ties += t * t * t - t;
        for (size_t k = i; k < end; k++)
            *ranks_of_a += all[k].of_a ? ((double)i + 1 + (double)end) / 2 : 0;
    }
}

enum { EXACT_MAX = 25 };

/* The probability of at most u pairs, for lists of n_a and n_b different values. ways[i][v] counts the orders of i values of a and
 * k of b with v pairs: the largest value is one of a, and above all k of b, or it is one of b. */
static double exact_at_most(double u, size_t n_a, size_t n_b)
{
    double ways[EXACT_MAX + 1][EXACT_MAX * EXACT_MAX + 1] = {{0}}, all = 0, few = 0;

    for (size_t i = 0; i <= n_a; i++)
        ways[i][0] = 1;
    for (size_t k = 1; k <= n_b; k++)
        for (size_t i = 1; i <= n_a; i++)
            for (size_t v = i * k; v >= k; v--)
                ways[i][v] += ways[i - 1][v - k];
    for (size_t v = 0; v <= n_a * n_b; v++) {
        all += ways[n_a][v];
        few += (double)v <= u ? ways[n_a][v] : 0;
    }
    return few / all;
}

static double two_sided_normal(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

static void judge_u(struct mann_whitney *m, double n_a, double n_b, double ties)
{
    double n = n_a + n_b, middle = n_a * n_b / 2, distance = fabs(m->u - middle);
    double variance = n_a * n_b / 12 * (n + 1 - (n > 1 ? ties / (n * (n - 1)) : 0));

    m->exact = ties == 0 && n_a <= EXACT_MAX && n_b <= EXACT_MAX;
    if (m->exact)
        m->p = 2 * exact_at_most(middle - distance, (size_t)n_a, (size_t)n_b);
    else if (variance > 0)
        m->p = two_sided_normal(distance > 0.5 ? (distance - 0.5) / sqrt(variance) : 0);
    else
        m->p = 1;
    m->p = fmin(m->p, 1);
}

enum status mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b, struct mann_whitney *out, struct err *err)
{
    struct labelled *all;
    double ranks, ties;

    *out = (struct mann_whitney){.u = NAN, .p = NAN};
    if (!n_a || !n_b)
        return ST_OK;
    if (!(all = calloc(n_a + n_b, sizeof *all)))
        return err_set(err, ST_NOMEM, "out of memory for the ranks of %zu samples", n_a + n_b);
    for (size_t i = 0; i < n_a + n_b; i++)
        all[i] = (struct labelled){i < n_a ? a[i] : b[i - n_a], i < n_a};
    qsort(all, n_a + n_b, sizeof *all, by_value);
    rank_sums(all, n_a + n_b, &ranks, &ties);
    free(all);
    out->u = ranks - (double)n_a * ((double)n_a + 1) / 2;
    judge_u(out, (double)n_a, (double)n_b, ties);
    return ST_OK;
}

/* ---- the ratio of medians ---- */

enum { RESAMPLES = 4000, LEAST_FOR_INTERVAL = 6 };

/* Above 0, up to 1. */
static double uniform(uint64_t *state)
{
    return (double)((splitmix_next(state) >> 11) + 1) / 9007199254740992.0;
}

/* Box and Muller's. */
static double normal(uint64_t *state)
{
    double r = sqrt(-2 * log(uniform(state)));

    return r * cos(6.283185307179586 * uniform(state));
}

/* Marsaglia, Tsang, "A simple method for generating gamma variables", 2000; shape >= 1. */
static double gamma_variate(uint64_t *state, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        double x = normal(state), v = 1 + c * x;

        v = v * v * v;
        if (v > 0 && log(uniform(state)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* Element floor(n * part) of sorted[n]. */
static double element_at(const double *sorted, size_t n, double part)
{
    size_t i = (size_t)((double)n * part);

    return sorted[i < n ? i : n - 1];
}

/* The median of a resample of sorted[n]. Of an even number, the lower one of the middle two is the largest of the n / 2 numbers
 * that lie evenly between 0 and the upper one. */
static double resampled_median(uint64_t *state, const double *sorted, size_t n)
{
    size_t below = n / 2;
    double x = gamma_variate(state, (double)(below + 1)), y = gamma_variate(state, (double)(n - below));
    double upper = x / (x + y);

    if (n % 2)
        return element_at(sorted, n, upper);
    return element_at(sorted, n, upper * pow(uniform(state), 1 / (double)below)) / 2 + element_at(sorted, n, upper) / 2;
}

static struct interval resampled_ratio(const double *a, size_t n_a, const double *b, size_t n_b, uint64_t seed)
{
    double ratios[RESAMPLES];

    for (size_t i = 0; i < RESAMPLES; i++) {
        double below = resampled_median(&seed, a, n_a);

        ratios[i] = resampled_median(&seed, b, n_b) / below;
    }
    sort_values(ratios, RESAMPLES);
    return (struct interval){ratios[RESAMPLES / 40], ratios[RESAMPLES - 1 - RESAMPLES / 40]};
}

enum status median_ratio(const double *a, size_t n_a, const double *b, size_t n_b, uint64_t seed, struct median_ratio *out,
                         struct err *err)
{
    double *sorted;

    *out = (struct median_ratio){NAN, {NAN, NAN}};
    if (!n_a || !n_b)
        return ST_OK;
    if (!(sorted = calloc(n_a + n_b, sizeof *sorted)))
        return err_set(err, ST_NOMEM, "out of memory for sorting %zu samples", n_a + n_b);
    memcpy(sorted, a, n_a * sizeof *a);
    memcpy(sorted + n_a, b, n_b * sizeof *b);
    sort_values(sorted, n_a);
    sort_values(sorted + n_a, n_b);
    if (sorted_median(sorted, n_a) > 0) {
        out->ratio = sorted_median(sorted + n_a, n_b) / sorted_median(sorted, n_a);
        if (n_a >= LEAST_FOR_INTERVAL && n_b >= LEAST_FOR_INTERVAL)
            out->interval = resampled_ratio(sorted, n_a, sorted + n_a, n_b, seed);
    }
    free(sorted);
    return ST_OK;
}

/* ---- trend ---- */

/* Sorts v[n] by merging, with scratch[n]; returns how many pairs were in falling order. */
static double count_falling(double *v, size_t n, double *scratch)
{
    size_t half = n / 2, i = 0, k = half, to = 0;
    double falling;

    if (n < 2)
        return 0;
    falling = count_falling(v, half, scratch) + count_falling(v + half, n - half, scratch);
    while (i < half || k < n) {
        if (k == n || (i < half && v[i] <= v[k])) {
            scratch[to++] = v[i++];
        } else {
            falling += (double)(half - i);
            scratch[to++] = v[k++];
        }
    }
    memcpy(v, scratch, n * sizeof *v);
    return falling;
}

double kendall_variance(const double *sorted, size_t count, double *equal)
{
    const double n = (double)count;
    double sum = n * (n - 1) * (2 * n + 5);

    *equal = 0;
    for (size_t i = 0, end; i < count; i = end) {
        double ties;

        for (end = i + 1; end < count && sorted[end] == sorted[i];)
            end++;
        ties = (double)(end - i);
        *equal += ties * (ties - 1) / 2;
        sum -= ties * (ties - 1) * (2 * ties + 5);
    }
    return sum / 18;
}

/* From the pairs that fall, and the values sorted. */
static void judge_trend(struct trend *t, const double *sorted, size_t count, double falling)
{
    double n = (double)count, equal, variance = kendall_variance(sorted, count, &equal);

    t->s = n * (n - 1) / 2 - equal - 2 * falling;
    t->p = variance > 0 && t->s != 0 ? two_sided_normal((fabs(t->s) - 1) / sqrt(variance)) : 1;
}

enum status mann_kendall(const double *v, size_t n, struct trend *out, struct err *err)
{
    double *copy;

    *out = (struct trend){NAN, NAN};
    if (n < 4)
        return ST_OK;
    if (!(copy = calloc(n, 2 * sizeof *copy)))
        return err_set(err, ST_NOMEM, "out of memory for the trend of %zu samples", n);
    memcpy(copy, v, n * sizeof *v);
    judge_trend(out, copy, n, count_falling(copy, n, copy + n));
    free(copy);
    return ST_OK;
}
