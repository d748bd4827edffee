/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop_test.c - how often something runs. */
#include "lib/base/clock.h"
#include "lib/measure/bench_loop.h"
#include "lib/testing/test.h"

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
    struct loop_job job = {.run = count, .arg = &c};
    struct loop_result result;
    struct samples s = {0};
    struct err err;

    assert_int_equal(bench_loop(&job, &limits, &s, &result, &err), expected);
    assert_int_equal(s.n, c.runs - (expected != ST_OK));
    samples_free(&s);
    return c.runs;
}

static void counts(void **state)
{
    (void)state;
    assert_int_equal(loop((struct loop_limits){1, 0, 150, -1, 0, 0}, 0, ST_OK), 1);
    assert_int_equal(loop((struct loop_limits){5000, 0, 150, -1, 0, 0}, 0, ST_OK), 5000);
    assert_int_equal(loop((struct loop_limits){0, 0, 150, -1, 0, 0}, 0, ST_OK), 0);
}

static void time_limits(void **state)
{
    (void)state;
    assert_true(loop((struct loop_limits){1, 0.02, 150, -1, 0, 0}, 0, ST_OK) > 1);
    assert_int_equal(loop((struct loop_limits){1000000, 0, 0, -1, 0, 0}, 0, ST_OK), 1);
    assert_int_equal(loop((struct loop_limits){2, 0.005, 150, 0.01, 0, 0}, 0, ST_OK), 2);
}

static void a_failing_run_ends_it(void **state)
{
    (void)state;
    assert_int_equal(loop((struct loop_limits){50, 0, 150, -1, 0, 0}, 3, ST_FAILED), 3);
}

/* The second and third run begin after one delay and after two, which are no part of their times. */
static void delays_do_not_count(void **state)
{
    struct counter c = {0};
    struct loop_job job = {.run = count, .arg = &c};
    struct loop_result result;
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(&job, &(struct loop_limits){3, 0, 150, 0.05, 0, 0}, &s, &result, &err), err);
    assert_true(result.secs >= 0.15);
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

/* A test of how long something takes at most is tried again where other work of the machine made it longer. */
enum { TRIES = 5 };

/* Run k begins no sooner than k / runs_per_sec after the first, whatever the delay; those behind a long one at once. */
static void a_pace_is_kept(void **state)
{
    const struct loop_limits limits = {.min_runs = 6, .max_secs = 150, .delay_secs = 20, .runs_per_sec = 10};
    struct paced even = {.runs = 0};
    uint64_t behind = UINT64_MAX;
    struct loop_result result;
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(&(struct loop_job){.run = run_paced, .arg = &even}, &limits, &s, &result, &err), err);
    for (uint64_t k = 1; k < 6; k++)
        assert_true(even.begin[k] - even.begin[0] > k * 99000000);
    samples_free(&s);
    for (int i = 0; i < TRIES && behind >= 400000000; i++) {
        struct paced late = {.first_takes_secs = 0.6};

        TEST_OK(bench_loop(&(struct loop_job){.run = run_paced, .arg = &late}, &limits, &s, &result, &err), err);
        behind = late.begin[5] - late.begin[1];
        samples_free(&s);
    }
    assert_in_range(behind, 0, 399999999);
}

static bool at_once(void)
{
    return true;
}

static void stops_when_told(void **state)
{
    struct counter c = {0};
    struct loop_job job = {.run = count, .arg = &c, .stop = at_once};
    struct loop_result result;
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(&job, &(struct loop_limits){3, 1, 150, -1, 0, 0}, &s, &result, &err), err);
    assert_int_equal(c.runs, 0);
    assert_int_equal(result.end, LOOP_STOPPED);
    samples_free(&s);
}

static void steadiness(void **state)
{
    const double falling[] = {100, 90, 80, 70}, settled[] = {100, 100, 50, 50, 51, 49}, late[] = {50, 50, 50, 51, 60, 61};
    const double one_odd[] = {9, 9, 9, 9, 10, 10, 90, 10, 10, 10, 10, 10};
    struct err err;
    bool steady;

    (void)state;
    TEST_OK(loop_steady(settled, 3, &steady, &err), err);
    assert_false(steady);
    TEST_OK(loop_steady(falling, 4, &steady, &err), err);
    assert_false(steady);
    TEST_OK(loop_steady(settled, 6, &steady, &err), err);
    assert_true(steady);
    TEST_OK(loop_steady(late, 6, &steady, &err), err);
    assert_false(steady);
    TEST_OK(loop_steady(one_odd, 12, &steady, &err), err);
    assert_true(steady);
}

