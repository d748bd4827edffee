/* SPDX-License-Identifier: Apache-2.0 */
/* measure_flags_test.c - lists of percentiles, right and wrong. */
#include "cmd/tool/measure_flags.h"
#include "lib/testing/test.h"

static void lists(void **state)
{
    double p[MEASURE_MAX_PERCENTILES];
    struct err err;
    uint32_t n;

    (void)state;
    TEST_OK(measure_percentiles("50,99.9", p, &n, &err), err);
    assert_true(n == 2 && p[0] == 50 && p[1] == 99.9);
    TEST_OK(measure_percentiles("0, 100,1,2,  3,4,5,6", p, &n, &err), err);
    assert_true(n == 8 && p[0] == 0 && p[7] == 6);
}

static void no_lists(void **state)
{
    const char *const bad[] = {"", ",", "50,", ",50", "50,,60", "101", "-1", "nan", "50 60", "p50", "1,2,3,4,5,6,7,8,9"};
    double p[MEASURE_MAX_PERCENTILES];
    struct err err;
    uint32_t n;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(measure_percentiles(bad[i], p, &n, &err), ST_USAGE);
        assert_non_null(strstr(err.msg, bad[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(no_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
