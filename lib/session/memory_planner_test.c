/* SPDX-License-Identifier: Apache-2.0 */
/* memory_planner_test.c - values alive together never overlap, and memory is shared as well as it can be. */
#include "lib/session/memory_planner.h"
#include "lib/testing/test.h"

#include <stdbool.h>
#include <stdlib.h>

static bool together(const struct memory_use *a, const struct memory_use *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static struct memory_total plan(struct memory_use *v, uint32_t n, uint64_t align)
{
    struct memory_total total;
    struct err err;

    TEST_OK(memory_plan(v, n, align, &total, &err), err);
    assert_true(total.lower_bound <= total.bytes && total.bytes <= total.unshared);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(v[i].offset % align, 0);
        assert_true(v[i].offset + v[i].bytes <= total.bytes);
        for (uint32_t k = 0; k < i; k++)
            if (together(&v[i], &v[k]) && v[i].offset < v[k].offset + v[k].bytes && v[k].offset < v[i].offset + v[i].bytes)
                fail_msg("values %u and %u of %u overlap", i, k, n);
    }
    return total;
}

static void draw_values(uint64_t *seed, struct memory_use *v, uint32_t n, uint32_t steps, uint32_t lifetime, uint64_t bytes)
{
    for (uint32_t i = 0; i < n; i++) {
        v[i].first = (uint32_t)(test_random(seed) % steps);
        v[i].last = v[i].first + (uint32_t)(test_random(seed) % lifetime);
        v[i].bytes = test_random(seed) % 5 ? test_random(seed) % bytes : 0;
    }
}

static void never_overlaps(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct memory_use v[40];
        uint32_t n = (uint32_t)(test_random(&seed) % 40);

        draw_values(&seed, v, n, 20, 8, 3000);
        plan(v, n, 64);
    }
}

static void shares_along_a_chain(void **state)
{
    struct memory_use v[] = {{100, 0, 1, 0}, {200, 1, 2, 0}, {100, 2, 3, 0}, {200, 3, 4, 0}};
    struct memory_total total = plan(v, 4, 4);

    (void)state;
    assert_int_equal(total.bytes, 300);
    assert_int_equal(total.lower_bound, 300);
    assert_int_equal(total.unshared, 600);
}

/* Where the lowest place is for v[at], the others of order[] being placed. */
static uint64_t lowest_place(const struct memory_use *v, const uint32_t *order, uint32_t at)
{
    const struct memory_use *x = &v[order[at]];
    uint64_t offset = 0;

    for (uint32_t i = 0; i < at; i++) {
        const struct memory_use *o = &v[order[i]];

        if (together(o, x) && offset < o->offset + o->bytes && o->offset < offset + x->bytes) {
            offset = o->offset + o->bytes;
            i = UINT32_MAX; /* from the first again */
        }
    }
    return offset;
}

/* The smallest block of all orders that begin with order[0] to order[at - 1], or `best`; each value goes as low as it can. */
static uint64_t smallest(struct memory_use *v, uint32_t *order, uint32_t at, uint32_t n, uint64_t bytes, uint64_t best)
{
    if (at == n || bytes >= best)
        return bytes < best ? bytes : best;
    for (uint32_t i = at; i < n; i++) {
        uint32_t x = order[i];
        uint64_t end;

        order[i] = order[at];
        order[at] = x;
        v[x].offset = lowest_place(v, order, at);
        end = v[x].offset + v[x].bytes;
        best = smallest(v, order, at + 1, n, end > bytes ? end : bytes, best);
        order[at] = order[i];
        order[i] = x;
    }
    return best;
}

static void expect_smallest(struct memory_use *v, uint32_t n)
{
    uint64_t bytes = plan(v, n, 1).bytes;
    uint32_t order[8];

    assert_true(n <= 8);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    assert_int_equal(smallest(v, order, 0, n, 0, bytes), bytes);
}

static void smallest_where_all_orders_can_be_tried(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct memory_use v[8];
        uint32_t n = 2 + (uint32_t)(test_random(&seed) % 7);

        draw_values(&seed, v, n, 6, 4, 12);
        expect_smallest(v, n);
    }
}

