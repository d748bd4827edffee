/* SPDX-License-Identifier: Apache-2.0 */
/* limits_test.c - what is measured is what is said to be: work that is miscounted, left out or cut off is seen. */
#include "limits.h"

#include <string.h>

#include "../lib/gl/test_gpu.h"

static void open_gpu(struct limit_gpu *g)
{
    struct err err = {""};
    enum status st = limit_open(g, -1, true, &err);

    if (st == ST_NO_GPU)
        test_no_gpu(&err);
    TEST_OK(st, err);
}

static void each_row_is_measured(void **state)
{
    struct limit_gpu g;
    struct limit_result r;
    struct err err = {""};

    (void)state;
    open_gpu(&g);
    g.least_ns = 200000;
    for (size_t i = 0; i < limit_n_rows; i++) {
        TEST_OK(limit_measure(&g, &limit_rows[i], &r, &err), err);
        if (r.why)
            continue;
        assert_true(r.value > 0 && r.low <= r.value && r.value <= r.high && r.high < 1e7);
        assert_true(r.doubled > 0);
    }
    limit_close(&g);
}

/* What claims twice the work that it does, and what does half of the work that it claims. */
static void lies_are_seen(void **state)
{
    struct limit_gpu g;
    struct limit_result r;
    struct err err;

    (void)state;
    open_gpu(&g);
    for (size_t i = 0; i < limit_n_rows; i++) {
        struct limit_row claims = limit_rows[i], skips = limit_rows[i];

        claims.work *= 2;
        skips.passes /= 2;
        if (!claims.work || (skips.halves && !g.halves) || (skips.images && !g.image) || (skips.textures && !g.texture))
            continue;
        if (claims.kind != LIMIT_WRITE) {
            assert_int_equal(limit_measure(&g, &claims, &r, &err), ST_FAILED);
            assert_non_null(strstr(err.msg, "the work is not what it is said to be"));
        }
        assert_int_equal(limit_measure(&g, &skips, &r, &err), ST_FAILED);
        assert_true(!strncmp(err.msg, claims.name, strlen(claims.name)) || claims.textures);
    }
    limit_close(&g);
}

/* The machine may have other things to do: one of several tries is enough. */
static void twice_the_work_takes_twice_the_time(void **state)
{
    struct limit_gpu g;
    struct limit_result r = {0};
    struct err err = {""};
    bool seen = false;

    (void)state;
    open_gpu(&g);
    for (int i = 0; i < 10 && !seen; i++) {
        TEST_OK(limit_measure(&g, &limit_rows[0], &r, &err), err);
        seen = r.doubled > 1.7 && r.doubled < 2.4;
    }
    assert_true(seen);
    limit_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_measured),
        cmocka_unit_test(lies_are_seen),
        cmocka_unit_test(twice_the_work_takes_twice_the_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
