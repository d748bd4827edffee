/* SPDX-License-Identifier: Apache-2.0 */
/* fold_test.c - what is computed before the first run, and what must not be. */
#include "lib/graph/graph_infer.h"
#include "lib/testing/test_model.h"

#include <stdlib.h>

/* load_graph, whose shapes are inferred: *st says how that went. */
static struct loaded_graph infer(struct builder *b, enum status *st)
{
    struct err err;
    struct loaded_graph l = load_graph(b, st, &err);

    TEST_OK(*st, err);
    *st = graph_infer(l.graph, &err);
    return l;
}

static struct loaded_graph load_ok(struct builder *b)
{
    enum status st;
    struct loaded_graph l = infer(b, &st);

    assert_int_equal(st, ST_OK);
    return l;
}

/* A folded output is a constant like any other; anything else has no content before the first run. */
static void expect_folded(const struct loaded_graph *l, uint32_t node, bool folded)
{
    const struct node *n = &l->graph->nodes[node];

    assert_int_equal(n->folded, folded);
    for (uint32_t i = 0; i < n->n_out; i++) {
        assert_int_equal(n->out[i]->is_const, folded);
        assert_int_equal(n->out[i]->is_known, folded);
        assert_int_equal(n->out[i]->data != NULL, folded);
    }
}

/* half constants -> DEQUANTIZE -> w -> NEG -> m -> ADD(x, m) -> y */
static void chains_of_constants_are_computed(void **state)
{
    const uint16_t halves[] = {0x3c00, 0xc000, 0x3800};
    const float want[] = {-1, 2, -0.5f};
    struct builder b;
    struct loaded_graph l;
    struct err err = {""};
    int32_t h, w, m, x, y;

    (void)state;
    builder_init(&b, "chain");
    h = build_const(&b, "h", TYPE_FLOAT16, SHAPE(3), halves);
    w = build_tensor(&b, "w", TYPE_FLOAT32, SHAPE(3));
    m = build_tensor(&b, "m", TYPE_FLOAT32, SHAPE(3));
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(3));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(w), INDICES(m)); /* before its writer in the file */
    build_op(&b, BUILTIN_DEQUANTIZE, 3, NULL, INDICES(h), INDICES(w));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, m), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load_ok(&b);
    for (int i = 0; i < 2; i++) {
        expect_folded(&l, 0, true);
        expect_folded(&l, 1, true);
        expect_folded(&l, 2, false);
        assert_memory_equal(l.graph->tensors[m].data, want, sizeof want);
        TEST_OK(graph_infer(l.graph, &err), err); /* frees and computes them anew */
    }
    unload_graph(&l);
}

/* SHAPE reads no content, so it is folded though its input is not constant, and again for another shape. */
static void shapes_of_inputs_are_known(void **state)
{
    struct builder b;
    struct loaded_graph l;
    struct err err = {""};
    int32_t x, s, r, y;

    (void)state;
    builder_init(&b, "shape");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2, 5));
    s = build_tensor(&b, "s", TYPE_INT32, SHAPE(2));
    r = build_const(&b, "r", TYPE_INT32, SHAPE(1), (int32_t[]){0});
    y = build_tensor(&b, "y", TYPE_INT32, SHAPE(2));
    build_op(&b, BUILTIN_SHAPE, 1, &(struct opt_shape){.out_type = TYPE_INT32}, INDICES(x), INDICES(s));
    build_op(&b, BUILTIN_REVERSE_V2, 1, NULL, INDICES(s, r), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load_ok(&b);
    for (int32_t n = 5; n < 8; n++) {
        TEST_OK(graph_resize_input(l.graph, 0, (const int32_t[]){2, n}, 2, &err), err);
        TEST_OK(graph_infer(l.graph, &err), err);
        expect_folded(&l, 0, true);
        expect_folded(&l, 1, true);
        assert_int_equal(((const int32_t *)l.graph->tensors[y].data)[0], n);
        assert_int_equal(((const int32_t *)l.graph->tensors[y].data)[1], 2);
    }
    unload_graph(&l);
}

/* One node with constants alone. */
static struct loaded_graph one_node(enum builtin op, int32_t version, const void *opt, enum tensor_type type, const int32_t *dim,
                                    int32_t rank, const void *data, enum tensor_type out, const int32_t *out_dim, int32_t out_rank)
{
    struct builder b;
    int32_t c, y;

    builder_init(&b, "one node");
    c = build_const(&b, "c", type, dim, rank, data);
    y = build_tensor(&b, "y", out, out_dim, out_rank);
    build_op(&b, op, version, opt, INDICES(c), INDICES(y));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, INDICES(y));
    return load_ok(&b);
}

static void what_changes_from_run_to_run_is_not_folded(void **state)
{
    struct loaded_graph l = one_node(BUILTIN_RANDOM_UNIFORM, 1, &(struct opt_random){.seed = 1, .seed2 = 2}, TYPE_INT32, SHAPE(1),
                                     (int32_t[]){4}, TYPE_FLOAT32, SHAPE(4));

    (void)state;
    expect_folded(&l, 0, false);
    unload_graph(&l);
}

