/* SPDX-License-Identifier: Apache-2.0 */
/* order_test.c - the sort satisfies every edge, keeps what was right, and finds cycles. */
#include "lib/graph/order.h"
#include "lib/testing/test.h"

static void check_order(const uint32_t *order, uint32_t n, const struct edge *edges, size_t n_edges)
{
    uint32_t at[64];

    memset(at, 0xff, sizeof at);
    for (uint32_t i = 0; i < n; i++)
        at[order[i]] = i;
    for (uint32_t i = 0; i < n; i++)
        assert_true(at[i] < n);
    for (size_t e = 0; e < n_edges; e++)
        assert_true(at[edges[e].from] < at[edges[e].to]);
}

/* At each place stands the smallest index of those that wait for nothing: nodes that may run in any order run in the file's. */
static void check_smallest_first(const uint32_t *order, uint32_t n, const struct edge *edges, size_t n_edges)
{
    bool done[64] = {false};

    for (uint32_t k = 0; k < n; k++) {
        uint32_t smallest = 0;
        bool waits = true;

        for (uint32_t i = 0; i < n && waits; i++) {
            waits = done[i];
            for (size_t e = 0; e < n_edges; e++)
                waits |= edges[e].to == i && !done[edges[e].from];
            smallest = i;
        }
        assert_false(waits);
        assert_int_equal(order[k], smallest);
        done[smallest] = true;
    }
}

static void keeps_a_valid_order(void **state)
{
    const struct edge edges[] = {{0, 1}, {0, 3}, {1, 4}, {2, 4}, {2, 4}};
    struct arena a = {0};
    struct err err;
    uint32_t order[5], cycle;

    (void)state;
    TEST_OK(order_sort(5, edges, 5, &a, order, &cycle, &err), err);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(order[i], i);
    arena_free(&a);
}

static void sorts_random_graphs(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int round = 0; round < 500; round++) {
        uint32_t n = 1 + (uint32_t)(test_random(&seed) % 60), rank[64], order[64], cycle;
        struct edge edges[128];
        size_t n_edges = 0;
        struct arena a = {0};
        struct err err;

        for (uint32_t i = 0; i < n; i++) { /* a hidden order that the edges follow */
            uint32_t k = (uint32_t)(test_random(&seed) % (i + 1));

            rank[i] = rank[k];
            rank[k] = i;
        }
        for (; n > 1 && n_edges < 120; n_edges++) {
            uint32_t x = (uint32_t)(test_random(&seed) % n), y = (uint32_t)(test_random(&seed) % n);

            if (x == y)
                break;
            edges[n_edges] = rank[x] < rank[y] ? (struct edge){x, y} : (struct edge){y, x};
        }
        TEST_OK(order_sort(n, edges, n_edges, &a, order, &cycle, &err), err);
        check_order(order, n, edges, n_edges);
        check_smallest_first(order, n, edges, n_edges);
        arena_free(&a);
    }
}

static void finds_a_cycle(void **state)
{
    const struct edge edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 2}};
    struct arena a = {0};
    struct err err;
    uint32_t order[4], cycle = 9;

    (void)state;
    assert_int_equal(order_sort(4, edges, 4, &a, order, &cycle, &err), ST_BAD_MODEL);
    assert_true(cycle == 2 || cycle == 3);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_a_valid_order),
        cmocka_unit_test(sorts_random_graphs),
        cmocka_unit_test(finds_a_cycle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
