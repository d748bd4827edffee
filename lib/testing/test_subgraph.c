/* SPDX-License-Identifier: Apache-2.0 */
/* test_subgraph.c - see test_subgraph.h */
#include "lib/testing/test_subgraph.h"

struct test_running test_begin(struct builder *b)
{
    struct test_running l = {.of = load(b)};
    struct err err = {""};

    TEST_OK(session_new(l.of.model, &(struct session_options){0}, &l.s, &err), err);
    TEST_OK(session_prepare(l.s, &err), err);
    return l;
}

void test_stop(struct test_running *l)
{
    session_free(l->s);
    unload(&l->of);
}

int32_t test_vector(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(n));
}

void test_set(struct test_running *l, uint32_t i, float start)
{
    struct tensor *t = session_input(l->s, i);

    for (size_t k = 0; k < tensor_elems(t); k++)
        ((float *)t->data)[k] = start + (float)k;
}

float test_first(const struct test_running *l, uint32_t output)
{
    return ((const float *)session_output(l->s, output)->data)[0];
}

void test_run(struct test_running *l)
{
    struct err err = {""};

    TEST_OK(session_run(l->s, &err), err);
}

void test_map_subgraph(struct builder *b, enum builtin op, float value)
{
    int32_t x, c, y;

    build_subgraph(b, "map");
    x = test_vector(b, "x", 2);
    c = build_const(b, "c", TYPE_FLOAT32, SHAPE(1), &value);
    y = test_vector(b, "y", 2);
    build_op(b, op, 1, NULL, INDICES(x, c), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}
