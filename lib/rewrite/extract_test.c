/* SPDX-License-Identifier: Apache-2.0 */
/* extract_test.c - parts of small models: their border, their constants, and that they compute what they did in the whole. */
#include "lib/graph/graph_infer.h"
#include "lib/rewrite/extract.h"
#include "lib/session/session.h"
#include "lib/testing/test_whole_model.h"

static struct err err;

/* The part of these nodes: its inputs and outputs are the tensors of these names, and it makes of the values that the whole had
 * what the whole made. */
static void expect_part(struct test_whole *w, const bool *chosen, const char *inputs, const char *outputs)
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
    struct test_whole w;

    (void)state;
    test_open_chain(&w);
    expect_part(&w, (const bool[]){1, 0, 0, 0}, " x", " a");
    expect_part(&w, (const bool[]){0, 1, 0, 0}, " a", " b");
    expect_part(&w, (const bool[]){0, 0, 0, 1}, " c a", " y");
    expect_part(&w, (const bool[]){1, 1, 0, 0}, " x", " a b"); /* a is read inside and outside */
    expect_part(&w, (const bool[]){0, 1, 1, 1}, " a", " y");
    expect_part(&w, (const bool[]){1, 0, 0, 1}, " x c", " a y"); /* a hole in the middle */
    expect_part(&w, (const bool[]){1, 1, 1, 1}, " x", " y");
    test_close_whole(&w);
}

static void growth(void **state)
{
    bool chosen[4] = {0, 0, 1, 0};
    struct test_whole w;

    (void)state;
    test_open_chain(&w);
    assert_true(extract_grow(session_graph(w.s), chosen, false, &w.a));
    assert_memory_equal(chosen, ((bool[]){0, 0, 1, 1}), sizeof chosen);
    assert_false(extract_grow(session_graph(w.s), chosen, false, &w.a));
    assert_true(extract_grow(session_graph(w.s), chosen, true, &w.a)); /* who makes b, and a */
    assert_memory_equal(chosen, ((bool[]){1, 1, 1, 1}), sizeof chosen);
    test_close_whole(&w);
}

/* y = x w + (z + z), where z + z is folded: one node, two constants that it reads, the operator's own code and version alone. */
static void constants(void **state)
{
    static const float weights[4] = {1, 2, 3, 4}, z[2] = {10, 20};
    int32_t x, w, c, t, u, y;
    struct test_whole whole = {0};
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
    test_close_whole(&whole);
}

/* ---- state, and subgraphs that are called ---- */

static int32_t floats(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(2));
}

