/* SPDX-License-Identifier: Apache-2.0 */
/* bisect_test.c - made-up nodes of which some are wrong: each is found, and with few tries. */
#include "lib/compare/bisect.h"
#include "lib/testing/test.h"

/* Which of up to 64 nodes are wrong by themselves, and which only together. */
struct nodes {
    uint64_t wrong, together, cures; /* cures: sets right what is wrong before them, of `wrong` alone */
    uint32_t tries, stop_after;
};

static enum status try_nodes(void *arg, struct bisect_range r, bool *off, struct err *err)
{
    struct nodes *n = arg;
    bool now = false;

    if (n->stop_after && n->tries == n->stop_after)
        return err_set(err, ST_LATER, "%s", "");
    n->tries++;
    assert_true(r.first < r.end);
    for (uint32_t i = r.first; i < r.end; i++)
        now = (now && !(n->cures >> i & 1)) || n->wrong >> i & 1;
    for (uint32_t i = 0; i < 64; i++)
        if (n->together >> i & 1 && (i < r.first || i >= r.end)) {
            *off = now;
            return ST_OK;
        }
    *off = now || n->together;
    return ST_OK;
}

static struct bisect search(struct nodes n, uint32_t count)
{
    struct bisect b;
    struct err err;

    TEST_OK(bisect_run(&b, count, try_nodes, &n, &err), err);
    return b;
}

static void every_single_node(void **state)
{
    (void)state;
    for (uint32_t count = 1, log2 = 0; count <= 64; count++, log2 += 1u << log2 < count)
        for (uint32_t i = 0; i < count; i++) {
            struct bisect b = search((struct nodes){.wrong = 1ull << i}, count);

            assert_int_equal(b.n_found, 1);
            assert_int_equal(b.found[0].first, i);
            assert_int_equal(b.found[0].end, i + 1);
            assert_true(b.tries <= log2 + 3);
        }
}

static void every_pair(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t j = i + 1; j < 20; j++) {
            struct bisect apart = search((struct nodes){.wrong = 1ull << i | 1ull << j}, 20);
            struct bisect together = search((struct nodes){.together = 1ull << i | 1ull << j}, 20);

            assert_int_equal(apart.n_found, 2);
            assert_true(apart.found[0].first == i && apart.found[0].end == i + 1);
            assert_true(apart.found[1].first == j && apart.found[1].end == j + 1);
            assert_int_equal(together.n_found, 1);
            assert_true(together.found[0].first == i && together.found[0].end == j + 1);
        }
}

/* Node 3 is wrong and node 4 makes up for it: [0,4) is off, [0,5) is not, all is off because of node 9. */
static void what_hides(void **state)
{
    struct bisect b = search((struct nodes){.wrong = 1 << 3 | 1 << 9, .cures = 1 << 4}, 10);

    (void)state;
    assert_true(b.n_found >= 1);
    for (uint32_t i = 0; i < b.n_found; i++)
        assert_true(b.found[i].end == b.found[i].first + 1 && (b.found[i].first == 3 || b.found[i].first == 9));
}

/* [0,7) is off because of 3 and 6 together; within, 4 is off alone, though 5 makes up for it. */
static void one_of_several(void **state)
{
    struct bisect b = search((struct nodes){.wrong = 1 << 4, .cures = 1 << 5, .together = 1 << 3 | 1 << 6}, 8);

    (void)state;
    assert_int_equal(b.n_found, 1);
    assert_true(b.found[0].first == 4 && b.found[0].end == 5);
}

static void nothing_and_ends(void **state)
{
    struct nodes n = {.wrong = 1 << 5, .stop_after = 3};
    struct bisect b = search((struct nodes){0}, 30);
    struct err err;

    (void)state;
    assert_true(b.n_found == 0 && b.tries == 1 && !b.stopped);
    TEST_OK(bisect_run(&b, 30, try_nodes, &n, &err), err);
    assert_true(b.stopped && b.n_found == 0);
    n = (struct nodes){.wrong = UINT64_MAX};
    TEST_OK(bisect_run(&b, 64, try_nodes, &n, &err), err);
    assert_int_equal(b.n_found, BISECT_MAX_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_single_node), cmocka_unit_test(every_pair),
                                       cmocka_unit_test(what_hides), cmocka_unit_test(one_of_several),
                                       cmocka_unit_test(nothing_and_ends)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
