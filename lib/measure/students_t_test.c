/* SPDX-License-Identifier: Apache-2.0 */
/* students_t_test.c - against printed tables, and what has a closed form. */
#include "lib/measure/students_t.h"
#include "lib/testing/test.h"

#include <math.h>

static void quantiles(void **state)
{
    /* Tables of Student's distribution, two-sided. */
    static const struct {
        double p, df, t;
    } rows[] = {{0.05, 1, 12.7062}, {0.05, 2, 4.3027}, {0.05, 4, 2.7764},   {0.05, 8, 2.3060},   {0.01, 4, 4.6041},
                {0.1, 10, 1.8125},  {0.5, 3, 0.7649},  {0.001, 30, 3.6460}, {0.05, 1e7, 1.95996}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(fabs(students_t_quantile(rows[i].p, rows[i].df) - rows[i].t) < 6e-5);
        assert_true(fabs(students_t_p(students_t_quantile(rows[i].p, rows[i].df), rows[i].df) - rows[i].p) < 1e-9);
    }
}

/* With one degree of freedom it is Cauchy's, with two an algebraic function. */
static void closed_forms(void **state)
{
    static const double ts[] = {0, 1e-8, 0.1, 0.5, 1, 2, 17, 1e4};

    (void)state;
    for (size_t i = 0; i < sizeof ts / sizeof *ts; i++) {
        double t = ts[i];

        assert_true(fabs(students_t_p(t, 1) - (1 - atan(t) * 2 / M_PI)) < 1e-10);
        assert_true(fabs(students_t_p(-t, 2) - (1 - t / sqrt(2 + t * t))) < 1e-10);
    }
    assert_true(students_t_p(3, 2.5) < students_t_p(3, 2) && students_t_p(3, 2.5) > students_t_p(3, 3));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(quantiles), cmocka_unit_test(closed_forms)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
