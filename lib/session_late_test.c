/* SPDX-License-Identifier: Apache-2.0 */
/* session_late_test.c - nodes whose shapes become known in a run are a delegate's then, with the numbers of the CPU; a plan for
 * each set of shapes is made once. */
#include "session_impl.h"
#include "test_delegate.h"

enum { DIAMONDS = 40, PLACES = 7 };

static int32_t numbers(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_INT32, SHAPE(n));
}

static int32_t vector(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(n));
}

static int32_t matrix(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(1, 1));
}

/* a = |x as `shape` says|, y = -rows of a; inputs x, shape, rows. */
static void build_reshape(struct builder *b)
{
    int32_t x, shape, rows, t[4];

    builder_init(b, "reshape");
    x = vector(b, "x", 12);
    shape = numbers(b, "shape", 2);
    rows = numbers(b, "rows", 1);
    for (int i = 0; i < 4; i++)
        t[i] = matrix(b, (const char *const[]){"as", "a", "row", "y"}[i]);
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(t[0]));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(t[0]), INDICES(t[1]));
    build_op(b, BUILTIN_GATHER, 1, NULL, INDICES(t[1], rows), INDICES(t[2]));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(t[2]), INDICES(t[3]));
    build_inputs(b, INDICES(x, shape, rows));
    build_outputs(b, INDICES(t[1], t[3]));
}

/* y = -(t + 1), where t is x in that shape, repeated as often as its largest elements of each row say. */
static void build_tile(struct builder *b)
{
    int32_t x, shape, as, most, times, t, y;

    builder_init(b, "tile");
    x = vector(b, "x", 12);
    shape = numbers(b, "shape", 2);
    as = matrix(b, "as");
    most = vector(b, "most", 1);
    times = numbers(b, "times", 1);
    t = matrix(b, "t");
    y = matrix(b, "y");
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(as));
    build_op(b, BUILTIN_REDUCE_MAX, 1, &(struct opt_reducer){false},
             INDICES(as, build_const(b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){1})), INDICES(most));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(most), INDICES(times));
    build_op(b, BUILTIN_TILE, 1, NULL, INDICES(as, times), INDICES(t));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(t), INDICES(y));
    build_inputs(b, INDICES(x, shape));
    build_outputs(b, INDICES(y));
}

/* y = |-x as `shape` says|. */
static void build_before(struct builder *b)
{
    int32_t x, shape, before, as, y;

    builder_init(b, "before");
    x = vector(b, "x", 12);
    shape = numbers(b, "shape", 2);
    before = vector(b, "before", 12);
    as = matrix(b, "as");
    y = matrix(b, "y");
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
    as = matrix(b, "as");
    y = matrix(b, "y");
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
    v = vector(b, "v", 12);
    x = build_tensor(b, "x", TYPE_BOOL, SHAPE(PLACES));
    at = build_tensor(b, "at", TYPE_INT64, SHAPE(1, 1));
    as = build_tensor(b, "as", TYPE_INT32, SHAPE(1, 1));
    k = numbers(b, "k", 1);
    build_op(b, BUILTIN_WHERE, 1, NULL, INDICES(x), INDICES(at));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(at), INDICES(as));
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(as, build_const(b, "flat", TYPE_INT32, SHAPE(1), (int32_t[]){-1})), INDICES(k));
    for (int i = 0; i < DIAMONDS; i++) {
        int32_t same;

        snprintf(name, sizeof name, "same%d", i);
        same = numbers(b, name, 1);
        build_op(b, BUILTIN_MAXIMUM, 1, NULL, INDICES(k, k), INDICES(same));
        k = same;
    }
    as = matrix(b, "vs");
    y = matrix(b, "y");
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(v, k), INDICES(as));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(as), INDICES(y));
    build_inputs(b, INDICES(v, x));
    build_outputs(b, INDICES(y));
}

/* A model with the delegate and without. */
struct both {
    struct fake fake;
    struct loaded of[2];
    struct session *s, *cpu;
    int warned;
};

