/* SPDX-License-Identifier: Apache-2.0 */
/* extract_chain_test.c - partitions one after the other, each in a file of its own, compute what the whole does. */
#include "lib/delegate/partition.h"
#include "lib/graph/graph_infer.h"
#include "lib/rewrite/extract.h"
#include "lib/session/session.h"
#include "lib/testing/test_whole_model.h"

static struct err err;

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
    struct test_whole w;

    (void)state;
    test_open_chain(&w);
    expect_chain(w.s, " NEG ADD ", 2);
    expect_chain(w.s, " ABS ", 1);
    expect_chain(w.s, " NEG ABS ADD ", 1);
    expect_chain(w.s, "", 0);
    test_close_whole(&w);
}

/* Of the second subgraph, as a signature would name it: x -> QUANTIZE -> q -> ADD(q, q) -> r -> MUL(r, c) -> s -> DEQUANTIZE -> y,
 * INT8 but for the ends, with other steps each; c is a constant. */
static void quantized_chain(void **state)
{
    static const int8_t factor[4] = {1, 2, -3, 100};
    int32_t x, q, r, c, m, y;
    struct test_whole w = {0};
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
    test_close_whole(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains),
        cmocka_unit_test(quantized_chain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
