/* SPDX-License-Identifier: Apache-2.0 */
/* extract_test.c - parts of small models: their border, their constants, and that they compute what they did in the whole. */
#include "extract.h"
#include "graph_infer.h"
#include "partition.h"
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
static void open_stateful(struct whole *w)
{
    int32_t x, r, s, h, t, q, y, n;
    struct builder b;

    *w = (struct whole){0};
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
static void expect_content(struct whole *w, const bool *chosen, const char *content)
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
    struct whole w;

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
    close_whole(&w);
}

/* "count" adds what the whole model's state was, where that part begins with 10 and 20: two variables of one name. */
static void states_of_their_own(void **state)
{
    const bool counts[NODES] = {[OUTER] = 1};
    struct model part, *m;
    struct session *s;
    struct whole w;
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
    close_whole(&w);
}

static void state_alone(void **state)
{
    struct model part;
    struct whole w;

    (void)state;
    open_stateful(&w);
    assert_int_equal(extract_nodes(session_graph(w.s), (const bool[NODES]){[READ_OWN] = 1}, &w.a, &part, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "all that would be extracted reads variables that other nodes set");
    close_whole(&w);
}

/* x -> IF (yes) -> y, each branch given the handle of the variable, which the first node makes. */
static void handle_from_a_call(void **state)
{
    const bool reads[] = {0, 0, 0, 1}, both[] = {0, 0, 1, 1};
    int32_t yes, h, x, g, y;
    struct whole w = {0};
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
    close_whole(&w);
}

/* ---- partitions one after the other ---- */

/* What each tensor of the whole holds, by its place; NULL: not made yet. */
struct values {
    const struct graph *g;
    void *of[32];
};

static void **value_of(struct values *v, const char *name)
{
    for (uint32_t i = 0; i < v->g->n_tensors; i++)
        if (!strcmp(v->g->tensors[i].name, name))
            return &v->of[i];
    fail_msg("no tensor %s in the whole", name);
    return NULL;
}

static void keep(struct values *v, const struct tensor *t)
{
    void **to = value_of(v, t->name);

    assert_null(*to);
    assert_non_null(*to = malloc(t->bytes));
    memcpy(*to, t->data, t->bytes);
}

/* Runs a file with values that others made, and keeps what it makes; false where it has to wait for some. */
static bool run_part(struct values *v, struct model *m)
{
    bool ready = true;
    struct session *s;

    TEST_OK(session_new(m, &(struct session_options){0}, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        const void *from = *value_of(v, session_input(s, i)->name);

        ready &= from != NULL;
        if (from)
            TEST_OK(session_set_input(s, i, from, session_input(s, i)->bytes, &err), err);
    }
    if (ready)
        TEST_OK(session_run(s, &err), err);
    for (uint32_t i = 0; ready && i < session_n_outputs(s); i++)
        keep(v, session_output(s, i));
    session_free(s);
    return ready;
}

/* The model of part k: of the partitions first, then of each node of the CPU. NULL: node `k` runs in a partition, or is folded. */
static struct model *part_model(const struct graph *g, const struct partitioning *p, uint32_t k, struct arena *a, uint8_t **file)
{
    const uint32_t node = k - p->n_parts;
    bool *chosen = ARENA_ARRAY(a, g->n_nodes, bool);
    struct model part, *m;
    size_t bytes;

    if (k >= p->n_parts && (p->part_of[node] >= 0 || g->nodes[node].folded))
        return NULL;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        chosen[i] = k < p->n_parts ? p->part_of[i] == (int32_t)k : i == node;
    TEST_OK(extract_nodes(g, chosen, a, &part, &err), err);
    TEST_OK(model_serialize(&part, file, &bytes, &err), err);
    TEST_OK(model_parse(*file, bytes, "part", &m, &err), err);
    return m;
}

/* Cuts what the delegate would take out of a model that runs, and the rest node by node: run one after the other, all files
 * together make what the whole made. */
static void expect_chain(const struct session *whole, const char *takes, uint32_t n_parts)
{
    struct fake fake = fake_delegate(takes);
    struct values v = {.g = session_graph(whole)};
    struct arena a = {0};
    struct partitioning p;
    bool done[32] = {0}, moved = true;

    TEST_OK(partition_graph(v.g, (struct delegate *const[]){&fake.base, NULL}, &(struct partition_options){0}, &a, &p, &err), err);
    assert_int_equal(p.n_parts, n_parts);
    for (uint32_t i = 0; i < v.g->n_inputs; i++)
        keep(&v, v.g->inputs[i]);
    while (moved) {
        moved = false;
        for (uint32_t k = 0; k < p.n_parts + v.g->n_nodes; k++) {
            uint8_t *file = NULL;
            struct model *m = done[k] ? NULL : part_model(v.g, &p, k, &a, &file);

            done[k] |= m && run_part(&v, m);
            moved |= m && done[k];
            model_close(m);
            free(file);
        }
    }
    for (uint32_t i = 0; i < v.g->n_outputs; i++)
        assert_memory_equal(*value_of(&v, v.g->outputs[i]->name), v.g->outputs[i]->data, v.g->outputs[i]->bytes);
    for (uint32_t i = 0; i < v.g->n_tensors; i++)
        free(v.of[i]);
    arena_free(&a);
}

static void chains(void **state)
{
    struct whole w;

    (void)state;
    open_chain(&w);
    expect_chain(w.s, " NEG ADD ", 2);
    expect_chain(w.s, " ABS ", 1);
    expect_chain(w.s, " NEG ABS ADD ", 1);
    expect_chain(w.s, "", 0);
    close_whole(&w);
}

/* Of the second subgraph, as a signature would name it: x -> QUANTIZE -> q -> ADD(q, q) -> r -> MUL(r, c) -> s -> DEQUANTIZE -> y,
 * INT8 but for the ends, with other steps each; c is a constant. */
static void quantized_chain(void **state)
{
    static const int8_t factor[4] = {1, 2, -3, 100};
    int32_t x, q, r, c, m, y;
    struct whole w = {0};
    struct builder b;

    (void)state;
    builder_init(&b, "first");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 4));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "second");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    q = build_tensor(&b, "q", TYPE_INT8, SHAPE(1, 4));
    r = build_tensor(&b, "r", TYPE_INT8, SHAPE(1, 4));
    c = build_const(&b, "c", TYPE_INT8, SHAPE(1, 4), factor);
    m = build_tensor(&b, "s", TYPE_INT8, SHAPE(1, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 4));
    build_quant(&b, q, 0.5f, 3);
    build_quant(&b, r, 0.7f, -5);
    build_quant(&b, c, 0.1f, 0);
    build_quant(&b, m, 2.5f, 7);
    build_op(&b, BUILTIN_QUANTIZE, 1, NULL, INDICES(x), INDICES(q));
    build_op(&b, BUILTIN_ADD, 2, NULL, INDICES(q, q), INDICES(r));
    build_op(&b, BUILTIN_MUL, 2, NULL, INDICES(r, c), INDICES(m));
    build_op(&b, BUILTIN_DEQUANTIZE, 2, NULL, INDICES(m), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    w.s = load_and_prepare(&b, &(struct session_options){.keep_intermediates = true, .subgraph = 1}, &w.l);
    memcpy(session_input(w.s, 0)->data, (float[]){1, -7, 12.25f, 20}, 16);
    TEST_OK(session_run(w.s, &err), err);
    expect_chain(w.s, " ADD MUL ", 1);
    expect_chain(w.s, " QUANTIZE MUL ", 2);
    expect_chain(w.s, " QUANTIZE ADD MUL DEQUANTIZE ", 1);
    close_whole(&w);
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
        cmocka_unit_test(chains),
        cmocka_unit_test(quantized_chain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