static void count_warning(void *arg, const char *text)
{
    assert_non_null(strstr(text, "the CPU runs them"));
    ++*(int *)arg;
}

static struct both *start(void (*build)(struct builder *b), const char *takes, const struct session_options *like)
{
    struct both *t = calloc(1, sizeof *t);
    struct session_options o = *like;
    struct builder b;

    t->fake = fake_delegate(takes);
    t->fake.base.warn = count_warning;
    t->fake.base.warn_arg = &t->warned;
    build(&b);
    t->cpu = load_and_prepare(&b, &o, &t->of[0]);
    o.delegates[0] = &t->fake.base;
    build(&b);
    t->s = load_and_prepare(&b, &o, &t->of[1]);
    return t;
}

static void stop(struct both *t)
{
    session_free(t->s);
    session_free(t->cpu);
    unload(&t->of[0]);
    unload(&t->of[1]);
    assert_int_equal(t->fake.inited, t->fake.freed);
    free(t);
}

static void set(struct both *t, uint32_t i, const void *data, size_t bytes)
{
    struct err err;

    TEST_OK(session_set_input(t->s, i, data, bytes, &err), err);
    TEST_OK(session_set_input(t->cpu, i, data, bytes, &err), err);
}

static void compare(const struct both *t)
{
    for (uint32_t i = 0; i < session_n_outputs(t->s); i++) {
        const struct tensor *a = session_output(t->s, i), *b = session_output(t->cpu, i);

        assert_true(tensor_same_shape(a, b));
        assert_memory_equal(a->data, b->data, b->bytes);
    }
}

static void run(struct both *t)
{
    struct err err;

    TEST_OK(session_run(t->s, &err), err);
    TEST_OK(session_run(t->cpu, &err), err);
    compare(t);
}

static void fill(struct both *t, int phase)
{
    float x[12];

    for (int i = 0; i < 12; i++)
        x[i] = (float)((i + phase) % 3 + 1);
    set(t, 0, x, sizeof x);
}

/* x as [rows, 12 / rows]. */
static void reshape(struct both *t, int32_t rows)
{
    set(t, 1, (int32_t[]){rows, 12 / rows}, 2 * sizeof(int32_t));
}

static void assert_late(const struct both *t, uint32_t nodes, uint32_t delegated, uint32_t plans)
{
    struct session_late late;

    session_late(t->s, &late);
    assert_int_equal(late.nodes, nodes);
    assert_int_equal(late.delegated, delegated);
    assert_int_equal(late.plans, plans);
}

/* What the CPU ran in the last run and, where all `runs` so far were alike, in all. */
static void assert_on_cpu(const struct both *t, uint32_t cpu, uint32_t runs)
{
    struct session_late late;

    session_late(t->s, &late);
    assert_int_equal(late.cpu, cpu);
    assert_int_equal(late.node_runs, runs * late.nodes);
    assert_int_equal(late.cpu_node_runs, runs * cpu);
    assert_int_equal(session_fully_delegated(t->s), !cpu);
}

static const char everything[] = " RESHAPE ABS GATHER NEG REDUCE_MAX CAST TILE ";

/* Shapes by turns; another row is no other shape. */
static void each_shape_is_planned_once(void **state)
{
    struct both *t = start(build_reshape, everything, &(struct session_options){.mode = CPU_REFERENCE});
    static const int32_t rows[] = {3, 4, 3, 12, 4, 3, 12};

    (void)state;
    assert_int_equal(session_partitioning(t->s)->n_delegated, 0);
    assert_true(session_fully_delegated(t->s)); /* as far as can be told */
    for (uint32_t i = 0; i < 7; i++) {
        fill(t, i);
        reshape(t, rows[i]);
        set(t, 2, &(int32_t){i % 3}, sizeof(int32_t));
        run(t);
        assert_late(t, 4, 4, i < 1 ? 1 : i < 3 ? 2 : 3);
        assert_on_cpu(t, 0, i + 1);
    }
    assert_int_equal(t->fake.inited, 3);
    stop(t);
}

