/* SPDX-License-Identifier: Apache-2.0 */
/* concurrency_test.c - which runs count, and shares whose index is known. */
#include "lib/measure/concurrency.h"
#include "lib/testing/test.h"

#include <math.h>

static struct err err;

static void runs_beside_all_others_count(void **state)
{
    const struct run_span slow[] = {{10, 40, 1}, {41, 70, 2}, {71, 100, 3}};
    const struct run_span fast[] = {{5, 15, 4}, {16, 26, 5}, {27, 37, 6}, {38, 48, 7}};
    const struct worker_runs w[] = {{slow, 3, 1}, {fast, 4, 2}};
    struct counted_runs out[2] = {0};

    (void)state;
    TEST_OK(concurrency_add(w, 2, out, &err), err); /* from 10 to 48 */
    assert_true(out[0].samples.n == 1 && out[0].samples.us[0] == 1 && out[0].runs == 1);
    assert_true(out[1].samples.n == 3 && out[1].samples.us[0] == 5 && out[1].samples.us[2] == 7);
    assert_float_equal(concurrency_rate(&out[1]), 6 / 38e-9, 1); /* every second run has a sample */
    TEST_OK(concurrency_add(w + 1, 1, out + 1, &err), err);      /* alone all count, behind those before */
    assert_true(out[1].samples.n == 7 && out[1].samples.us[3] == 4 && out[1].runs == 14);
    samples_free(&out[0].samples);
    samples_free(&out[1].samples);
}

static void runs_without_company_do_not(void **state)
{
    const struct run_span early[] = {{0, 10, 1}}, late[] = {{11, 20, 2}};
    const struct worker_runs apart[] = {{early, 1, 1}, {late, 1, 1}}, none[] = {{early, 1, 1}, {late, 0, 1}};
    struct counted_runs out[2] = {0};

    (void)state;
    TEST_OK(concurrency_add(apart, 2, out, &err), err);
    TEST_OK(concurrency_add(none, 2, out, &err), err);
    assert_true(out[0].samples.n == 0 && out[1].samples.n == 0 && out[0].secs == 0 && concurrency_rate(&out[0]) == 0);
}

static void fairness(void **state)
{
    (void)state;
    assert_float_equal(jain_index((double[]){0.5, 0.5, 0.5}, 3), 1, 1e-15);
    assert_float_equal(jain_index((double[]){1, 0, 0, 0}, 4), 0.25, 1e-15);
    assert_float_equal(jain_index((double[]){1, 0.5}, 2), 0.9, 1e-15);
    assert_true(isnan(jain_index((double[]){0, 0}, 2)) && isnan(jain_index(NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_beside_all_others_count),
                                       cmocka_unit_test(runs_without_company_do_not), cmocka_unit_test(fairness)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
