/* SPDX-License-Identifier: Apache-2.0 */
/* comparison_test.c - verdicts on lists whose difference is known. */
#include "lib/measure/comparison.h"
#include "lib/testing/test.h"

#include <math.h>

static struct err err;

static double list[2][40];

/* Fills both lists: `old` and old times `factor`, the second in another order. */
static void fill(size_t n, double factor)
{
    for (size_t i = 0; i < n; i++) {
        list[0][i] = 100 + (double)i;
        list[1][n - 1 - i] = list[0][i] * factor;
    }
}

static struct comparison compare(size_t n_old, size_t n_new)
{
    struct comparison c, *all[] = {&c};

    TEST_OK(compare_times(list[0], n_old, list[1], n_new, &c, &err), err);
    TEST_OK(compare_all(all, 1, 0.05, &err), err);
    return c;
}

static void verdicts(void **state)
{
    struct comparison c;

    (void)state;
    fill(40, 1.5);
    c = compare(40, 40);
    assert_int_equal(c.verdict, VERDICT_SLOWER);
    assert_true(c.old_median == 119.5 && c.new_median == 179.25 && c.change.ratio == 1.5);
    assert_true(c.change.interval.low > 1.3 && c.change.interval.low <= 1.5 && c.change.interval.high < 1.7);
    assert_true(c.p == c.p_adjusted && c.p < 1e-9);
    fill(40, 0.5);
    assert_int_equal(compare(40, 40).verdict, VERDICT_FASTER);
    fill(40, 1);
    c = compare(40, 40);
    assert_int_equal(c.verdict, VERDICT_NONE);
    assert_true(c.p == 1 && c.change.ratio == 1);
    /* Two runs each can show nothing, however far apart. */
    fill(2, 1000);
    assert_int_equal(compare(2, 2).verdict, VERDICT_NONE);
}

static void nothing_to_test(void **state)
{
    struct comparison c;

    (void)state;
    fill(5, 2);
    c = compare(0, 5);
    assert_int_equal(c.verdict, VERDICT_UNTESTED);
    assert_true(isnan(c.p) && isnan(c.p_adjusted) && isnan(c.old_median) && isnan(c.change.ratio));
    assert_int_equal(compare(0, 0).verdict, VERDICT_UNTESTED);
}

/* The values are those of statsmodels' multipletests(p, method="holm"). */
static void holm(void **state)
{
    static const double p[] = {0.01, 0.04, NAN, 0.03, 0.005, 0.9}, adjusted[] = {0.04, 0.09, NAN, 0.09, 0.025, 0.9};
    struct comparison c[6] = {0}, *all[6];

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        c[i] = (struct comparison){.p = p[i], .old_median = 1, .new_median = 2};
        all[i] = &c[i];
    }
    TEST_OK(compare_all(all, 6, 0.05, &err), err);
    for (size_t i = 0; i < 6; i++) {
        assert_true(isnan(p[i]) || fabs(c[i].p_adjusted - adjusted[i]) < 1e-12);
        assert_int_equal(c[i].verdict, isnan(p[i]) ? VERDICT_UNTESTED : adjusted[i] < 0.05 ? VERDICT_SLOWER : VERDICT_NONE);
    }
    /* Equal medians are no difference, whatever the ranks say. */
    c[0] = (struct comparison){.p = 1e-9, .old_median = 1, .new_median = 1};
    TEST_OK(compare_all(all, 1, 0.05, &err), err);
    assert_int_equal(c[0].verdict, VERDICT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(nothing_to_test),
        cmocka_unit_test(holm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