/* Sleeps shorter and shorter, until the `settles_at`th run. */
struct settling {
    size_t runs, settles_at, told;
};

static enum status settle(void *arg, struct err *err)
{
    struct settling *s = arg;
    size_t left = s->settles_at > s->runs ? s->settles_at - s->runs : 0;
    uint64_t until = clock_ns() + 100000 + 100000 * left;

    (void)err;
    s->runs++;
    while (clock_ns() < until)
        ;
    return ST_OK;
}

static void count_told(void *arg, size_t runs, double run_secs)
{
    struct settling *s = arg;

    s->told++;
    assert_int_equal(runs, s->told);
    assert_true(run_secs > 0);
}

static void ends_when_steady(void **state)
{
    struct settling s = {0};
    struct loop_job job = {.run = settle, .arg = &s, .progress = count_told, .progress_arg = &s};
    struct loop_limits limits = {20, 0.001, 150, -1, 0, 10};
    struct loop_result result = {.end = LOOP_UNSTEADY};
    struct samples samples = {0};
    struct err err;

    (void)state;
    for (int i = 0; i < TRIES && !(result.end == LOOP_STEADY && s.runs > 30); i++) {
        s = (struct settling){.settles_at = 40};
        TEST_OK(bench_loop(&job, &limits, &samples, &result, &err), err);
        assert_int_equal(s.told, s.runs);
        samples_free(&samples);
    }
    assert_int_equal(result.end, LOOP_STEADY);
    assert_true(s.runs > 30);
    /* Where something else runs, its pauses may make all runs alike. */
    limits.steady_secs = 0.02;
    for (int i = 0; i < TRIES && result.end != LOOP_UNSTEADY; i++) {
        s = (struct settling){.settles_at = 40};
        TEST_OK(bench_loop(&job, &limits, &samples, &result, &err), err);
        samples_free(&samples);
    }
    assert_int_equal(result.end, LOOP_UNSTEADY);
    s = (struct settling){0};
    limits = (struct loop_limits){2, 0, 150, -1, 0, 0};
    TEST_OK(bench_loop(&job, &limits, &samples, &result, &err), err);
    assert_int_equal(result.end, LOOP_MINIMA);
    assert_int_equal(samples.n, 2);
    samples_free(&samples);
    limits = (struct loop_limits){1000000, 0, 0.01, -1, 0, 0};
    s = (struct settling){0};
    TEST_OK(bench_loop(&job, &limits, &samples, &result, &err), err);
    assert_int_equal(result.end, LOOP_MAX_SECS);
    samples_free(&samples);
}

static enum status give_up(void *arg, struct err *err)
{
    struct counter *c = arg;

    (void)err;
    return ++c->runs == 3 ? ST_LATER : ST_OK;
}

static void a_run_given_up_ends_it_and_does_not_count(void **state)
{
    const struct loop_limits limits = {.min_runs = 50, .max_secs = 150};
    struct counter c = {0};
    struct loop_job job = {.run = give_up, .arg = &c};
    struct loop_result result;
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(&job, &limits, &s, &result, &err), err);
    assert_int_equal(result.end, LOOP_STOPPED);
    assert_true(result.given_up);
    assert_int_equal(c.runs, 3);
    assert_int_equal(s.n, 2);
    samples_free(&s);
}

static enum status take_a_millisecond(void *arg, struct err *err)
{
    const uint64_t until = clock_ns() + 1000000;

    (void)arg;
    (void)err;
    while (clock_ns() < until)
        ;
    return ST_OK;
}

static void times_are_of_one_inference(void **state)
{
    const struct loop_job job = {.run = take_a_millisecond, .inferences = 1000};
    const struct loop_limits limits = {.min_runs = 1, .max_secs = 150};
    struct loop_result result;
    struct samples s = {0};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(&job, &limits, &s, &result, &err), err);
    assert_true(s.us[0] >= 1 && s.us[0] < 500);
    samples_free(&s);
}

