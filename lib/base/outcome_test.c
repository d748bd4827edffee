/* SPDX-License-Identifier: Apache-2.0 */
/* outcome_test.c - the exit statuses that are promised. */
#include "lib/base/err.h"
#include "lib/base/outcome.h"
#include "lib/testing/test.h"

static void nothing_failed(void **state)
{
    (void)state;
    assert_int_equal(outcome_exit_code(outcome_of(true, false)), 0);
    assert_int_equal(outcome_exit_code(outcome_of(false, false)), 1);
    assert_int_equal(outcome_exit_code(outcome_of(true, true)), 130);
    assert_int_equal(outcome_exit_code(outcome_of(false, true)), 130); /* an interrupted run is no verdict */
}

static void failures(void **state)
{
    (void)state;
    assert_int_equal(status_exit_code(ST_OK), 0);
    assert_int_equal(status_exit_code(ST_USAGE), 2);
    assert_int_equal(status_exit_code(ST_BAD_MODEL), 2);
    assert_int_equal(status_exit_code(ST_UNSUPPORTED), 2);
    assert_int_equal(status_exit_code(ST_IO), 2);
    assert_int_equal(status_exit_code(ST_NO_GPU), 3);
    assert_int_equal(status_exit_code(ST_FAILED), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_failed),
        cmocka_unit_test(failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
