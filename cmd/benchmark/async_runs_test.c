/* SPDX-License-Identifier: Apache-2.0 */
/* async_runs_test.c - how many runs are handed over before anybody waits. */
#include "cmd/benchmark/async_runs.h"

#include <math.h>

#include "lib/testing/test.h"

static int32_t count(int32_t min_runs, double min_secs, double max_secs, double run_us)
{
    return async_count(&(struct loop_limits){.min_runs = min_runs, .min_secs = min_secs, .max_secs = max_secs}, run_us);
}

static void counts_by_a_known_run(void **state)
{
    (void)state;
    assert_int_equal(count(50, 1, 150, 1000), 1000);
    assert_int_equal(count(50, 1, 150, 1e6), 50);
    assert_int_equal(count(50, 1, 10, 1e6), 10);
    assert_int_equal(count(50, 1, 0.5, 1e6), 1);
    assert_int_equal(count(50, 1, 150, NAN), 50);
    assert_int_equal(count(0, 1, 150, NAN), 1);
    assert_int_equal(count(0, 0, 150, 1000), 0);
    assert_int_equal(count(0, 1e6, 1e6, 1e-3), INT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_by_a_known_run)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