static int32_t handle(struct builder *b, const char *variable)
{
    int32_t h = build_tensor(b, variable, TYPE_RESOURCE, SCALAR);

    build_op(b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", variable}, NULL, 0, INDICES(h));
    return h;
}

/* Subgraphs: 1 "unused"; 2 "count" takes x and gives x + x, which is added to the variable "state"; 3 "once" sets that to 10 and 20
 * and fills a table with one entry; 4 "outer" calls 2. */
static void build_called(struct builder *b)
{
    int32_t x, y, h, t, keys, values;

    build_subgraph(b, "unused");
    x = floats(b, "x");
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(x));
    build_subgraph(b, "count");
    x = floats(b, "x");
    y = floats(b, "y");
    t = floats(b, "t");
    h = handle(b, "state");
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(t));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, t), INDICES(y));
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, y), NULL, 0);
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
    build_subgraph(b, "once");
    h = handle(b, "state");
    x = build_const(b, "first", TYPE_FLOAT32, SHAPE(2), (float[]){10, 20});
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, x), NULL, 0);
    t = build_tensor(b, "table", TYPE_RESOURCE, SHAPE(1));
    build_op(b, BUILTIN_HASHTABLE, 1, &(struct opt_hashtable){5, TYPE_INT64, TYPE_STRING}, NULL, 0, INDICES(t));
    keys = build_const(b, "keys", TYPE_INT64, SHAPE(1), (int64_t[]){7});
    values = build_const(b, "values", TYPE_UINT8, SHAPE(13), "\1\0\0\0\f\0\0\0\r\0\0\0a");
    build_at(b, values)->type = TYPE_STRING;
    build_at(b, values)->dim[0] = 1;
    build_op(b, BUILTIN_HASHTABLE_IMPORT, 1, NULL, INDICES(t, keys, values), NULL, 0);
    build_inputs(b, NULL, 0);
    build_outputs(b, NULL, 0);
    build_subgraph(b, "outer");
    x = floats(b, "x");
    y = floats(b, "y");
    build_op(b, BUILTIN_STABLEHLO_COMPOSITE, 1, &(struct opt_stablehlo_composite){.name = "test.count", .subgraph_index = 2},
             INDICES(x), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

enum { ONCE, STATE, READ, ADD, ASSIGN, OUTER, OWN, ASSIGN_OWN, READ_OWN, ABS, TABLE, SIZE, NODES };

/* state += x, as s; t = outer(s); own = t, which is read as q, and |q| = y; n entries in the table. */
static void open_stateful(struct test_whole *w)
{
    int32_t x, r, s, h, t, q, y, n;
    struct builder b;

    *w = (struct test_whole){0};
    builder_init(&b, "stateful");
    x = floats(&b, "x");
    r = floats(&b, "r");
    s = floats(&b, "s");
    t = floats(&b, "t");
    q = floats(&b, "q");
    y = floats(&b, "y");
    n = build_tensor(&b, "n", TYPE_INT64, SHAPE(1));
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){3}, NULL, 0, NULL, 0);
    h = handle(&b, "state");
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(r));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, r), INDICES(s));
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, s), NULL, 0);
    build_op(&b, BUILTIN_STABLEHLO_COMPOSITE, 1, &(struct opt_stablehlo_composite){.name = "test.outer", .subgraph_index = 4},
             INDICES(s), INDICES(t));
    h = handle(&b, "own");
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, t), NULL, 0);
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(q));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(q), INDICES(y));
    h = build_tensor(&b, "table", TYPE_RESOURCE, SHAPE(1));
    build_op(&b, BUILTIN_HASHTABLE, 1, &(struct opt_hashtable){5, TYPE_INT64, TYPE_STRING}, NULL, 0, INDICES(h));
    build_op(&b, BUILTIN_HASHTABLE_SIZE, 1, NULL, INDICES(h), INDICES(n));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y, n));
    build_called(&b);
    w->s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &w->l);
    memcpy(session_input(w->s, 0)->data, (float[]){1, -2}, 8);
    TEST_OK(session_run(w->s, &err), err);
    assert_int_equal(session_graph(w->s)->n_nodes, NODES);
}

/* The subgraphs and operators of the part, but for those of the subgraphs: " main: ADD RELU once:". */
static void expect_content(struct test_whole *w, const bool *chosen, const char *content)
{
    struct model part;
    char text[256] = "";

    TEST_OK(extract_nodes(session_graph(w->s), chosen, &w->a, &part, &err), err);
    for (uint32_t i = 0; i < part.n_subgraphs; i++) {
        sprintf(text + strlen(text), " %s:", part.subgraphs[i].name);
        for (uint32_t k = 0; !i && k < part.subgraphs[i].n_ops; k++)
            sprintf(text + strlen(text), " %s", part.opcodes[part.subgraphs[i].ops[k].opcode].name);
    }
    assert_string_equal(text, content);
}