/* What it does not take the CPU runs, within the group; where it takes nothing, there is none to speak of. */
static void delegates_take_what_they_take(void **state)
{
    static const struct session_options plain = {.mode = CPU_REFERENCE}, seen = {.mode = CPU_REFERENCE, .keep_intermediates = true};
    static const char *const takes[] = {" ABS NEG ", " MUL "};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct both *t = start(build_reshape, takes[i], i ? &seen : &plain);

        for (uint32_t k = 0; k < 3; k++) {
            fill(t, k);
            reshape(t, 4);
            set(t, 2, &(int32_t){2}, sizeof(int32_t));
            run(t);
            assert_late(t, 4, i ? 0 : 2, 1);
            assert_on_cpu(t, i ? 4 : 2, k + 1);
        }
        stop(t);
    }
}

/* The shape of t is known when elements of x are: a group within the group. */
static void groups_are_within_groups(void **state)
{
    struct both *t = start(build_tile, everything, &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    for (int k = 0; k < 6; k++) {
        fill(t, 0);
        reshape(t, 2);
        if (k % 2)
            set(t, 0, (float[12]){[2] = 2, [7] = 1}, 12 * sizeof(float));
        run(t);
        assert_late(t, 5, 5, k ? 3 : 2);
    }
    stop(t);
}

static void what_sizes_itself_is_the_cpus(void **state)
{
    struct both *t = start(build_where, everything, &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    for (int k = 0; k < 4; k++) {
        bool x[LEN] = {true, false, k % 2, true, false, false};

        set(t, 0, x, sizeof x);
        run(t);
        assert_late(t, 2, 2, k ? 2 : 1);
    }
    stop(t);
}

/* Every tensor can be looked at. */
static void watched_groups_show_all(void **state)
{
    static const struct session_options seen = {.mode = CPU_REFERENCE, .keep_intermediates = true};
    struct both *t = start(build_tile, everything, &seen);

    (void)state;
    fill(t, 1);
    reshape(t, 2);
    run(t);
    for (uint32_t i = 0; i < session_graph(t->s)->n_tensors; i++) {
        const struct tensor *a = &session_graph(t->s)->tensors[i], *b = &session_graph(t->cpu)->tensors[i];

        assert_true(tensor_same_shape(a, b));
        assert_memory_equal(a->data, b->data, b->bytes);
    }
    stop(t);
}

static void profiles_have_their_rows(void **state)
{
    struct both *t = start(build_tile, " ABS NEG REDUCE_MAX ", &(struct session_options){.mode = CPU_REFERENCE});
    const struct profile_row *rows;
    struct err err;
    size_t n;

    (void)state;
    fill(t, 1);
    reshape(t, 2);
    run(t);
    TEST_OK(session_profile(t->s, &rows, &n, &err), err);
    compare(t);
    assert_int_equal(n, 5);
    assert_string_equal(rows[0].type, "RESHAPE");
    assert_int_equal(rows[0].partition, -1);
    assert_int_equal(rows[1].partition, 0);
    assert_int_equal(rows[4].partition, 1);
    assert_int_equal(rows[4].nodes[0]->index, 4);
    assert_int_equal(session_profile_overhead(t->s).wait_ns, 2 * 200);
    stop(t);
}

/* A new shape in each run: planning costs more than it gives. */
static void ever_new_shapes_are_left_to_the_cpu(void **state)
{
    struct both *t = start(build_tile, everything, &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    for (int k = 0; k <= LATE_MISSES + 1; k++) {
        float x[12] = {[2] = (float)(k + 1), [7] = 1};

        set(t, 0, x, sizeof x);
        reshape(t, 2);
        run(t);
        assert_int_equal(t->warned, k >= LATE_MISSES);
    }
    assert_late(t, 5, 3, 1 + LATE_MISSES);
    stop(t);
}

/* As many ways lead to it as 2 to the power of 40. */
static void a_number_is_looked_for_once(void **state)
{
    struct both *t = start(build_diamonds, everything, &(struct session_options){.mode = CPU_REFERENCE});

    (void)state;
    fill(t, 0);
    set(t, 1, (bool[PLACES]){[2] = true, [6] = true}, PLACES * sizeof(bool));
    run(t);
    assert_late(t, DIAMONDS + 4, 2, 1);
    stop(t);
}

/* What runs make is in the memory of a session, and no part of its start. */
static void starts_end_before_runs(void **state)
{
    struct both *t = start(build_reshape, everything, &(struct session_options){.mode = CPU_REFERENCE});
    struct session_memory memory;
    struct session_times times;

    (void)state;
    fill(t, 0);
    reshape(t, 2);
    run(t);
    session_memory(t->s, &memory);
    session_times(t->s, &times);
    assert_true(memory.delegate.compile_ns > 0);
    assert_int_equal(times.compile_ns, 0);
    stop(t);
}

static void errors_are_those_of_the_cpu(void **state)
{
    struct both *t = start(build_reshape, everything, &(struct session_options){.mode = CPU_REFERENCE});
    struct err a = {""}, b = {""};

    (void)state;
    fill(t, 0);
    set(t, 1, (int32_t[]){5, 5}, 2 * sizeof(int32_t));
    assert_int_equal(session_run(t->s, &a), ST_BAD_MODEL);
    assert_int_equal(session_run(t->cpu, &b), ST_BAD_MODEL);
    assert_string_equal(a.msg, b.msg);
    t->fake.fail_invoke = true;
    reshape(t, 2);
    assert_int_equal(session_run(t->s, &a), ST_FAILED);
    t->fake.fail_invoke = false;
    run(t);
    stop(t);
}

static uint32_t partitions(const struct both *t)
{
    struct session_late late;

    session_late(t->s, &late);
    return late.partitions;
}

/* What is known before runs comes first, what is found late gets what is left. */
static void partitions_are_limited(void **state)
{
    static const struct {
        void (*build)(struct builder *b);
        uint32_t late[3]; /* partitions without a limit, and with those of 1 and 2 */
    } cases[] = {{build_tile, {2, 1, 2}}, {build_before, {1, 0, 1}}};

    (void)state;
    for (int i = 0; i < 6; i++) {
        const struct session_options o = {.mode = CPU_REFERENCE, .partition = {.max_partitions = i % 3}};
        struct both *t = start(cases[i / 3].build, " ABS NEG REDUCE_MAX ", &o);

        for (int k = 0; k <= LATE_MISSES; k++) {
            fill(t, 0);
            reshape(t, 2);
            run(t);
            assert_int_equal(partitions(t), cases[i / 3].late[i % 3]);
        }
        assert_int_equal(t->warned, 0);
        stop(t);
    }
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
    struct both *t = start(build_tile, " REDUCE_MAX TILE ", &o);
    struct err err;

    (void)state;
    fill(t, 1);
    reshape(t, 2);
    TEST_OK(session_run(t->s, &err), err);
    assert_late(t, 5, 2, 2);
    assert_true(seen[0] && !seen[1] && seen[2] && !seen[3] && seen[4]);
    TEST_OK(session_run(t->cpu, &err), err);
    compare(t);
    stop(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shape_is_planned_once),
        cmocka_unit_test(delegates_take_what_they_take),
        cmocka_unit_test(groups_are_within_groups),
        cmocka_unit_test(what_sizes_itself_is_the_cpus),
        cmocka_unit_test(watched_groups_show_all),
        cmocka_unit_test(profiles_have_their_rows),
        cmocka_unit_test(ever_new_shapes_are_left_to_the_cpu),
        cmocka_unit_test(a_number_is_looked_for_once),
        cmocka_unit_test(starts_end_before_runs),
        cmocka_unit_test(errors_are_those_of_the_cpu),
        cmocka_unit_test(partitions_are_limited),
        cmocka_unit_test(nodes_of_groups_are_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