/* Whatever one does: 5 are alive at once, and 6 are needed. */
static void more_than_is_alive(void **state)
{
    struct memory_use v[] = {{3, 0, 2, 0}, {2, 1, 3, 0}, {2, 3, 5, 0}, {1, 3, 4, 0}, {1, 4, 5, 0}, {2, 5, 6, 0}, {3, 6, 6, 0}};
    struct memory_total total = plan(v, 7, 1);

    (void)state;
    assert_int_equal(total.lower_bound, 5);
    assert_int_equal(total.bytes, 6);
    expect_smallest(v, 7);
}

/* Cuts the rectangle of steps [first, last] and `bytes` into n pieces, which fill it again if they are placed well. */
static uint32_t cut(uint64_t *seed, struct memory_use *v, uint32_t n, uint32_t first, uint32_t last, uint64_t bytes)
{
    uint32_t part = 1 + (n > 1 ? (uint32_t)(test_random(seed) % (n - 1)) : 0);

    if (n == 1 || (first == last && bytes < 2)) {
        v[0] = (struct memory_use){.bytes = bytes, .first = first, .last = last};
        return 1;
    }
    if (first < last && (bytes < 2 || test_random(seed) % 5 < 3)) {
        uint32_t middle = first + (uint32_t)(test_random(seed) % (last - first));
        uint32_t done = cut(seed, v, part, first, middle, bytes);

        return done + cut(seed, v + done, n - part, middle + 1, last, bytes);
    }
    uint64_t lower = 1 + test_random(seed) % (bytes - 1);
    uint32_t done = cut(seed, v, part, first, last, lower);

    return done + cut(seed, v + done, n - part, first, last, bytes - lower);
}

/* Orders alone find this for few of them. */
static void fills_what_was_cut(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 50; round++) {
        struct memory_use v[24];
        uint32_t n = cut(&seed, v, 24, 0, 11, 100000);

        assert_int_equal(plan(v, n, 1).bytes, 100000);
    }
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

        memcpy(v, hard[i], sizeof v);
        total = plan(v, 5, 2);
        assert_int_equal(total.bytes, total.lower_bound);
    }
}

/* Results are on record in files and tables: they depend on nothing but the input. */
static void the_same_again(void **state)
{
    struct memory_use v[60], w[60];
    uint64_t seed = 5;

    (void)state;
    draw_values(&seed, v, 60, 30, 9, 5000);
    memcpy(w, v, sizeof w);
    plan(v, 60, 16);
    plan(w, 60, 16);
    assert_memory_equal(v, w, sizeof w);
}

/* Variables live in every step. 3000 of them alone are more pairs than are looked at. */
static void what_always_lives_is_at_the_bottom(void **state)
{
    enum { ALWAYS = 3000, CHAIN = 2000, N = ALWAYS + CHAIN };
    struct memory_use *v = malloc(N * sizeof *v);
    struct memory_total total;

    (void)state;
    assert_non_null(v);
    for (uint32_t i = 0; i < ALWAYS; i++)
        v[i] = (struct memory_use){.bytes = 40, .last = CHAIN + 1};
    for (uint32_t i = ALWAYS; i < N; i++)
        v[i] = (struct memory_use){.bytes = 100 + i % 7, .first = i - ALWAYS, .last = i - ALWAYS + 1};
    total = plan(v, N, 8);
    assert_int_equal(total.bytes, total.lower_bound);
    free(v);
}

/* More pairs than are looked at: nothing overlaps, and some memory is shared. */
static void too_many_pairs_to_search(void **state)
{
    enum { N = 6000 };
    struct memory_use *v = malloc(N * sizeof *v);
    struct memory_total total;
    uint64_t seed = 9;

    (void)state;
    assert_non_null(v);
    draw_values(&seed, v, N, 100, 50, 1000);
    total = plan(v, N, 64);
    assert_true(total.bytes < total.unshared / 2);
    free(v);
}

static void nothing_takes_nothing(void **state)
{
    (void)state;
    assert_int_equal(plan(NULL, 0, 64).bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_overlaps),
        cmocka_unit_test(shares_along_a_chain),
        cmocka_unit_test(smallest_where_all_orders_can_be_tried),
        cmocka_unit_test(more_than_is_alive),
        cmocka_unit_test(fills_what_was_cut),
        cmocka_unit_test(what_sticks_out_is_placed_again),
        cmocka_unit_test(the_same_again),
        cmocka_unit_test(what_always_lives_is_at_the_bottom),
        cmocka_unit_test(too_many_pairs_to_search),
        cmocka_unit_test(nothing_takes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
