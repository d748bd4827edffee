/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_test.c - a barrier stands where a dispatch meets bytes written since the last one, and nowhere else. */
#include "lib/gl/plan/draft.h"
#include "lib/testing/test.h"

/* Reads [from, from + 10) and writes [to, to + 10) of the values buffer. */
static struct gl_dispatch step(uint64_t from, uint64_t to)
{
    struct gl_dispatch d = {.shader.n_bind = 2,
                            .ranges = {{.store = GL_STORE_VALUES, .offset = from, .bytes = 10},
                                       {.store = GL_STORE_VALUES, .offset = to, .bytes = 10, .write = true}}};

    return d;
}

static void check(struct gl_dispatch *d, uint32_t n, const char *expected)
{
    gl_plan_barriers(d, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(d[i].barrier, expected[i] == 'B');
}

static void chain(void **state)
{
    struct gl_dispatch d[] = {step(0, 10), step(10, 20), step(20, 30)};

    (void)state;
    check(d, 3, "BBB");
}

static void branches_run_together(void **state)
{
    struct gl_dispatch d[] = {step(0, 10), step(10, 20), step(10, 30), step(10, 40), step(30, 50)};

    (void)state;
    check(d, 5, "BB..B");
}

static void memory_given_to_another(void **state)
{
    struct gl_dispatch read_then_write[] = {step(0, 10), step(20, 0)}, write_twice[] = {step(0, 10), step(20, 15)};

    (void)state;
    check(read_then_write, 2, "BB");
    check(write_twice, 2, "BB");
}

/* Two halves of the same ten bytes, then all of them. */
static void parts_of_one_range_do_not_meet(void **state)
{
    struct gl_dispatch d[] = {step(30, 10), step(50, 10), step(10, 70)};

    (void)state;
    d[0].ranges[1].tail = 5;
    d[1].ranges[1].skip = 5;
    check(d, 3, "B.B");
    d[1].ranges[1].skip = 4;
    check(d, 3, "BBB");
}

static void neighbours_and_other_buffers_do_not_meet(void **state)
{
    struct gl_dispatch d[] = {step(0, 10), step(20, 30)};

    (void)state;
    check(d, 2, "B.");
    d[1] = step(10, 30);
    d[1].ranges[0].store = GL_STORE_CONSTANTS;
    check(d, 2, "B.");
}

/* The next run uses the same bytes, and nobody may have waited for this one. */
static void runs_follow_each_other(void **state)
{
    struct gl_dispatch d[] = {step(0, 10)};

    (void)state;
    check(d, 1, "B");
    check(d, 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain),
        cmocka_unit_test(branches_run_together),
        cmocka_unit_test(memory_given_to_another),
        cmocka_unit_test(parts_of_one_range_do_not_meet),
        cmocka_unit_test(neighbours_and_other_buffers_do_not_meet),
        cmocka_unit_test(runs_follow_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
