/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_test.c - chains are straight, nothing covers anything, and what finds no room says so. */
#include "cmd/print/lanes.h"
#include "lib/testing/test.h"

#include "lib/tensor/rng.h"

static struct arena arena;

static int32_t place(struct lane_line *lines, uint32_t n, uint32_t rows)
{
    return lanes_place(lines, n, rows, &arena);
}

static int clean_up(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void chains_and_branches(void **state)
{
    struct lane_line chain[] = {{0, 1, 9}, {1, 2, 9}, {2, 3, 9}};
    /* 0 is read by 1 and 3, 1 by 2, 2 by 3, 3 by 4. */
    struct lane_line branch[] = {{0, 3, 9}, {1, 2, 9}, {2, 3, 9}, {3, 4, 9}};

    (void)state;
    assert_int_equal(place(chain, 3, 4), 1);
    assert_true(chain[0].lane == 0 && chain[1].lane == 0 && chain[2].lane == 0);
    assert_int_equal(place(branch, 4, 5), 2);
    assert_true(branch[0].lane == 0 && branch[1].lane == 1 && branch[2].lane == 1 && branch[3].lane == 0);
    assert_int_equal(place(NULL, 0, 0), 0);
}

static void none_covers_another(void **state)
{
    static struct lane_line lines[400];
    uint32_t n_none = 0;
    struct rng r;

    (void)state;
    r = rng_seed(7, 0);
    for (uint32_t i = 0; i < 400; i++)
        lines[i] = (struct lane_line){i / 4, i / 4 + 1 + (uint32_t)(rng_below(&r, 30)), 9};
    assert_int_equal(place(lines, 400, 140), LANES_MOST);
    for (uint32_t i = 0; i < 400; i++) {
        n_none += lines[i].lane == LANE_NONE;
        assert_in_range(lines[i].lane + 1, 0, LANES_MOST);
        for (uint32_t k = 0; k < i; k++)
            assert_false(lines[i].lane != LANE_NONE && lines[k].lane == lines[i].lane && lines[k].to > lines[i].from);
    }
    assert_in_range(n_none, 1, 399);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(chains_and_branches, clean_up),
        cmocka_unit_test_teardown(none_covers_another, clean_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
