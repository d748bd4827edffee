/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes_test.c - nodes whose shapes become known in a run are a delegate's then, with the numbers of the CPU; a plan for
 * each set of shapes is made once. */
#include "lib/session/session_impl.h"
#include "lib/testing/test_dynamic_shapes.h"

enum { DIAMONDS = 40, PLACES = 7 };

/* y = |-x as `shape` says|. */
static void build_before(struct builder *b)
{
    int32_t x, shape, before, as, y;

    builder_init(b, "before");
    x = test_dynamic_vector(b, "x", 12);
    shape = test_dynamic_numbers(b, "shape", 2);
    before = test_dynamic_vector(b, "before", 12);
    as = test_dynamic_matrix(b, "as");
    y = test_dynamic_matrix(b, "y");
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(before));
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(before, shape), INDICES(as));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(as), INDICES(y));
    build_inputs(b, INDICES(x, shape));
    build_outputs(b, INDICES(y));
}

/* y = -(where x is true). */
static void build_where(struct builder *b)
{
    int32_t x, at, as, y;

    builder_init(b, "where");
    x = build_tensor(b, "x", TYPE_BOOL, SHAPE(LEN));
    at = build_tensor(b, "at", TYPE_INT64, SHAPE(1, 1));
    as = test_dynamic_matrix(b, "as");
    y = test_dynamic_matrix(b, "y");
    build_op(b, BUILTIN_WHERE, 1, NULL, INDICES(x), INDICES(at));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(at), INDICES(as));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(as), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* y = -(v as the places where x is true say), by way of maxima of these with themselves. */
static void build_diamonds(struct builder *b)
{
    char name[16];
    int32_t v, x, at, as, k, y;

    builder_init(b, "diamonds");
    v = test_dynamic_vector(b, "v", 12);
    x = build_tensor(b, "x", TYPE_BOOL, SHAPE(PLACES));
    at = build_tensor(b, "at", TYPE_INT64, SHAPE(1, 1));
    as = build_tensor(b, "as", TYPE_INT32, SHAPE(1, 1));
    k = test_dynamic_numbers(b, "k", 1);
    build_op(b, BUILTIN_WHERE, 1, NULL, INDICES(x), INDICES(at));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(at), INDICES(as));
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(as, build_const(b, "flat", TYPE_INT32, SHAPE(1), (int32_t[]){-1})), INDICES(k));
    for (int i = 0; i < DIAMONDS; i++) {
        int32_t same;

        snprintf(name, sizeof name, "same%d", i);
        same = test_dynamic_numbers(b, name, 1);
        build_op(b, BUILTIN_MAXIMUM, 1, NULL, INDICES(k, k), INDICES(same));
        k = same;
    }
    as = test_dynamic_matrix(b, "vs");
    y = test_dynamic_matrix(b, "y");
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(v, k), INDICES(as));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(as), INDICES(y));
    build_inputs(b, INDICES(v, x));
    build_outputs(b, INDICES(y));
}

/* What the CPU ran in the last run and, where all `runs` so far were alike, in all. */
static void assert_on_cpu(const struct test_dynamic_pair *t, uint32_t cpu, uint32_t runs)
{
    struct session_dynamic dynamic;

    session_dynamic(t->s, &dynamic);
    assert_int_equal(dynamic.cpu, cpu);
    assert_int_equal(dynamic.node_runs, runs * dynamic.nodes);
    assert_int_equal(dynamic.cpu_node_runs, runs * cpu);
    assert_int_equal(session_fully_delegated(t->s), !cpu);
}

/* Shapes by turns; another row is no other shape. */
static void each_shape_is_planned_once(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_reshape, test_dynamic_everything,
                                                     &(struct session_options){.mode = CPU_REFERENCE});
    static const int32_t rows[] = {3, 4, 3, 12, 4, 3, 12};

    (void)state;
    assert_int_equal(session_partitioning(t->s)->n_delegated, 0);
    assert_true(session_fully_delegated(t->s)); /* as far as can be told */
    for (uint32_t i = 0; i < 7; i++) {
        test_dynamic_fill(t, i);
        test_dynamic_reshape(t, rows[i]);
        test_dynamic_set(t, 2, &(int32_t){i % 3}, sizeof(int32_t));
        test_dynamic_run(t);
        test_dynamic_is(t, 4, 4, i < 1 ? 1 : i < 3 ? 2 : 3);
        assert_on_cpu(t, 0, i + 1);
    }
    assert_int_equal(t->fake.inited, 3);
    test_dynamic_stop(t);
}