static void newer_versions_are_not_folded(void **state)
{
    const float c[] = {1, 2};
    struct loaded_graph l = one_node(BUILTIN_NEG, 1, NULL, TYPE_FLOAT32, SHAPE(2), c, TYPE_FLOAT32, SHAPE(2));

    (void)state;
    expect_folded(&l, 0, true);
    unload_graph(&l);
    l = one_node(BUILTIN_NEG, 99, NULL, TYPE_FLOAT32, SHAPE(2), c, TYPE_FLOAT32, SHAPE(2));
    expect_folded(&l, 0, false);
    unload_graph(&l);
}

/* A kernel that fails leaves its node to fail in its turn, when it runs. */
static void failing_nodes_stay(void **state)
{
    struct builder b;
    struct loaded_graph l;
    int32_t c, at, y;

    (void)state;
    for (int32_t i = 1; i < 3; i++) {
        builder_init(&b, "gather");
        c = build_const(&b, "c", TYPE_FLOAT32, SHAPE(2), (float[]){1, 2});
        at = build_const(&b, "at", TYPE_INT32, SHAPE(1), &i);
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1));
        build_op(&b, BUILTIN_GATHER, 1, NULL, INDICES(c, at), INDICES(y));
        build_inputs(&b, NULL, 0);
        build_outputs(&b, INDICES(y));
        l = load_ok(&b);
        expect_folded(&l, 0, i < 2); /* 2 is beyond the end */
        unload_graph(&l);
    }
}

/* A constant of [1,n] floats to [rows,n]; whether that is folded. */
static bool grows(int32_t n, int32_t rows)
{
    float *data = calloc((size_t)n, sizeof *data);
    struct builder b;
    struct loaded_graph l;
    int32_t c, to, y;
    bool folded;

    builder_init(&b, "broadcast");
    c = build_const(&b, "c", TYPE_FLOAT32, SHAPE(1, n), data);
    to = build_const(&b, "to", TYPE_INT32, SHAPE(2), (int32_t[]){rows, n});
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_op(&b, BUILTIN_BROADCAST_TO, 1, NULL, INDICES(c, to), INDICES(y));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, INDICES(y));
    l = load_ok(&b);
    assert_int_equal(l.graph->tensors[y].dim[0], rows); /* its shape is known in any case */
    folded = l.graph->nodes[0].folded;
    expect_folded(&l, 0, folded);
    unload_graph(&l);
    free(data);
    return folded;
}

/* Small results always, others up to four times what they are made of: 8 bytes are the shape's. */
static void growth_is_limited(void **state)
{
    (void)state;
    assert_true(grows(1, 16384));
    assert_false(grows(1, 16385));
    assert_true(grows(16384, 1));
    assert_true(grows(16384, 4));
    assert_false(grows(16384, 5));
    assert_true(grows(20000, 4));
    assert_false(grows(1, 1 << 24)); /* and does not ask for the memory */
}

/* 8-bit weights become floats at plan time however large they are; nothing wider does. */
static void weights_are_converted(void **state)
{
    static const int8_t weights[100000];
    struct loaded_graph l = one_node(BUILTIN_CAST, 1, NULL, TYPE_INT8, SHAPE(100000), weights, TYPE_FLOAT32, SHAPE(100000));

    (void)state;
    expect_folded(&l, 0, true);
    unload_graph(&l);
    l = one_node(BUILTIN_CAST, 1, NULL, TYPE_INT8, SHAPE(100000), weights, TYPE_INT64, SHAPE(100000));
    expect_folded(&l, 0, false);
    unload_graph(&l);
}

static void unknown_operators_stay(void **state)
{
    struct builder b;
    struct loaded_graph l;
    int32_t c, y, z;

    (void)state;
    builder_init(&b, "unknown");
    c = build_const(&b, "c", TYPE_FLOAT32, SHAPE(2), (float[]){1, 2});
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2));
    z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(2));
    build_custom_op(&b, "Unheard", NULL, 0, INDICES(c), INDICES(y));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(y), INDICES(z));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, INDICES(z));
    l = load_ok(&b);
    expect_folded(&l, 0, false);
    expect_folded(&l, 1, false);
    unload_graph(&l);
}

/* Variables change, whatever they begin with. */
static void variables_are_not_constants(void **state)
{
    struct builder b;
    struct loaded_graph l;
    int32_t v, y;

    (void)state;
    builder_init(&b, "variable");
    v = build_tensor(&b, "v", TYPE_FLOAT32, SHAPE(2));
    build_at(&b, v)->is_variable = true;
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(v), INDICES(y));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, INDICES(y));
    l = load_ok(&b);
    expect_folded(&l, 0, false);
    unload_graph(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_constants_are_computed),
        cmocka_unit_test(shapes_of_inputs_are_known),
        cmocka_unit_test(what_changes_from_run_to_run_is_not_folded),
        cmocka_unit_test(newer_versions_are_not_folded),
        cmocka_unit_test(failing_nodes_stay),
        cmocka_unit_test(growth_is_limited),
        cmocka_unit_test(weights_are_converted),
        cmocka_unit_test(unknown_operators_stay),
        cmocka_unit_test(variables_are_not_constants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
