/* SPDX-License-Identifier: Apache-2.0 */
/* test_dynamic_shapes.c - models with dynamic shapes, and pairs of sessions on them. */
#include "lib/testing/test_dynamic_shapes.h"

const char test_dynamic_everything[] = " RESHAPE ABS GATHER NEG REDUCE_MAX CAST TILE ";

int32_t test_dynamic_numbers(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_INT32, SHAPE(n));
}

int32_t test_dynamic_vector(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(n));
}

int32_t test_dynamic_matrix(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(1, 1));
}

void test_dynamic_build_reshape(struct builder *b)
{
    int32_t x, shape, rows, t[4];

    builder_init(b, "reshape");
    x = test_dynamic_vector(b, "x", 12);
    shape = test_dynamic_numbers(b, "shape", 2);
    rows = test_dynamic_numbers(b, "rows", 1);
    for (int i = 0; i < 4; i++)
        t[i] = test_dynamic_matrix(b, (const char *const[]){"as", "a", "row", "y"}[i]);
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(t[0]));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(t[0]), INDICES(t[1]));
    build_op(b, BUILTIN_GATHER, 1, NULL, INDICES(t[1], rows), INDICES(t[2]));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(t[2]), INDICES(t[3]));
    build_ends(b, INDICES(x, shape, rows), INDICES(t[1], t[3]));
}

void test_dynamic_build_tile(struct builder *b)
{
    int32_t x, shape, as, most, times, t, y;

    builder_init(b, "tile");
    x = test_dynamic_vector(b, "x", 12);
    shape = test_dynamic_numbers(b, "shape", 2);
    as = test_dynamic_matrix(b, "as");
    most = test_dynamic_vector(b, "most", 1);
    times = test_dynamic_numbers(b, "times", 1);
    t = test_dynamic_matrix(b, "t");
    y = test_dynamic_matrix(b, "y");
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(as));
    build_op(b, BUILTIN_REDUCE_MAX, 1, &(struct opt_reducer){false},
             INDICES(as, build_const(b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){1})), INDICES(most));
    build_op(b, BUILTIN_CAST, 1, NULL, INDICES(most), INDICES(times));
    build_op(b, BUILTIN_TILE, 1, NULL, INDICES(as, times), INDICES(t));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(t), INDICES(y));
    build_ends(b, INDICES(x, shape), INDICES(y));
}

static void count_warning(void *arg, const char *text)
{
    assert_non_null(strstr(text, "the CPU runs them"));
    ++*(int *)arg;
}

struct test_dynamic_pair *test_dynamic_start(void (*build)(struct builder *b), const char *takes,
                                             const struct session_options *like)
{
    struct test_dynamic_pair *t = calloc(1, sizeof *t);
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

void test_dynamic_stop(struct test_dynamic_pair *t)
{
    session_free(t->s);
    session_free(t->cpu);
    unload(&t->of[0]);
    unload(&t->of[1]);
    assert_int_equal(t->fake.inited, t->fake.freed);
    free(t);
}

void test_dynamic_set(struct test_dynamic_pair *t, uint32_t i, const void *data, size_t bytes)
{
    struct err err;

    TEST_OK(session_set_input(t->s, i, data, bytes, &err), err);
    TEST_OK(session_set_input(t->cpu, i, data, bytes, &err), err);
}

void test_dynamic_compare(const struct test_dynamic_pair *t)
{
    for (uint32_t i = 0; i < session_n_outputs(t->s); i++) {
        const struct tensor *a = session_output(t->s, i), *b = session_output(t->cpu, i);

        assert_true(tensor_same_shape(a, b));
        assert_memory_equal(a->data, b->data, b->bytes);
    }
}

void test_dynamic_run(struct test_dynamic_pair *t)
{
    struct err err;

    TEST_OK(session_run(t->s, &err), err);
    TEST_OK(session_run(t->cpu, &err), err);
    test_dynamic_compare(t);
}

void test_dynamic_fill(struct test_dynamic_pair *t, int phase)
{
    float x[12];

    for (int i = 0; i < 12; i++)
        x[i] = (float)((i + phase) % 3 + 1);
    test_dynamic_set(t, 0, x, sizeof x);
}

void test_dynamic_reshape(struct test_dynamic_pair *t, int32_t rows)
{
    test_dynamic_set(t, 1, (int32_t[]){rows, 12 / rows}, 2 * sizeof(int32_t));
}

void test_dynamic_is(const struct test_dynamic_pair *t, uint32_t nodes, uint32_t delegated, uint32_t plans)
{
    struct session_dynamic dynamic;

    session_dynamic(t->s, &dynamic);
    assert_int_equal(dynamic.nodes, nodes);
    assert_int_equal(dynamic.delegated, delegated);
    assert_int_equal(dynamic.plans, plans);
}