static void states(void **state)
{
    const bool grows[NODES] = {[READ] = 1, [ADD] = 1, [ASSIGN] = 1}, reads[NODES] = {[READ] = 1}, counts[NODES] = {[OUTER] = 1},
               size[NODES] = {[SIZE] = 1}, own[NODES] = {[ASSIGN_OWN] = 1, [READ_OWN] = 1, [ABS] = 1},
               later[NODES] = {[READ_OWN] = 1, [ABS] = 1}, sum[NODES] = {[ADD] = 1};
    struct test_whole w;

    (void)state;
    open_stateful(&w);
    expect_part(&w, grows, " x", " s");
    expect_content(&w, grows, " main: CALL_ONCE VAR_HANDLE READ_VARIABLE ADD ASSIGN_VARIABLE once:");
    expect_part(&w, reads, "", " r");
    expect_part(&w, size, "", " n");
    expect_content(&w, size, " main: CALL_ONCE HASHTABLE HASHTABLE_SIZE once:");
    expect_part(&w, own, " t", " y");
    expect_content(&w, own, " main: VAR_HANDLE ASSIGN_VARIABLE READ_VARIABLE ABS");
    expect_part(&w, later, " q", " y"); /* nothing sets it there */
    expect_content(&w, later, " main: ABS");
    expect_content(&w, sum, " main: ADD");
    expect_content(&w, counts, " main: CALL_ONCE STABLEHLO_COMPOSITE once: outer: count:");
    test_close_whole(&w);
}

/* "count" adds what the whole model's state was, where that part begins with 10 and 20: two variables of one name. */
static void states_of_their_own(void **state)
{
    const bool counts[NODES] = {[OUTER] = 1};
    struct model part, *m;
    struct session *s;
    struct test_whole w;
    uint8_t *file;
    size_t bytes;

    (void)state;
    open_stateful(&w);
    TEST_OK(extract_nodes(session_graph(w.s), counts, &w.a, &part, &err), err);
    TEST_OK(model_serialize(&part, &file, &bytes, &err), err);
    TEST_OK(model_parse(file, bytes, "part", &m, &err), err);
    TEST_OK(session_new(m, &(struct session_options){0}, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    for (int run = 0; run < 2; run++) {
        TEST_OK(session_set_input(s, 0, (float[]){1, 2}, 8, &err), err);
        TEST_OK(session_run(s, &err), err);
        assert_memory_equal(session_output(s, 0)->data, (run ? (float[]){12, 24} : (float[]){11, 22}), 8);
    }
    session_free(s);
    model_close(m);
    free(file);
    test_close_whole(&w);
}

static void state_alone(void **state)
{
    struct model part;
    struct test_whole w;

    (void)state;
    open_stateful(&w);
    assert_int_equal(extract_nodes(session_graph(w.s), (const bool[NODES]){[READ_OWN] = 1}, &w.a, &part, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "all that would be extracted reads variables that other nodes set");
    test_close_whole(&w);
}

/* x -> IF (yes) -> y, each branch given the handle of the variable, which the first node makes. */
static void handle_from_a_call(void **state)
{
    const bool reads[] = {0, 0, 0, 1}, both[] = {0, 0, 1, 1};
    int32_t yes, h, x, g, y;
    struct test_whole w = {0};
    struct builder b;
    struct model part;

    (void)state;
    builder_init(&b, "handed on");
    yes = build_const(&b, "yes", TYPE_BOOL, SCALAR, (uint8_t[]){1});
    x = floats(&b, "x");
    h = handle(&b, "state");
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, x), NULL, 0);
    g = build_tensor(&b, "given", TYPE_RESOURCE, SCALAR);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 1}, INDICES(yes, h), INDICES(g));
    y = floats(&b, "y");
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(g), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "same");
    h = build_tensor(&b, "h", TYPE_RESOURCE, SCALAR);
    build_inputs(&b, INDICES(h));
    build_outputs(&b, INDICES(h));
    w.s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &w.l);
    memcpy(session_input(w.s, 0)->data, (float[]){1, -2}, 8);
    TEST_OK(session_run(w.s, &err), err);
    assert_int_equal(extract_nodes(session_graph(w.s), reads, &w.a, &part, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg,
                        "node 3 READ_VARIABLE(RESOURCE[]): it reads RESOURCE \"given\" of node 2 IF, which is not extracted "
                        "with it");
    expect_content(&w, both, " main: VAR_HANDLE IF READ_VARIABLE same:");
    expect_part(&w, (const bool[]){0, 1, 1, 1}, " x", " y");
    test_close_whole(&w);
}