/* Takes 1 to 20 microseconds. */
static enum status spin(void *arg, struct err *err)
{
    const uint64_t end = clock_ns() + 1000 * (1 + ((struct counter *)arg)->runs % 20);

    while (clock_ns() < end)
        ;
    return count(arg, err);
}

static enum loop_end end_of(struct loop_limits limits, size_t *runs)
{
    struct counter c = {0};
    struct loop_job job = {.run = spin, .arg = &c};
    struct loop_result result;
    struct samples s = {0};
    struct err err;

    TEST_OK(bench_loop(&job, &limits, &s, &result, &err), err);
    samples_free(&s);
    *runs = c.runs;
    return result.end;
}

/* Until the interval of the median is narrow, between the least and the most of runs and time. */
static void stops_at_a_narrow_interval(void **state)
{
    static const double ten[] = {100, 101, 99, 102, 98, 100, 101, 99, 100, 100};
    struct err err;
    size_t runs;
    bool narrow;

    (void)state;
    TEST_OK(loop_narrow(ten, 10, 0.02, &narrow, &err), err);
    assert_true(narrow);
    TEST_OK(loop_narrow(ten, 10, 0.005, &narrow, &err), err);
    assert_false(narrow);
    TEST_OK(loop_narrow(ten, 5, 1, &narrow, &err), err);
    assert_false(narrow); /* five runs have no interval */
    TEST_OK(loop_narrow(ten, 0, 1, &narrow, &err), err);
    assert_false(narrow);
    assert_int_equal(end_of((struct loop_limits){.min_runs = 1, .max_secs = 150, .narrow = 1e9}, &runs), LOOP_NARROW);
    assert_in_range(runs, 6, 7);
    assert_int_equal(end_of((struct loop_limits){.min_runs = 40, .max_secs = 150, .narrow = 1e9}, &runs), LOOP_NARROW);
    assert_int_equal(runs, 40);
    assert_int_equal(end_of((struct loop_limits){.min_runs = 1, .max_secs = 0.01, .narrow = 1e-300}, &runs), LOOP_WIDE);
    assert_true(runs > 1);
}

/* Every third run is disturbed, by something else each time. */
static uint32_t every_third(void *arg)
{
    const struct counter *c = arg;

    return c->runs % 3 ? 0 : (uint32_t)c->runs / 3;
}

static uint32_t always(void *arg)
{
    (void)arg;
    return 1;
}

static void disturbed_runs_do_not_count(void **state)
{
    struct counter c = {0};
    struct left_out left = {0};
    struct loop_job job = {.run = count, .arg = &c, .disturbed = every_third, .disturbed_arg = &c, .left_out = &left};
    const struct loop_limits limits = {.min_runs = 200, .max_secs = 150}, short_limits = {.min_runs = 5, .max_secs = 0.002};
    struct loop_result result;
    struct samples s = {.begins = true};
    struct err err;

    (void)state;
    TEST_OK(bench_loop(&job, &limits, &s, &result, &err), err);
    assert_true(s.n == 200 && left.n == 99 && c.runs == 299 && result.end == LOOP_MINIMA);
    for (size_t i = 0; i < left.n; i++) {
        assert_true(left.runs[i].why == i + 1 && left.runs[i].before == 2 * (i + 1));
        assert_true(left.runs[i].begin_us > s.begin_us[left.runs[i].before - 1]);
        assert_true(left.runs[i].begin_us + left.runs[i].us < s.begin_us[left.runs[i].before]);
    }
    job.disturbed = always;
    s.n = left.n = 0;
    TEST_OK(bench_loop(&job, &short_limits, &s, &result, &err), err);
    assert_true(s.n == 0 && left.n > 0 && result.end == LOOP_MAX_SECS);
    samples_free(&s);
    left_out_free(&left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(time_limits),
        cmocka_unit_test(stops_at_a_narrow_interval),
        cmocka_unit_test(a_failing_run_ends_it),
        cmocka_unit_test(delays_do_not_count),
        cmocka_unit_test(a_pace_is_kept),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(a_run_given_up_ends_it_and_does_not_count),
        cmocka_unit_test(steadiness),
        cmocka_unit_test(ends_when_steady),
        cmocka_unit_test(times_are_of_one_inference),
        cmocka_unit_test(disturbed_runs_do_not_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
