/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes_seen_test.c - what is told of groups that are planned in a run: tensors, profiles, memory, errors, nodes. */
#include "lib/testing/test_dynamic_shapes.h"

/* Every tensor can be looked at. */
static void watched_groups_show_all(void **state)
{
    static const struct session_options seen = {.mode = CPU_REFERENCE, .keep_intermediates = true};
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_tile, test_dynamic_everything, &seen);

    (void)state;
    test_dynamic_fill(t, 1);
    test_dynamic_reshape(t, 2);
    test_dynamic_run(t);
    for (uint32_t i = 0; i < session_graph(t->s)->n_tensors; i++) {
        const struct tensor *a = &session_graph(t->s)->tensors[i], *b = &session_graph(t->cpu)->tensors[i];

        assert_true(tensor_same_shape(a, b));
        assert_memory_equal(a->data, b->data, b->bytes);
    }
    test_dynamic_stop(t);
}

static void profiles_have_their_rows(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_tile, " ABS NEG REDUCE_MAX ",
                                                     &(struct session_options){.mode = CPU_REFERENCE});
    const struct profile_row *rows;
    struct err err;
    size_t n;

    (void)state;
    test_dynamic_fill(t, 1);
    test_dynamic_reshape(t, 2);
    test_dynamic_run(t);
    TEST_OK(session_profile(t->s, &rows, &n, &err), err);
    test_dynamic_compare(t);
    assert_int_equal(n, 5);
    assert_string_equal(rows[0].type, "RESHAPE");
    assert_int_equal(rows[0].partition, -1);
    assert_int_equal(rows[1].partition, 0);
    assert_int_equal(rows[4].partition, 1);
    assert_int_equal(rows[4].nodes[0]->index, 4);
    assert_int_equal(session_profile_overhead(t->s).wait_ns, 2 * 200);
    test_dynamic_stop(t);
}

/* What runs make is in the memory of a session, and no part of its start. */
static void starts_end_before_runs(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_reshape, test_dynamic_everything,
                                                     &(struct session_options){.mode = CPU_REFERENCE});
    struct delegate_facts memory;
    struct session_times times;

    (void)state;
    test_dynamic_fill(t, 0);
    test_dynamic_reshape(t, 2);
    test_dynamic_run(t);
    session_facts(t->s, NULL, &memory);
    session_times(t->s, &times);
    assert_true(fact_value(&memory, "compile") > 0);
    assert_int_equal(times.compile_ns, 0);
    test_dynamic_stop(t);
}

static void errors_are_those_of_the_cpu(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_reshape, test_dynamic_everything,
                                                     &(struct session_options){.mode = CPU_REFERENCE});
    struct err a = {""}, b = {""};

    (void)state;
    test_dynamic_fill(t, 0);
    test_dynamic_set(t, 1, (int32_t[]){5, 5}, 2 * sizeof(int32_t));
    assert_int_equal(session_run(t->s, &a), ST_BAD_MODEL);
    assert_int_equal(session_run(t->cpu, &b), ST_BAD_MODEL);
    assert_string_equal(a.msg, b.msg);
    t->fake.fail_invoke = true;
    test_dynamic_reshape(t, 2);
    assert_int_equal(session_run(t->s, &a), ST_FAILED);
    t->fake.fail_invoke = false;
    test_dynamic_run(t);
    test_dynamic_stop(t);
}

static void look(void *arg, const struct session *s, const struct node *n)
{
    bool *seen = arg;

    (void)s;
    assert_non_null(n->out[0]->data);
    seen[n->index] = true;
}

/* What delegates do not take of a group is shown, what they take is not. */
static void nodes_of_groups_are_shown(void **state)
{
    bool seen[5] = {false};
    const struct session_options o = {.mode = CPU_REFERENCE, .after_node = look, .after_node_arg = seen};
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_tile, " REDUCE_MAX TILE ", &o);
    struct err err;

    (void)state;
    test_dynamic_fill(t, 1);
    test_dynamic_reshape(t, 2);
    TEST_OK(session_run(t->s, &err), err);
    test_dynamic_is(t, 5, 2, 2);
    assert_true(seen[0] && !seen[1] && seen[2] && !seen[3] && seen[4]);
    TEST_OK(session_run(t->cpu, &err), err);
    test_dynamic_compare(t);
    test_dynamic_stop(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watched_groups_show_all),   cmocka_unit_test(profiles_have_their_rows),
        cmocka_unit_test(starts_end_before_runs),    cmocka_unit_test(errors_are_those_of_the_cpu),
        cmocka_unit_test(nodes_of_groups_are_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
