/* SPDX-License-Identifier: Apache-2.0 */
/* significance_test.c - figures, tests and intervals against scipy's, frozen in testdata/statistics.txt; resampling against what it
 * must come to. */
#include "lib/measure/significance.h"
#include "lib/measure/stats.h"
#include "lib/testing/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_LISTS = 32, MAX_VALUES = 512 };

static struct list {
    char name[32];
    double v[MAX_VALUES];
    size_t n;
} lists[MAX_LISTS];
static size_t n_lists;

static const struct list *list(const char *name)
{
    for (size_t i = 0; i < n_lists; i++)
        if (!strcmp(lists[i].name, name))
            return &lists[i];
    fail_msg("statistics.txt has no list %s", name);
    return NULL;
}

/* nan: nothing is said about it. */
static void near(const char *what, const char *name, double got, const char *expected)
{
    double e = strtod(expected, NULL);

    if (!isnan(e) && !(fabs(got - e) <= 1e-9 * fabs(e) + 1e-14))
        fail_msg("%s of %s is %.17g, scipy has %s", what, name, got, expected);
}

static void hold_stats(char *const *w)
{
    const struct list *l = list(w[1]);
    struct stats s;
    struct err err;

    TEST_OK(stats_of(l->v, l->n, &s, &err), err);
    near("mean", w[1], s.avg, w[2]);
    near("deviation", w[1], s.std, w[3]);
    near("coefficient of variation", w[1], s.cv, w[4]);
    near("median", w[1], s.median, w[5]);
    near("median of the distances", w[1], s.mad, w[6]);
    near("lower end of the median", w[1], s.median_interval.low, w[7]);
    near("upper end of the median", w[1], s.median_interval.high, w[8]);
    assert_int_equal(isnan(s.median_interval.low), l->n < 6);
}

static void hold_trend(char *const *w)
{
    const struct list *l = list(w[1]);
    struct trend t;
    struct err err;

    TEST_OK(mann_kendall(l->v, l->n, &t, &err), err);
    near("s", w[1], t.s, w[2]);
    near("p of the trend", w[1], t.p, w[3]);
}

static void hold_utest(char *const *w)
{
    const struct list *a = list(w[1]), *b = list(w[2]);
    struct mann_whitney m, back;
    struct err err;

    TEST_OK(mann_whitney(a->v, a->n, b->v, b->n, &m, &err), err);
    TEST_OK(mann_whitney(b->v, b->n, a->v, a->n, &back, &err), err);
    near("u", w[1], m.u, w[3]);
    near("p of u", w[1], m.p, w[4]);
    assert_int_equal(m.exact, *w[5] == '1');
    assert_true(m.u + back.u == (double)(a->n * b->n) && fabs(m.p - back.p) < 1e-12);
}

static void add_list(char *const *w, size_t n)
{
    struct list *l = &lists[n_lists++];

    assert_true(n_lists <= MAX_LISTS);
    snprintf(l->name, sizeof l->name, "%s", w[1]);
    for (l->n = 0; l->n + 2 < n; l->n++)
        l->v[l->n] = strtod(w[l->n + 2], NULL);
}

/* Splits a line at its blanks; returns the number of words. */
static size_t int64_half(char *line, char **words)
{
    size_t n = 0;
    char *rest = NULL;

    for (char *w = strtok_r(line, " \n", &rest); w && n < MAX_VALUES; w = strtok_r(NULL, " \n", &rest))
        words[n++] = w;
    return n;
}

static void as_scipy_has_it(void **state)
{
    static char line[16384], *words[MAX_VALUES];
    FILE *f = fopen("testdata/statistics.txt", "re");
    size_t held = 0;

    (void)state;
    if (!f)
        fail_msg("testdata/statistics.txt: not run from the top of the project");
    while (fgets(line, sizeof line, f)) {
        size_t n = int64_half(line, words);

        if (!strcmp(words[0], "list"))
            add_list(words, n);
        else if (!strcmp(words[0], "stats") && ++held)
            hold_stats(words);
        else if (!strcmp(words[0], "trend") && ++held)
            hold_trend(words);
        else if (!strcmp(words[0], "utest") && ++held)
            hold_utest(words);
    }
    fclose(f);
    assert_true(held >= 37);
}

