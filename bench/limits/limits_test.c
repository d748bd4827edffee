/* SPDX-License-Identifier: Apache-2.0 */
/* limits_test.c - what is measured is what is said to be: work that is miscounted, left out or cut off is seen. */
#include "bench/limits/limits.h"

#include <stdlib.h>
#include <string.h>

#include "lib/gl/testing/test_gpu.h"

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
        if (!skips.passes)
            continue;
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

/* The best of the row in one measurement. Of multiply-adds, with some numbers of chains, the probe's or not. */
static double best_of(struct limit_gpu *g, const struct limit_row *row)
{
    static const uint32_t some[] = {2, 3, 4, 6, 8};
    const size_t n = row->kind == LIMIT_MAD ? sizeof some / sizeof *some : 1;
    struct limit_result r;
    struct err err = {""};
    double best = 0;

    for (size_t i = 0; i < n; i++) {
        g->chains[row->number] = some[i];
        TEST_OK(limit_measure(g, row, &r, &err), err);
        best = r.high > best ? r.high : best;
    }
    return best;
}

/* Of several runs by turns, each of which may have been disturbed, the best of the rows is no more than `factor` times what the
 * probe says, and not much less. */
static void agree(struct limit_gpu *g, const char *const *names, double (*of)(const struct device_peak *), double factor)
{
    double best = 0, probed = 0, now;

    for (int i = 0; i < 40 && (i < 3 || best > factor * probed || probed > 1.5 * best); i++) {
        struct device_peak peak;
        struct err err = {""};

        TEST_OK(gl_probe(g->context, &g->wait, g->halves, &peak, &err), err);
        probed = of(&peak) > probed ? of(&peak) : probed;
        for (size_t k = 0; k < limit_n_rows; k++)
            for (const char *const *name = names; *name; name++)
                if (!strcmp(limit_rows[k].name, *name) && (now = best_of(g, &limit_rows[k])) > best)
                    best = now;
    }
    if (!(best > 0) || best > factor * probed || probed > 1.5 * best)
        fail_msg("%s reaches %.4g, the probe of profiles %.4g", names[0], best, probed);
}

static double floats(const struct device_peak *p)
{
    return p->gflops;
}

static double half_floats(const struct device_peak *p)
{
    return p->half_gflops;
}

static double copied(const struct device_peak *p)
{
    return p->gbytes;
}

static double bytes_read(const struct device_peak *p)
{
    return p->read_gbytes;
}

static void limits_of_profiles_are_these(void **state)
{
    static const char *const mads[] = {"mad_fp32", NULL}, *const half_mads[] = {"mad_fp16", NULL},
                             *const copies[] = {"buffer_copy", "image_copy", "texture_copy", NULL},
                             *const reads[] = {"buffer_read_4mib", "image_read_4mib", "texture_read_4mib", NULL};
    struct limit_gpu g;

    (void)state;
    open_gpu(&g);
    g.least_ns = 500000; /* what is short is disturbed less often */
    g.groups = 2;
    g.samples = 7;
    agree(&g, mads, floats, 1.1);
    agree(&g, copies, copied, 1.25);
    agree(&g, reads, bytes_read, 1.25);
    if (g.halves)
        agree(&g, half_mads, half_floats, 1.1);
    limit_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_measured),
        cmocka_unit_test(lies_are_seen),
        cmocka_unit_test(twice_the_work_takes_twice_the_time),
        cmocka_unit_test(limits_of_profiles_are_these),
    };

    setenv("LP_NUM_THREADS", "0", 0); /* one thread is disturbed less often than two that wait for each other */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
