/* SPDX-License-Identifier: Apache-2.0 */
/* auto_fp32_test.c - the sets that a search finds, and with how many runs. */
#include "lib/compare/auto_fp32.h"
#include "lib/testing/test.h"

#include <stdlib.h>

enum { NODES = 100 };

/* A model that passes where all of `needed` are in float32. */
struct needs {
    uint64_t needed[NODES / 64 + 1];
    bool never, fails;
    uint32_t stop_after, asked; /* 0: never stops */
};

static bool needs(const struct needs *m, uint32_t node)
{
    return m->needed[node / 64] >> (node % 64) & 1;
}

static void need(struct needs *m, uint32_t node)
{
    m->needed[node / 64] |= 1ull << (node % 64);
}

static enum status passes(void *arg, const uint32_t *nodes, uint32_t n, bool *pass, struct err *err)
{
    struct needs *m = arg;
    uint32_t found = 0, wanted = 0;

    m->asked++;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(nodes[i] < NODES);
        assert_true(i == 0 || nodes[i] > nodes[i - 1]);
        found += needs(m, nodes[i]);
    }
    for (uint32_t i = 0; i < NODES; i++)
        wanted += needs(m, i);
    *pass = found == wanted && !m->never;
    return m->fails ? err_set(err, ST_FAILED, "as told") : ST_OK;
}

static bool stopped(void *arg)
{
    const struct needs *m = arg;

    return m->stop_after && m->asked >= m->stop_after;
}

static struct auto_fp32 search(struct needs *m, const uint32_t *candidates, uint32_t n, uint32_t max_runs)
{
    struct auto_fp32 a = {
        .candidates = candidates, .n_candidates = n, .max_runs = max_runs, .passes = passes, .stopped = stopped, .arg = m};
    struct err err;

    TEST_OK(auto_fp32_search(&a, &err), err);
    assert_int_equal(a.runs, m->asked);
    return a;
}

static void all_nodes(uint32_t *candidates)
{
    for (uint32_t i = 0; i < NODES; i++)
        candidates[i] = i;
}

static void expect_list(struct auto_fp32 *a, enum auto_fp32_end end, const char *list)
{
    assert_int_equal(a->end, end);
    assert_string_equal(auto_fp32_list(&a->arena, a->nodes, a->n), list);
    auto_fp32_free(a);
}

static void a_single_node(void **state)
{
    const uint32_t order[] = {40, 7, 3};
    uint32_t all[NODES];

    (void)state;
    all_nodes(all);
    for (uint32_t node = 0; node < NODES; node += 9) {
        struct needs m = {{0}};
        struct auto_fp32 a;
        char want[16];

        need(&m, node);
        a = search(&m, all, NODES, 1000);
        assert_true(a.runs < 40);
        snprintf(want, sizeof want, "%u", node);
        expect_list(&a, AUTO_FP32_FOUND, want);
    }
    for (int first = 0; first < 2; first++) {
        struct needs m = {{0}};
        struct auto_fp32 a;

        need(&m, first ? 40 : 3);
        a = search(&m, order, 3, 1000);
        assert_true(a.runs <= (first ? 3 : 8)); /* none, all, and the likeliest alone */
        expect_list(&a, AUTO_FP32_FOUND, first ? "40" : "3");
    }
}

/* Random sets in random orders: found exactly. */
static void sets_of_several(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int round = 0; round < 200; round++) {
        struct needs m = {{0}};
        uint32_t order[NODES];
        struct auto_fp32 a;

        all_nodes(order);
        for (uint32_t i = NODES; i-- > 1;) {
            const uint32_t k = (uint32_t)(test_random(&seed) % (i + 1)), was = order[i];

            order[i] = order[k];
            order[k] = was;
        }
        for (uint64_t n = test_random(&seed) % 6 + 1; n--;)
            need(&m, (uint32_t)(test_random(&seed) % NODES));
        a = search(&m, order, NODES, 2000);
        assert_int_equal(a.end, AUTO_FP32_FOUND);
        for (uint32_t i = 0; i < a.n; i++)
            assert_true(needs(&m, a.nodes[i]));
        auto_fp32_free(&a);
    }
}

static void nothing_or_too_much(void **state)
{
    struct needs nothing = {{0}}, hopeless = {.never = true}, elsewhere = {{0}};
    const uint32_t few[] = {3, 4};
    struct auto_fp32 a;

    (void)state;
    a = search(&nothing, few, 2, 100);
    assert_int_equal(a.runs, 1);
    expect_list(&a, AUTO_FP32_NOT_NEEDED, "");
    a = search(&hopeless, few, 2, 100);
    assert_int_equal(a.runs, 2);
    expect_list(&a, AUTO_FP32_NOT_ENOUGH, "");
    need(&elsewhere, 50);
    a = search(&elsewhere, few, 2, 100);
    expect_list(&a, AUTO_FP32_NOT_ENOUGH, "");
    a = search(&(struct needs){.never = true}, few, 0, 100);
    expect_list(&a, AUTO_FP32_NOT_ENOUGH, "");
}

static void what_passed_is_kept_where_runs_end(void **state)
{
    struct needs m = {{0}}, early = {{0}};
    uint32_t all[NODES];
    struct auto_fp32 a;

    (void)state;
    all_nodes(all);
    need(&m, 20);
    need(&m, 90);
    a = search(&m, all, NODES, 9);
    assert_int_equal(a.runs, 9); /* none, all, 1, 2, 4, 8, 16, 32, 64: all of them are the smallest that passed */
    assert_int_equal(a.n, NODES);
    expect_list(&a, AUTO_FP32_LARGER, "0-99");
    early.stop_after = 1;
    need(&early, 1);
    a = search(&early, all, NODES, 100);
    expect_list(&a, AUTO_FP32_STOPPED, "");
}

static void failures_end_it(void **state)
{
    struct needs m = {.fails = true};
    struct auto_fp32 a = {.candidates = &(const uint32_t){1}, .n_candidates = 1, .max_runs = 9, .passes = passes, .arg = &m};
    struct err err;

    (void)state;
    assert_int_equal(auto_fp32_search(&a, &err), ST_FAILED);
    assert_string_equal(err.msg, "as told");
    auto_fp32_free(&a);
}

static void lists_name_ranges(void **state)
{
    const uint32_t nodes[] = {3, 7, 8, 9, 11, 12, 20};
    struct arena a = {0};

    (void)state;
    assert_string_equal(auto_fp32_list(&a, nodes, 7), "3,7-9,11-12,20");
    assert_string_equal(auto_fp32_list(&a, nodes, 1), "3");
    assert_string_equal(auto_fp32_list(&a, nodes, 0), "");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_node),       cmocka_unit_test(sets_of_several),
        cmocka_unit_test(nothing_or_too_much), cmocka_unit_test(what_passed_is_kept_where_runs_end),
        cmocka_unit_test(failures_end_it),     cmocka_unit_test(lists_name_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
