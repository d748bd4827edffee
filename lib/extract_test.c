/* SPDX-License-Identifier: Apache-2.0 */
/* extract_test.c - parts of small models: their border, their constants, and that they compute what they did in the whole. */
#include "extract.h"
#include "graph_infer.h"
#include "session.h"
#include "test_delegate.h"

static struct err err;

/* The chain x -> NEG -> a -> ABS -> b -> NEG -> c -> ADD(c, a) -> y, ready to run. */
struct whole {
    struct loaded l;
    struct session *s;
    struct arena a;
};

static void open_chain(struct whole *w)
{
    struct builder b;

    *w = (struct whole){0};
    build_chain(&b);
    w->s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &w->l);
    for (int i = 0; i < LEN; i++)
        ((float *)session_input(w->s, 0)->data)[i] = (float)i - 2;
    TEST_OK(session_run(w->s, &err), err);
}

static void close_whole(struct whole *w)
{
    session_free(w->s);
    unload(&w->l);
    arena_free(&w->a);
}

/* The part of these nodes: its inputs and outputs are the tensors of these names, and it makes of the values that the whole had
 * what the whole made. */
static void expect_part(struct whole *w, const bool *chosen, const char *inputs, const char *outputs)
{
    const struct graph *g = session_graph(w->s);
    char names[2][64] = {"", ""};
    struct model part, *m;
    struct session *s;
    uint8_t *file;
    size_t bytes;

    TEST_OK(extract_nodes(g, chosen, &w->a, &part, &err), err);
    TEST_OK(model_serialize(&part, &file, &bytes, &err), err);
    TEST_OK(model_parse(file, bytes, "part", &m, &err), err);
    TEST_OK(session_new(m, &(struct session_options){0}, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        const struct tensor *from = &part.subgraphs[0].tensors[part.subgraphs[0].inputs[i]];

        strcat(strcat(names[0], " "), from->name);
        TEST_OK(session_set_input(s, i, from->data, from->bytes, &err), err);
    }
    TEST_OK(session_run(s, &err), err);
    for (uint32_t i = 0; i < session_n_outputs(s); i++) {
        const struct tensor *from = &part.subgraphs[0].tensors[part.subgraphs[0].outputs[i]];

        strcat(strcat(names[1], " "), from->name);
        assert_memory_equal(session_output(s, i)->data, from->data, from->bytes);
    }
    assert_string_equal(names[0], inputs);
    assert_string_equal(names[1], outputs);
    session_free(s);
    model_close(m);
    free(file);
}

static void borders(void **state)
{
    struct whole w;

    (void)state;
    open_chain(&w);
    expect_part(&w, (const bool[]){1, 0, 0, 0}, " x", " a");
    expect_part(&w, (const bool[]){0, 1, 0, 0}, " a", " b");
    expect_part(&w, (const bool[]){0, 0, 0, 1}, " c a", " y");
    expect_part(&w, (const bool[]){1, 1, 0, 0}, " x", " a b"); /* a is read inside and outside */
    expect_part(&w, (const bool[]){0, 1, 1, 1}, " a", " y");
    expect_part(&w, (const bool[]){1, 0, 0, 1}, " x c", " a y"); /* a hole in the middle */
    expect_part(&w, (const bool[]){1, 1, 1, 1}, " x", " y");
    close_whole(&w);
}

static void growth(void **state)
{
    bool chosen[4] = {0, 0, 1, 0};
    struct whole w;

    (void)state;
    open_chain(&w);
    assert_true(extract_grow(session_graph(w.s), chosen, false, &w.a));
    assert_memory_equal(chosen, ((bool[]){0, 0, 1, 1}), sizeof chosen);
    assert_false(extract_grow(session_graph(w.s), chosen, false, &w.a));
    assert_true(extract_grow(session_graph(w.s), chosen, true, &w.a)); /* who makes b, and a */
    assert_memory_equal(chosen, ((bool[]){1, 1, 1, 1}), sizeof chosen);
    close_whole(&w);
}

/* y = x w + (z + z), where z + z is folded: one node, two constants that it reads, the operator's own code and version alone. */
static void constants(void **state)
{
    static const float weights[4] = {1, 2, 3, 4}, z[2] = {10, 20};
    int32_t x, w, c, t, u, y;
    struct whole whole = {0};
    struct builder b;
    struct model part;

    (void)state;
    builder_init(&b, "constants");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2));
    w = build_const(&b, "w", TYPE_FLOAT32, SHAPE(2, 2), weights);
    c = build_const(&b, "z", TYPE_FLOAT32, SHAPE(2), z);
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(2));
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1, 2));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 2));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(c, c), INDICES(t));
    build_op(&b, BUILTIN_FULLY_CONNECTED, 2, NULL, INDICES(x, w, t), INDICES(u));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(u), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    whole.s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &whole.l);
    memcpy(session_input(whole.s, 0)->data, (float[]){1, -1}, 8);
    TEST_OK(session_run(whole.s, &err), err);
    expect_part(&whole, (const bool[]){0, 1, 0}, " x", " u");
    TEST_OK(extract_nodes(session_graph(whole.s), (const bool[]){0, 1, 0}, &whole.a, &part, &err), err);
    assert_true(part.n_opcodes == 1 && part.opcodes[0].builtin == BUILTIN_FULLY_CONNECTED && part.opcodes[0].version == 2);
    assert_true(part.n_buffers == 3 && part.subgraphs[0].n_tensors == 4 && part.subgraphs[0].n_ops == 1);
    assert_int_equal(extract_nodes(session_graph(whole.s), (const bool[]){1, 0, 0}, &whole.a, &part, &err), ST_USAGE); /* folded */
    assert_string_equal(err.msg, "no node to extract");
    close_whole(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(borders), cmocka_unit_test(growth), cmocka_unit_test(constants)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
