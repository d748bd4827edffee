/* SPDX-License-Identifier: Apache-2.0 */
/* stats_test.c - TFLite's figures, and the sturdier ones. */
#include "lib/measure/stats.h"
#include "lib/testing/test.h"

#include <math.h>

static struct stats of(const double *v, size_t n)
{
    struct stats s;
    struct err err;

    assert_int_equal(stats_of(v, n, &s, &err), ST_OK);
    return s;
}

static void figures(void **state)
{
    const double v[] = {10, 2, 4, 8, 6};
    struct stats s = of(v, 5);
    char line[320];

    (void)state;
    assert_true(s.first == 10 && s.last == 6 && s.min == 2 && s.max == 10 && s.avg == 6 && s.sum == 30);
    assert_true(fabs(s.std - sqrt(8)) < 1e-12);
    assert_true(s.median == 6 && s.mad == 2);
    assert_string_equal(stats_line(&s, true, line, sizeof line),
                        "count=5 first=10 curr=6 min=2 max=10 avg=6 std=3 p5=2 median=6 p95=10");
    assert_string_equal(stats_line(&s, false, line, sizeof line), "count=5 first=10 curr=6 min=2 max=10 avg=6 std=3");
}

static void special_lines(void **state)
{
    const double same[] = {7, 7, 7};
    struct stats s = of(same, 3);
    char line[320];

    (void)state;
    assert_string_equal(stats_line(&s, true, line, sizeof line), "count=3 curr=7(all same) p5=7 median=7 p95=7");
    s = of(same, 1);
    assert_string_equal(stats_line(&s, false, line, sizeof line), "count=1 curr=7");
    s = of(NULL, 0);
    assert_string_equal(stats_line(&s, true, line, sizeof line), "count=0 p5=0 median=0 p95=0");
    s = of((const double[]){1234567, 1234568.4}, 2);
    assert_string_equal(stats_line(&s, false, line, sizeof line),
                        "count=2 first=1234567 curr=1234568 min=1234567 max=1234568 avg=1234568 std=1");
}

/* Six digits of the mean of the samples as they are, without an exponent. */
static void averages(void **state)
{
    const struct {
        double avg;
        const char *text;
    } rows[] = {
        {0.1503451, "0.150345"}, {13.314159, "13.3142"}, {31118.14, "31118.1"}, {999999.4, "999999"}, {999999.6, "1000000"}};
    char avg[STATS_AVG_SIZE], line[320];
    struct stats s = of((const double[]){0.1, 0.2, 0.151}, 3);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(stats_avg(rows[i].avg, avg), rows[i].text);
    assert_string_equal(stats_line(&s, false, line, sizeof line), "count=3 first=0 curr=0 min=0 max=0 avg=0.150333 std=0");
}

static void percentiles(void **state)
{
    double v[200], some[2];
    struct stats s;
    struct err err;

    (void)state;
    for (int i = 0; i < 200; i++)
        v[i] = i;
    assert_true(sorted_percentile(v, 200, 0) == 0);
    assert_true(sorted_percentile(v, 200, 50) == 100);
    assert_true(sorted_percentile(v, 200, 95) == 190);
    assert_true(sorted_percentile(v, 200, 100) == 199);
    assert_true(sorted_percentile(v, 1, 100) == 0);
    assert_true(sorted_percentile(v, 19, 5) == 0 && sorted_percentile(v, 20, 5) == 1);
    TEST_OK(stats_percentiles(v, 200, (const double[]){99.5, 0}, 2, some, &err), err);
    assert_true(some[0] == 199 && some[1] == 0);
    TEST_OK(stats_percentiles(NULL, 0, (const double[]){50}, 1, some, &err), err);
    assert_true(isnan(some[0]));
    s = of(v, 200);
    assert_true(s.p5 == 10 && s.p25 == 50 && s.p50 == 100 && s.median == 99.5 && s.mad == 50 && s.p75 == 150 && s.p90 == 180 &&
                s.p95 == 190 && s.p99 == 198);
}

static void noise(void **state)
{
    double v[40];
    struct stats s;

    (void)state;
    for (int i = 0; i < 40; i++)
        v[i] = 100 + i % 3;
    v[17] = 1000;
    s = of(v, 40);
    assert_int_equal(s.outliers, 1);
    assert_true(fabs(s.drift) < 0.05);
    for (int i = 0; i < 40; i++)
        v[i] = 100 + i;
    s = of(v, 40);
    assert_true(s.drift > 0.2 && s.drift < 0.4);
    assert_int_equal(s.outliers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),     cmocka_unit_test(special_lines), cmocka_unit_test(averages),
        cmocka_unit_test(percentiles), cmocka_unit_test(noise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