/* What it does not take the CPU runs, within the group; where it takes nothing, there is none to speak of. */
static void delegates_take_what_they_take(void **state)
{
    static const struct session_options plain = {.mode = CPU_REFERENCE}, seen = {.mode = CPU_REFERENCE, .keep_intermediates = true};
    static const char *const takes[] = {" ABS NEG ", " MUL "};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_reshape, takes[i], i ? &seen : &plain);

        for (uint32_t k = 0; k < 3; k++) {
            test_dynamic_fill(t, k);
            test_dynamic_reshape(t, 4);
            test_dynamic_set(t, 2, &(int32_t){2}, sizeof(int32_t));
            test_dynamic_run(t);
            test_dynamic_is(t, 4, i ? 0 : 2, 1);
            assert_on_cpu(t, i ? 4 : 2, k + 1);
        }
        test_dynamic_stop(t);
    }
}

/* The shape of t is known when elements of x are: a group within the group. */
static void groups_are_within_groups(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_tile, test_dynamic_everything,
                                                     &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    for (int k = 0; k < 6; k++) {
        test_dynamic_fill(t, 0);
        test_dynamic_reshape(t, 2);
        if (k % 2)
            test_dynamic_set(t, 0, (float[12]){[2] = 2, [7] = 1}, 12 * sizeof(float));
        test_dynamic_run(t);
        test_dynamic_is(t, 5, 5, k ? 3 : 2);
    }
    test_dynamic_stop(t);
}

static void what_sizes_itself_is_the_cpus(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(build_where, test_dynamic_everything,
                                                     &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    for (int k = 0; k < 4; k++) {
        bool x[LEN] = {true, false, k % 2, true, false, false};

        test_dynamic_set(t, 0, x, sizeof x);
        test_dynamic_run(t);
        test_dynamic_is(t, 2, 2, k ? 2 : 1);
    }
    test_dynamic_stop(t);
}

/* A new shape in each run: planning costs more than it gives. */
static void ever_new_shapes_are_left_to_the_cpu(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(test_dynamic_build_tile, test_dynamic_everything,
                                                     &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    for (int k = 0; k <= SESSION_CACHE_MISSES + 1; k++) {
        float x[12] = {[2] = (float)(k + 1), [7] = 1};

        test_dynamic_set(t, 0, x, sizeof x);
        test_dynamic_reshape(t, 2);
        test_dynamic_run(t);
        assert_int_equal(t->warned, k >= SESSION_CACHE_MISSES);
    }
    test_dynamic_is(t, 5, 3, 1 + SESSION_CACHE_MISSES);
    test_dynamic_stop(t);
}

/* As many ways lead to it as 2 to the power of 40. */
static void a_number_is_looked_for_once(void **state)
{
    struct test_dynamic_pair *t = test_dynamic_start(build_diamonds, test_dynamic_everything,
                                                     &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    test_dynamic_fill(t, 0);
    test_dynamic_set(t, 1, (bool[PLACES]){[2] = true, [6] = true}, PLACES * sizeof(bool));
    test_dynamic_run(t);
    test_dynamic_is(t, DIAMONDS + 4, 2, 1);
    test_dynamic_stop(t);
}

static uint32_t partitions(const struct test_dynamic_pair *t)
{
    struct session_dynamic dynamic;

    session_dynamic(t->s, &dynamic);
    return dynamic.partitions;
}

/* What is known before runs comes first, what is found late gets what is left. */
static void partitions_are_limited(void **state)
{
    static const struct {
        void (*build)(struct builder *b);
        uint32_t late[3]; /* partitions without a limit, and with those of 1 and 2 */
    } cases[] = {{test_dynamic_build_tile, {2, 1, 2}}, {build_before, {1, 0, 1}}};

    (void)state;
    for (int i = 0; i < 6; i++) {
        const struct session_options o = {.mode = CPU_REFERENCE, .partition = {.max_partitions = i % 3}};
        struct test_dynamic_pair *t = test_dynamic_start(cases[i / 3].build, " ABS NEG REDUCE_MAX ", &o);

        for (int k = 0; k <= SESSION_CACHE_MISSES; k++) {
            test_dynamic_fill(t, 0);
            test_dynamic_reshape(t, 2);
            test_dynamic_run(t);
            assert_int_equal(partitions(t), cases[i / 3].late[i % 3]);
        }
        assert_int_equal(t->warned, 0);
        test_dynamic_stop(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shape_is_planned_once),
        cmocka_unit_test(delegates_take_what_they_take),
        cmocka_unit_test(groups_are_within_groups),
        cmocka_unit_test(what_sizes_itself_is_the_cpus),
        cmocka_unit_test(ever_new_shapes_are_left_to_the_cpu),
        cmocka_unit_test(a_number_is_looked_for_once),
        cmocka_unit_test(partitions_are_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
