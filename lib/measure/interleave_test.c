/* SPDX-License-Identifier: Apache-2.0 */
/* interleave_test.c - whose turn it is, and when the rounds end. */
#include "lib/base/clock.h"
#include "lib/measure/interleave.h"
#include "lib/testing/test.h"

static char order[64];

struct player {
    char name;
    int runs, fail_at; /* fail_at 0: never */
    double secs;
};

static enum status play(void *arg, struct err *err)
{
    struct player *p = arg;
    uint64_t until = clock_ns() + (uint64_t)(p->secs * 1e9);
    size_t n = strlen(order);

    if (n + 1 < sizeof order)
        order[n] = p->name;
    p->runs++;
    while (clock_ns() < until)
        ;
    return p->runs == p->fail_at ? err_set(err, ST_FAILED, "%c fails as told", p->name) : ST_OK;
}

static struct loop_result take_turns(struct player *p, size_t n, struct contender *c, struct loop_limits limits,
                                     const struct loop_job *watch)
{
    struct loop_result result;
    struct err err;

    memset(order, 0, sizeof order);
    for (size_t i = 0; i < n; i++)
        c[i] = (struct contender){.run = play, .arg = &p[i]};
    TEST_OK(interleave(c, n, watch, &limits, &result, &err), err);
    for (size_t i = 0; i < n; i++)
        samples_free(&c[i].samples);
    return result;
}

static void in_turns(void **state)
{
    struct player p[] = {{.name = 'A'}, {.name = 'B'}, {.name = 'C'}};
    struct contender c[3];

    (void)state;
    assert_int_equal(take_turns(p, 3, c, (struct loop_limits){3, 0, 150, 0, 0, 0}, &(struct loop_job){0}).end, LOOP_MINIMA);
    assert_string_equal(order, "ABCABCABC");
}

/* The others go on, for as many rounds as asked for. */
static void one_fails(void **state)
{
    struct player p[] = {{.name = 'A'}, {.name = 'B', .fail_at = 2}, {.name = 'C'}};
    struct contender c[3];

    (void)state;
    take_turns(p, 3, c, (struct loop_limits){3, 0, 150, 0, 0, 0}, &(struct loop_job){0});
    assert_string_equal(order, "ABCABCAC");
    assert_int_equal(c[1].failed, ST_FAILED);
    assert_string_equal(c[1].err.msg, "B fails as told");
    assert_int_equal(c[0].failed, ST_OK);
    p[0] = (struct player){.name = 'A', .fail_at = 1};
    take_turns(p, 1, c, (struct loop_limits){3, 0, 150, 0, 0, 0}, &(struct loop_job){0});
    assert_string_equal(order, "A");
}

static bool at_once(void)
{
    return true;
}

/* The seconds are those of each: two that take 1 ms for 20 ms each have about 20 turns. */
static void limits_are_for_each(void **state)
{
    struct player p[] = {{.name = 'A', .secs = 0.001}, {.name = 'B', .secs = 0.001}};
    struct loop_result result;
    struct contender c[2];

    (void)state;
    result = take_turns(p, 2, c, (struct loop_limits){1, 0.02, 150, 0, 0, 0}, &(struct loop_job){0});
    assert_true(result.end == LOOP_MINIMA && result.secs >= 0.04 && p[0].runs <= 21 && p[0].runs == p[1].runs);
    p[0].runs = p[1].runs = 0;
    result = take_turns(p, 2, c, (struct loop_limits){1000000, 0, 0.02, 0, 0, 0}, &(struct loop_job){0});
    assert_true(result.end == LOOP_MAX_SECS && result.secs >= 0.04 && p[0].runs <= 21 && p[0].runs == p[1].runs);
    p[0].runs = p[1].runs = 0;
    result = take_turns(p, 2, c, (struct loop_limits){3, 0, 150, 0, 0, 0}, &(struct loop_job){.stop = at_once});
    assert_true(result.end == LOOP_STOPPED && p[0].runs == 0);
}

/* A turn that makes a thousand inferences of a microsecond. */
static void times_are_of_one_inference(void **state)
{
    struct player p = {.name = 'A', .secs = 0.001};
    struct contender c = {.run = play, .arg = &p, .inferences = 1000};
    const struct loop_limits limits = {.min_runs = 1, .max_secs = 150};
    struct loop_result result;
    struct err err;

    (void)state;
    TEST_OK(interleave(&c, 1, &(struct loop_job){0}, &limits, &result, &err), err);
    assert_int_equal(c.samples.n, 1);
    assert_true(c.samples.us[0] >= 1 && c.samples.us[0] < 500);
    samples_free(&c.samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_turns),
        cmocka_unit_test(one_fails),
        cmocka_unit_test(limits_are_for_each),
        cmocka_unit_test(times_are_of_one_inference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
