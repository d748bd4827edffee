/* SPDX-License-Identifier: Apache-2.0 */
/* growth_test.c - slopes that are known, and noise that has none. */
#include "lib/measure/growth.h"
#include "lib/testing/test.h"

#include <math.h>

static struct err err;

static struct growth growth(const double *v, size_t n)
{
    struct growth g;

    TEST_OK(growth_of(v, n, &g, &err), err);
    return g;
}

static void slopes(void **state)
{
    double v[60];
    struct growth g;

    (void)state;
    for (int i = 0; i < 60; i++)
        v[i] = 1000 + 64 * i;
    v[7] = 1e6; /* one value beside the others changes nothing */
    g = growth(v, 60);
    assert_true(g.slope == 64 && g.interval.low > 60 && g.interval.high < 70);
    for (int i = 0; i < 60; i++)
        v[i] = 5;
    g = growth(v, 60);
    assert_true(g.slope == 0 && g.interval.low == 0 && g.interval.high == 0);
    for (int i = 0; i < 60; i++)
        v[i] = i < 30 ? 100 : 5000; /* a step is no growth from each to the next */
    assert_true(growth(v, 60).interval.low <= 200);
    assert_true(isnan(growth(v, 1).slope) && growth(v, 2).slope == 0 && isnan(growth(v, 3).interval.low));
}

/* Noise without growth: the interval holds 0 in 95 of 100. */
static void noise(void **state)
{
    uint64_t seed = 7;
    int held = 0;
    double v[40];

    (void)state;
    for (int k = 0; k < 400; k++) {
        struct growth g;

        for (int i = 0; i < 40; i++)
            v[i] = (double)(test_random(&seed) % 100000);
        g = growth(v, 40);
        held += g.interval.low <= 0 && g.interval.high >= 0;
    }
    assert_in_range(held, 370, 395);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(slopes), cmocka_unit_test(noise)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