/* x -> "negate" -> y, in a file without any buffer. */
static void without_buffers(void **state)
{
    struct test_whole w = {0};
    struct builder b;
    struct model part;
    int32_t x, y;

    (void)state;
    builder_init(&b, "without buffers");
    for (int i = 0; i < 2; i++) {
        x = floats(&b, "x");
        y = floats(&b, "y");
        if (i)
            build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
        else
            build_op(&b, BUILTIN_STABLEHLO_COMPOSITE, 1,
                     &(struct opt_stablehlo_composite){.name = "test.negate", .subgraph_index = 1}, INDICES(x), INDICES(y));
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(y));
        if (!i)
            build_subgraph(&b, "negate");
    }
    b.model.n_buffers = 0;
    w.s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &w.l);
    memcpy(session_input(w.s, 0)->data, (float[]){1, -2}, 8);
    TEST_OK(session_run(w.s, &err), err);
    assert_int_equal(w.l.model->n_buffers, 0);
    expect_part(&w, (const bool[]){1}, " x", " y");
    TEST_OK(extract_nodes(session_graph(w.s), (const bool[]){1}, &w.a, &part, &err), err);
    assert_int_equal(part.n_buffers, 1);
    test_close_whole(&w);
}

/* The first CALL_ONCE sets "b", the second "a" to what "b" is; whoever reads "a" needs both. */
static void first_content_of_first_content(void **state)
{
    const bool reads[] = {0, 0, 0, 1};
    int32_t h, x, y;
    struct test_whole w = {0};
    struct builder b;

    (void)state;
    builder_init(&b, "twice");
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){2}, NULL, 0, NULL, 0);
    h = handle(&b, "a");
    y = floats(&b, "y");
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(y));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "one");
    h = handle(&b, "b");
    x = build_const(&b, "first", TYPE_FLOAT32, SHAPE(2), (float[]){10, 20});
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, x), NULL, 0);
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);
    build_subgraph(&b, "two");
    h = handle(&b, "b");
    x = floats(&b, "x");
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(x));
    h = handle(&b, "a");
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, x), NULL, 0);
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);
    w.s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &w.l);
    TEST_OK(session_run(w.s, &err), err);
    expect_content(&w, reads, " main: CALL_ONCE CALL_ONCE VAR_HANDLE READ_VARIABLE one: two:");
    expect_part(&w, reads, "", " y");
    test_close_whole(&w);
}

/* v = x; y = what "read" makes, which is v. */
static void call_that_only_reads(void **state)
{
    const bool reads[] = {0, 0, 1}, both[] = {0, 1, 1};
    int32_t h, x, y;
    struct test_whole w = {0};
    struct builder b;
    struct model part;

    (void)state;
    builder_init(&b, "reader");
    x = floats(&b, "x");
    y = floats(&b, "y");
    h = handle(&b, "v");
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, x), NULL, 0);
    build_op(&b, BUILTIN_STABLEHLO_COMPOSITE, 1, &(struct opt_stablehlo_composite){.name = "test.read", .subgraph_index = 1}, NULL,
             0, INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "read");
    h = handle(&b, "v");
    y = floats(&b, "y");
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(y));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, INDICES(y));
    w.s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true}, &w.l);
    memcpy(session_input(w.s, 0)->data, (float[]){1, -2}, 8);
    TEST_OK(session_run(w.s, &err), err);
    expect_content(&w, both, " main: VAR_HANDLE ASSIGN_VARIABLE STABLEHLO_COMPOSITE read:");
    assert_int_equal(extract_nodes(session_graph(w.s), reads, &w.a, &part, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "what it calls reads variable \"v\", which nothing that is extracted sets"));
    test_close_whole(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders),
        cmocka_unit_test(growth),
        cmocka_unit_test(constants),
        cmocka_unit_test(states),
        cmocka_unit_test(states_of_their_own),
        cmocka_unit_test(state_alone),
        cmocka_unit_test(handle_from_a_call),
        cmocka_unit_test(without_buffers),
        cmocka_unit_test(first_content_of_first_content),
        cmocka_unit_test(call_that_only_reads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
