/* SPDX-License-Identifier: Apache-2.0 */
/* sustained_test.c - the windows at either end, and what lies in the middle left out. */
#include "lib/measure/sustained.h"
#include "lib/testing/test.h"

#include <math.h>

enum { N = 20000 };
static double us[N];

/* 200 s: the first 70 at 10 ms or 11, then 20 ms or 21. */
static void a_minute_of_long_runs(void **state)
{
    struct sustained s;
    struct err err;
    double secs = 0;
    size_t n = 0;

    (void)state;
    for (; n < N && secs < 200; n++, secs += us[n - 1] / 1e6)
        us[n] = (secs < 70 ? 10000 : 20000) + (n % 3 ? 1000 : 0);
    assert_true(secs >= 200);
    us[n / 2] = 5e6; /* in neither window, but enough to bring the fifth below a minute */
    TEST_OK(sustained_of(us, n, &s, &err), err);
    assert_true(fabs(s.window_secs - 41) < 0.1);
    us[n / 2] = 200e6;
    TEST_OK(sustained_of(us, n, &s, &err), err);
    assert_true(s.window_secs == 60);
    assert_in_range(s.n_first, 5624, 5626);
    assert_true(s.first_us == 11000 && s.last_us == 21000);
    assert_true(fabs(s.ratio.ratio - 21.0 / 11) < 1e-9 && s.ratio.interval.low > 1.5 && s.test.p < 1e-9);
    assert_int_equal(s.verdict, SUSTAINED_SLOWER);
}

static void a_fifth_of_short_ones(void **state)
{
    const double v[] = {10, 10, 1, 1, 1, 1, 1, 1, 12, 12}, uneven[] = {2, 2, 2, 2, 12, 10, 10};
    struct sustained s;
    struct err err;

    (void)state;
    TEST_OK(sustained_of(v, 10, &s, &err), err);
    assert_true(s.window_secs == 10e-6);
    assert_true(s.n_first == 1 && s.n_last == 1 && s.first_us == 10 && s.last_us == 12 && s.ratio.ratio == 1.2);
    TEST_OK(sustained_of(uneven, 7, &s, &err), err);
    assert_true(s.n_first == 4 && s.n_last == 1 && s.first_us == 2 && s.last_us == 10);
    TEST_OK(sustained_of(v, 0, &s, &err), err);
    assert_int_equal(s.n_first, 0);
}

/* The verdict of times from 100 to 100 + 10 * scatter us, the last half of them `by` times as long. */
static enum sustained_verdict verdict_of_change(double by, double scatter, size_t n)
{
    struct sustained s;
    struct err err;

    for (size_t i = 0; i < n; i++)
        us[i] = (100 + scatter * (double)(i * 7 % 11)) * (i < n / 2 ? 1 : by);
    TEST_OK(sustained_of(us, n, &s, &err), err);
    return s.verdict;
}

static void a_verdict_needs_two_percent(void **state)
{
    (void)state;
    assert_int_equal(verdict_of_change(1, 0.1, 500), SUSTAINED_SAME);
    assert_int_equal(verdict_of_change(1.01, 0.01, 500), SUSTAINED_SAME);
    assert_int_equal(verdict_of_change(1 / 1.01, 0.01, 500), SUSTAINED_SAME);
    assert_int_equal(verdict_of_change(1.03, 0.01, 500), SUSTAINED_SLOWER);
    assert_int_equal(verdict_of_change(1 / 1.03, 0.01, 500), SUSTAINED_FASTER);
    assert_int_equal(verdict_of_change(1.02, 5, 100), SUSTAINED_UNKNOWN);
    assert_int_equal(verdict_of_change(2, 0, 10), SUSTAINED_UNKNOWN); /* windows too short for an interval */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_minute_of_long_runs),
        cmocka_unit_test(a_fifth_of_short_ones),
        cmocka_unit_test(a_verdict_needs_two_percent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
