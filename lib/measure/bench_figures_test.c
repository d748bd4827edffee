/* SPDX-License-Identifier: Apache-2.0 */
/* bench_figures_test.c - times as they are, not cut to whole microseconds, and what speaks against an average. */
#include "lib/measure/bench_figures.h"
#include "lib/testing/test.h"

#include <math.h>

static void add_all(struct samples *s, const double *us, size_t n)
{
    struct err err;

    for (size_t i = 0; i < n; i++)
        TEST_OK(samples_add(s, us[i], &err), err);
}

static void exact(void **state)
{
    const double us[] = {0.125, 0.25, 0.075};
    struct bench_times t = {0};
    struct bench_figures f;
    struct err err;

    (void)state;
    add_all(&t.timed, us, 3);
    TEST_OK(bench_figures(&t, &f, &err), err);
    assert_true(f.timed.first == 0.125 && f.timed.last == 0.075 && f.timed.median == 0.125 && f.timed.max == 0.25);
    assert_true(fabs(f.timed.avg - 0.15) < 1e-15);
    samples_free(&t.timed);
}

static void grows(void **state)
{
    struct samples s = {0};
    struct err err;

    (void)state;
    for (size_t i = 0; i < 5000; i++)
        TEST_OK(samples_add(&s, (double)i, &err), err);
    assert_int_equal(s.n, 5000);
    for (size_t i = 0; i < s.n; i++)
        assert_true(s.us[i] == (double)i);
    samples_free(&s);
    assert_true(!s.us && !s.n && !s.capacity);
}

static void init_and_first(void **state)
{
    struct bench_times t = {.load_us = 1.5, .open_us = 2.25, .prepare_us = 4.125};
    const double warm[] = {7.75, 6}, timed[] = {5.5};
    struct bench_figures f;
    struct err err;

    (void)state;
    TEST_OK(bench_figures(&t, &f, &err), err);
    assert_true(f.init_us == 7.875);
    assert_true(isnan(f.first_us));
    add_all(&t.timed, timed, 1);
    TEST_OK(bench_figures(&t, &f, &err), err);
    assert_true(f.first_us == 5.5);
    add_all(&t.warmup, warm, 2);
    TEST_OK(bench_figures(&t, &f, &err), err);
    assert_true(f.first_us == 7.75 && f.warmup.count == 2 && f.timed.count == 1);
    samples_free(&t.warmup);
    samples_free(&t.timed);
}

/* n runs that go from one time to another, with every `odd`th run (0: none) taking three times as long. */
static struct bench_figures runs(size_t n, double from, double to, size_t odd)
{
    struct bench_times t = {0};
    struct bench_figures f;
    struct err err;

    for (size_t i = 0; i < n; i++) {
        double us = from + (to - from) * (double)i / (double)(n - 1);

        TEST_OK(samples_add(&t.timed, odd && i % odd == 0 ? 3 * us : us, &err), err);
    }
    TEST_OK(bench_figures(&t, &f, &err), err);
    samples_free(&t.timed);
    return f;
}

static void doubts(void **state)
{
    struct bench_figures f = runs(100, 1000, 1000, 0);

    (void)state;
    assert_true(!f.scattered && !f.drifted);
    f = runs(100, 1000, 1000, 10);
    assert_true(f.scattered && !f.drifted);
    f = runs(9, 1000, 1000, 3); /* too few to tell */
    assert_false(f.scattered);
    f = runs(100, 1000, 1200, 0);
    assert_true(f.drifted && f.timed.drift > 0);
    assert_true(fabs(f.per_sec - 1e6 / 1100) < 1e-6);
    f = runs(100, 1200, 1000, 0);
    assert_true(f.drifted && f.timed.drift < 0);
    f = runs(19, 1000, 1200, 0);
    assert_false(f.drifted);
    f = runs(100, 1000, 1050, 0);
    assert_true(!f.drifted && !f.scattered);
}

/* Slower at the end than at the beginning, but slowest between: no trend. */
static void no_trend(void **state)
{
    struct bench_times t = {0};
    struct bench_figures f;
    struct err err;

    (void)state;
    for (size_t i = 0; i < 20; i++)
        TEST_OK(samples_add(&t.timed, i < 5 ? 1000 : i < 15 ? 1300 : 1200, &err), err);
    TEST_OK(bench_figures(&t, &f, &err), err);
    assert_true(f.timed.drift > 0.19 && !f.drifted);
    samples_free(&t.timed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact),  cmocka_unit_test(grows),    cmocka_unit_test(init_and_first),
        cmocka_unit_test(doubts), cmocka_unit_test(no_trend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
