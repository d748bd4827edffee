/* SPDX-License-Identifier: Apache-2.0 */
/* wilson_test.c - against scipy's proportion_ci and binomtest, and against plain counting. */
#include "lib/eval/wilson.h"
#include "lib/testing/test.h"

#include <math.h>

static void intervals(void **state)
{
    /* scipy.stats.binomtest(k, n).proportion_ci(method="wilson") */
    static const struct {
        uint64_t k, n;
        double low, high;
    } rows[] = {{0, 1, 0, 0.79345068562276255},
                {1, 1, 0.20654931437723745, 1},
                {1, 2, 0.094531205734230739, 0.90546879426576932},
                {0, 10, 0, 0.27753279986288926},
                {7, 10, 0.39677814746114526, 0.89220873259369904},
                {10, 10, 0.72246720013711085, 1},
                {193, 200, 0.92952938847770916, 0.98294445799143282},
                {37123, 50000, 0.738608624145628, 0.74627412271227356},
                {1, 1000000, 1.7652457674537091e-07, 5.664911804311442e-06}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct interval got = wilson_interval(rows[i].k, rows[i].n);

        if (fabs(got.low - rows[i].low) > 1e-12 || fabs(got.high - rows[i].high) > 1e-12)
            fail_msg("%d of %d: %.15g to %.15g", (int)rows[i].k, (int)rows[i].n, got.low, got.high);
    }
    assert_true(isnan(wilson_interval(0, 0).low) && isnan(wilson_interval(0, 0).high));
}

static void tests(void **state)
{
    /* scipy.stats.binomtest(a, a + b).pvalue */
    static const struct {
        uint64_t a, b;
        double p;
    } rows[] = {{0, 0, 1},
                {0, 1, 1},
                {0, 5, 0.0625},
                {3, 10, 0.09228515625},
                {10, 10, 1},
                {25, 31, 0.5044037600228255},
                {120, 180, 0.00063422000692835655},
                {0, 60, 1.7347234759768071e-18},
                {400, 2000, 7.7300891924374929e-255},
                {24900, 25100, 0.3734901856394342}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double got = wilson_mcnemar(rows[i].a, rows[i].b);

        if (fabs(got - rows[i].p) > 1e-9 * rows[i].p)
            fail_msg("%d and %d: %.15g", (int)rows[i].a, (int)rows[i].b, got);
        assert_true(got == wilson_mcnemar(rows[i].b, rows[i].a));
    }
}

/* All coins of up to 16 pictures. */
static void as_counted(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 16; n++)
        for (uint64_t a = 0; a <= n; a++) {
            uint64_t uneven = 0;
            const uint64_t far = a > n - a ? a - (n - a) : n - a - a;

            for (uint32_t coins = 0; coins < 1u << n; coins++) {
                const uint64_t heads = (uint64_t)__builtin_popcount(coins);

                uneven += (heads > n - heads ? heads - (n - heads) : n - heads - heads) >= far;
            }
            assert_true(fabs(wilson_mcnemar(a, n - a) - (double)uneven / (double)(1u << n)) < 1e-12);
        }
}

int main(void)
{
    static const struct CMUnitTest all[] = {cmocka_unit_test(intervals), cmocka_unit_test(tests), cmocka_unit_test(as_counted)};

    return cmocka_run_group_tests(all, NULL, NULL);
}