/* Nothing to say, and said so. */
static void too_few(void **state)
{
    const double v[] = {3, 1, 2, 5, 4, 6};
    struct mann_whitney m;
    struct median_ratio r;
    struct trend t;
    struct err err;

    (void)state;
    TEST_OK(mann_whitney(v, 3, v, 0, &m, &err), err);
    assert_true(isnan(m.u) && isnan(m.p));
    TEST_OK(mann_kendall(v, 3, &t, &err), err);
    assert_true(isnan(t.s) && isnan(t.p));
    TEST_OK(median_ratio(v, 0, v, 3, 1, &r, &err), err);
    assert_true(isnan(r.ratio) && isnan(r.interval.low));
    TEST_OK(median_ratio(v, 1, v, 3, 1, &r, &err), err);
    assert_true(r.ratio == 2.0 / 3 && isnan(r.interval.low) && isnan(r.interval.high));
    TEST_OK(median_ratio(v, 5, v, 6, 1, &r, &err), err);
    assert_true(r.ratio == 3.5 / 3 && isnan(r.interval.low) && isnan(r.interval.high));
    TEST_OK(median_ratio(v, 6, v, 6, 1, &r, &err), err);
    assert_true(r.ratio == 1 && r.interval.low < 1 && r.interval.high > 1);
    TEST_OK(median_ratio((const double[]){0, 0, 0}, 3, v, 3, 1, &r, &err), err);
    assert_true(isnan(r.ratio));
}

/* The interval of the binomial for long lists, where its terms are far below what a double holds: half the list plus and less 1.96
 * deviations. */
static void long_lists(void **state)
{
    enum { N = 200000 };
    double *v = malloc(N * sizeof *v);
    struct interval i;

    (void)state;
    assert_non_null(v);
    for (int k = 0; k < N; k++)
        v[k] = k;
    i = median_interval(v, N);
    assert_true(fabs(i.low - (N / 2.0 - 1.96 * sqrt(N) / 2)) < 2);
    assert_true(fabs(i.high - (N / 2.0 + 1.96 * sqrt(N) / 2)) < 2);
    free(v);
}

/* Two lists whose medians differ by a tenth: the interval covers that and not 1; the same lists give 1. What scipy.stats.bootstrap
 * has for 20000 resamples drawn out, [1.08476, 1.11547], is as near as 4000 scatter. */
static void ratio_of_medians(void **state)
{
    double a[101], b[101];
    struct median_ratio r, again;
    struct err err;

    (void)state;
    for (int i = 0; i < 101; i++) {
        a[i] = 1000 + (i * 37 % 101 - 50);
        b[i] = 1.1 * (1000 + (i * 53 % 101 - 50));
    }
    TEST_OK(median_ratio(a, 101, b, 101, 7, &r, &err), err);
    TEST_OK(median_ratio(a, 101, b, 101, 7, &again, &err), err);
    assert_true(fabs(r.ratio - 1.1) < 1e-12);
    assert_true(r.interval.low == again.interval.low && r.interval.high == again.interval.high);
    if (fabs(r.interval.low - 1.08476) > 0.002 || fabs(r.interval.high - 1.11547) > 0.002)
        fail_msg("from %.6f to %.6f", r.interval.low, r.interval.high);
    TEST_OK(median_ratio(a, 101, b, 101, 8, &again, &err), err);
    assert_true(r.interval.low != again.interval.low || r.interval.high != again.interval.high);
    TEST_OK(median_ratio(a, 101, a, 101, 7, &r, &err), err);
    assert_true(r.ratio == 1 && r.interval.low < 1 && r.interval.high > 1);
}

/* Of even numbers, for which scipy.stats.bootstrap has [1.0851, 1.1150] and [0.6, 7]. */
static void ratio_of_even_medians(void **state)
{
    const double few[] = {1, 2, 3, 5, 8, 13}, more[] = {2, 3, 5, 7, 11, 13, 17, 19};
    double a[100], b[100];
    struct median_ratio r;
    struct err err;

    (void)state;
    for (int i = 0; i < 100; i++) {
        a[i] = 1000 + (i * 37 % 100 - 50);
        b[i] = 1.1 * (1000 + (i * 53 % 100 - 50));
    }
    TEST_OK(median_ratio(a, 100, b, 100, 7, &r, &err), err);
    assert_true(fabs(r.ratio - 1.1) < 1e-12);
    if (fabs(r.interval.low - 1.0851) > 0.002 || fabs(r.interval.high - 1.1150) > 0.002)
        fail_msg("from %.6f to %.6f", r.interval.low, r.interval.high);
    TEST_OK(median_ratio(few, 6, more, 8, 7, &r, &err), err);
    assert_true(r.ratio == 2.25);
    if (fabs(r.interval.low - 0.6) > 0.05 || fabs(r.interval.high - 7) > 0.5)
        fail_msg("from %.6f to %.6f", r.interval.low, r.interval.high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_scipy_has_it),
        cmocka_unit_test(too_few),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(ratio_of_medians),
        cmocka_unit_test(ratio_of_even_medians),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
