/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner_test.c - values alive together never overlap, and memory is shared where it can be. */
#include "memory_planner.h"
#include "test.h"

static void never_overlaps(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct memory_use v[40];
        struct memory_total total;
        struct arena a = {0};
        struct err err;
        uint32_t n = (uint32_t)(test_random(&seed) % 40);

        for (uint32_t i = 0; i < n; i++) {
            v[i].first = (uint32_t)(test_random(&seed) % 20);
            v[i].last = v[i].first + (uint32_t)(test_random(&seed) % 8);
            v[i].bytes = test_random(&seed) % 5 ? test_random(&seed) % 3000 : 0;
        }
        TEST_OK(memory_plan(v, n, 64, &a, &total, &err), err);
        assert_true(total.lower_bound <= total.bytes && total.bytes <= total.unshared);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(v[i].offset % 64, 0);
            assert_true(v[i].offset + v[i].bytes <= total.bytes);
            for (uint32_t k = 0; k < i; k++)
                if (v[i].first <= v[k].last && v[k].first <= v[i].last)
                    assert_true(v[i].offset + v[i].bytes <= v[k].offset || v[k].offset + v[k].bytes <= v[i].offset);
        }
        arena_free(&a);
    }
}

static void shares_along_a_chain(void **state)
{
    struct memory_use v[] = {{100, 0, 1, 0}, {200, 1, 2, 0}, {100, 2, 3, 0}, {200, 3, 4, 0}};
    struct memory_total total;
    struct arena a = {0};
    struct err err;

    (void)state;
    TEST_OK(memory_plan(v, 4, 4, &a, &total, &err), err);
    assert_int_equal(total.bytes, 300);
    assert_int_equal(total.lower_bound, 300);
    assert_int_equal(total.unshared, 600);
    arena_free(&a);
}

/* By size alone each of these takes more than is alive at once. */
static void what_sticks_out_is_placed_again(void **state)
{
    static const struct memory_use hard[][5] = {
        {{10, 0, 0, 0}, {40, 3, 4, 0}, {10, 0, 2, 0}, {20, 2, 3, 0}, {30, 0, 1, 0}},
        {{10, 0, 1, 0}, {20, 0, 2, 0}, {50, 0, 0, 0}, {30, 2, 4, 0}, {40, 3, 4, 0}},
        {{10, 0, 1, 0}, {20, 1, 2, 0}, {50, 0, 0, 0}, {40, 5, 7, 0}, {40, 2, 3, 0}},
        {{10, 0, 2, 0}, {30, 2, 4, 0}, {50, 3, 4, 0}, {20, 0, 0, 0}, {40, 0, 2, 0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        struct memory_use v[5];
        struct memory_total total;
        struct arena a = {0};
        struct err err;

        memcpy(v, hard[i], sizeof v);
        TEST_OK(memory_plan(v, 5, 2, &a, &total, &err), err);
        assert_int_equal(total.bytes, total.lower_bound);
        arena_free(&a);
    }
}

static void nothing_takes_nothing(void **state)
{
    struct memory_total total;
    struct arena a = {0};
    struct err err;

    (void)state;
    TEST_OK(memory_plan(NULL, 0, 64, &a, &total, &err), err);
    assert_int_equal(total.bytes, 0);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_overlaps),
        cmocka_unit_test(shares_along_a_chain),
        cmocka_unit_test(what_sticks_out_is_placed_again),
        cmocka_unit_test(nothing_takes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
