/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop_test.c - how often something runs. */
#include "bench_loop.h"
#include "clock.h"
#include "test.h"

#include <time.h>

struct counter {
    size_t runs, fail_at; /* fail_at 0: never */
};

static enum status count(void *arg, struct err *err)
{
    struct counter *c = arg;

    c->runs++;
    return c->runs == c->fail_at ? err_set(err, ST_FAILED, "run %zu fails as told", c->runs) : ST_OK;
}

static size_t loop(struct loop_limits limits, size_t fail_at, enum status expected)
{
    struct counter c = {.fail_at = fail_at};
    struct samples s = {0};
    struct err err;

    assert_int_equal(bench_loop(count, &c, &limits, NULL, &s, &err), expected);
    assert_int_equal(s.n, c.runs - (expected != ST_OK));
    samples_free(&s);
    return c.runs;
}

static void counts(void **state)
{
    (void)state;
    assert_int_equal(loop((struct loop_limits){1, 0, 150, -1}, 0, ST_OK), 1);
    assert_int_equal(loop((struct loop_limits){5000, 0, 150, -1}, 0, ST_OK), 5000);
    assert_int_equal(loop((struct loop_limits){0, 0, 150, -1}, 0, ST_OK), 0);
}

static void time_limits(void **state)
{
    (void)state;
    assert_true(loop((struct loop_limits){1, 0.02, 150, -1}, 0, ST_OK) > 1);
    assert_int_equal(loop((struct loop_limits){1000000, 0, 0, -1}, 0, ST_OK), 1);
    assert_int_equal(loop((struct loop_limits){2, 0.005, 150, 0.01}, 0, ST_OK), 2);
}

static void a_failing_run_ends_it(void **state)
{
    (void)state;
    assert_int_equal(loop((struct loop_limits){50, 0, 150, -1}, 3, ST_FAILED), 3);
}

/* The second and third run begin after one delay and after two, which are no part of their times. */
static void delays_do_not_count(void **state)
{
    struct counter c = {0};
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(count, &c, &(struct loop_limits){3, 0, 150, 0.05}, NULL, &s, &err), err);
    assert_int_equal(s.n, 3);
    assert_true(s.us[1] < 50e3 || s.us[2] < 50e3);
    samples_free(&s);
}

struct paced {
    uint64_t begin[6];
    size_t runs;
    double first_takes_secs;
};

static enum status run_paced(void *arg, struct err *err)
{
    struct paced *p = arg;

    (void)err;
    p->begin[p->runs++] = clock_ns();
    if (p->runs == 1 && p->first_takes_secs > 0)
        nanosleep(&(struct timespec){0, (long)(p->first_takes_secs * 1e9)}, NULL);
    return ST_OK;
}

/* Run k begins no sooner than k / runs_per_sec after the first, whatever the delay; those behind a long one at once. */
static void a_pace_is_kept(void **state)
{
    const struct loop_limits limits = {.min_runs = 6, .max_secs = 150, .delay_secs = 20, .runs_per_sec = 10};
    struct paced even = {.runs = 0}, late = {.first_takes_secs = 0.6};
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(run_paced, &even, &limits, NULL, &s, &err), err);
    for (uint64_t k = 1; k < 6; k++)
        assert_true(even.begin[k] - even.begin[0] > k * 99000000);
    samples_free(&s);
    TEST_OK(bench_loop(run_paced, &late, &limits, NULL, &s, &err), err);
    assert_true(late.begin[5] - late.begin[1] < 400000000);
    samples_free(&s);
}

static bool at_once(void)
{
    return true;
}

static void stops_when_told(void **state)
{
    struct counter c = {0};
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(count, &c, &(struct loop_limits){3, 1, 150, -1}, at_once, &s, &err), err);
    assert_int_equal(c.runs, 0);
    samples_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(time_limits),
        cmocka_unit_test(a_failing_run_ends_it),
        cmocka_unit_test(delays_do_not_count),
        cmocka_unit_test(a_pace_is_kept),
        cmocka_unit_test(stops_when_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
