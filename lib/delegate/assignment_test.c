/* SPDX-License-Identifier: Apache-2.0 */
/* assignment_test.c - counts of who runs what, and the reasons of the rest. */
#include "lib/delegate/assignment.h"
#include "lib/testing/test_delegate.h"

static struct session *prepared(struct loaded *l, struct fake *fake, struct partition_options limits)
{
    struct session_options opt = {.delegates = {fake ? &fake->base : NULL}, .partition = limits};
    struct session *s;
    struct builder b;
    struct err err;

    build_chain(&b);
    *l = load(&b);
    TEST_OK(session_new(l->model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

static struct assignment counts(const char *takes, struct partition_options limits)
{
    struct fake fake = fake_delegate(takes);
    struct loaded l;
    struct session *s = prepared(&l, *takes ? &fake : NULL, limits);
    struct assignment a = assignment_of(session_graph(s), session_partitioning(s));

    session_free(s);
    unload(&l);
    assert_int_equal(a.n_nodes, a.n_delegated + a.n_cpu + a.n_folded);
    return a;
}

static void who_runs_what(void **state)
{
    const struct partition_options all = {0}, large = {.min_nodes = 2};
    struct assignment a = counts("", all);

    (void)state;
    assert_true(a.n_nodes == 4 && a.n_cpu == 4 && a.n_partitions == 0 && !a.full);
    a = counts(" NEG ABS ADD ", all);
    assert_true(a.n_delegated == 4 && a.n_cpu == 0 && a.n_partitions == 1 && a.full);
    a = counts(" NEG ADD ", all);
    assert_true(a.n_delegated == 3 && a.n_cpu == 1 && a.n_partitions == 2 && !a.full);
    a = counts(" NEG ADD ", large);
    assert_true(a.n_delegated == 2 && a.n_cpu == 2 && a.n_partitions == 1 && !a.full);
    a = counts(" RELU ", all);
    assert_true(a.n_delegated == 0 && a.n_cpu == 4 && a.n_partitions == 0 && !a.full);
}

/* y = x + NEG(1): the NEG is computed once, by nobody of these. */
static void folded_nodes_belong_to_neither(void **state)
{
    static const float one[LEN] = {1, 1, 1, 1, 1, 1};
    struct fake fake = fake_delegate(" ADD ");
    struct session_options opt = {.delegates = {&fake.base}};
    struct session *s;
    struct assignment a;
    struct builder b;
    struct loaded l;
    int32_t x, c, t, y;

    (void)state;
    builder_init(&b, "folds");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(LEN));
    c = build_const(&b, "c", TYPE_FLOAT32, SHAPE(LEN), one);
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(LEN));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(LEN));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(c), INDICES(t));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, t), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    s = load_and_prepare(&b, &opt, &l);
    a = assignment_of(session_graph(s), session_partitioning(s));
    assert_true(a.n_nodes == 2 && a.n_folded == 1 && a.n_delegated == 1 && a.n_cpu == 0 && a.full);
    session_free(s);
    unload(&l);
}

static void reasons_are_sorted_and_told_once(void **state)
{
    struct fake fake = fake_delegate(" ADD ");
    struct arena arena = {0};
    struct refusal *r;
    struct session *s;
    struct loaded l;
    struct err err;
    uint32_t n;

    (void)state;
    s = prepared(&l, &fake, (struct partition_options){.min_nodes = 2});
    TEST_OK(assignment_refusals(session_graph(s), session_partitioning(s), &arena, &r, &n, &err), err);
    assert_int_equal(n, 3);
    assert_string_equal(r[0].op, "ABS");
    assert_string_equal(r[0].text, "not in the list");
    assert_int_equal(r[0].n_nodes, 1);
    assert_string_equal(r[1].op, "ADD");
    assert_string_equal(r[1].text, "its partition has 1 node, min_nodes_per_partition is 2");
    assert_string_equal(r[2].op, "NEG");
    assert_int_equal(r[2].n_nodes, 2);
    session_free(s);
    unload(&l);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_runs_what),
        cmocka_unit_test(folded_nodes_belong_to_neither),
        cmocka_unit_test(reasons_are_sorted_and_told_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
