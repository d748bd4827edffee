/* SPDX-License-Identifier: Apache-2.0 */
/* control_flow_test.c - which IF, WHILE and composites have known shapes, and what that costs at most. */
#include "lib/graph/control_flow.h"

#include "lib/graph/graph_infer.h"
#include "lib/testing/test_model.h"
#include "schema/options.h"

static int32_t vector(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(n));
}

/* Subgraph x -> NEG -> y, or with `twice` x, x joined; the file says 3 elements. */
static void build_branch(struct builder *b, bool twice)
{
    int32_t x, y;

    build_subgraph(b, "branch");
    x = vector(b, "x", 3);
    y = vector(b, "y", 3);
    if (twice)
        build_op(b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 0}, INDICES(x, x), INDICES(y));
    else
        build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* The graph of x[5] -> IF or WHILE -> y -> NEG, with the subgraphs of build_branch behind it. */
static struct loaded_graph make(bool loop, bool first_twice, bool second_twice)
{
    struct loaded_graph l;
    struct builder b;
    struct err err;
    enum status st;
    int32_t yes, x, y, z;

    builder_init(&b, "calls");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SHAPE(1));
    x = vector(&b, "x", 5);
    y = vector(&b, "y", 3);
    z = vector(&b, "z", 3);
    if (loop)
        build_op(&b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(x), INDICES(y));
    else
        build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(yes, x), INDICES(y));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(y), INDICES(z));
    build_inputs(&b, INDICES(yes, x));
    build_outputs(&b, INDICES(z));
    build_branch(&b, first_twice);
    build_branch(&b, second_twice);
    l = load_graph(&b, &st, &err);
    TEST_OK(st, err);
    TEST_OK(graph_infer(l.graph, &err), err);
    return l;
}

/* `elems` 0: its shape is not known. */
static void expect(bool loop, bool first_twice, bool second_twice, int32_t elems)
{
    struct loaded_graph l = make(loop, first_twice, second_twice);
    const struct graph *g = l.graph;

    assert_int_equal(g->nodes[0].dynamic, !elems);
    assert_int_equal(g->nodes[1].dynamic, !elems);
    if (elems) {
        assert_int_equal(g->nodes[0].out[0]->dim[0], elems);
        assert_int_equal(g->nodes[1].out[0]->dim[0], elems);
    }
    unload_graph(&l);
}

/* From the shape of the caller, not from that of the file. */
static void branches_that_return_the_same(void **state)
{
    (void)state;
    expect(false, false, false, 5);
    expect(false, true, true, 10);
}

static void branches_that_differ(void **state)
{
    (void)state;
    expect(false, false, true, 0);
    expect(false, true, false, 0);
}

static void bodies(void **state)
{
    (void)state;
    expect(true, true, false, 5); /* the condition's shape is of no matter */
    expect(true, false, true, 0);
}

/* x[5] and a constant k[5] -> composite x * k, tanh(k) -> NEG of the first; the file says 3 elements. */
static void composites(void **state)
{
    static const float five[5] = {1, 2, 3, 4, 5};
    const struct opt_stablehlo_composite opt = {.name = "test", .subgraph_index = 1};
    struct loaded_graph l;
    const struct node *n;
    struct builder b;
    struct err err;
    enum status st;
    int32_t x, k, y, t, z;

    (void)state;
    builder_init(&b, "composite");
    x = vector(&b, "x", 5);
    k = build_const(&b, "k", TYPE_FLOAT32, SHAPE(5), five);
    y = vector(&b, "y", 3);
    t = vector(&b, "t", 3);
    z = vector(&b, "z", 3);
    build_op(&b, BUILTIN_STABLEHLO_COMPOSITE, 1, &opt, INDICES(x, k), INDICES(y, t));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(y), INDICES(z));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(z, t));
    build_subgraph(&b, "decomposition");
    x = vector(&b, "x", 3);
    k = vector(&b, "k", 3);
    y = vector(&b, "y", 3);
    t = vector(&b, "t", 3);
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(x, k), INDICES(y));
    build_op(&b, BUILTIN_TANH, 1, NULL, INDICES(k), INDICES(t));
    build_inputs(&b, INDICES(x, k));
    build_outputs(&b, INDICES(y, t));
    l = load_graph(&b, &st, &err);
    TEST_OK(st, err);
    TEST_OK(graph_infer(l.graph, &err), err);
    n = &l.graph->nodes[0];
    assert_true(node_is_composite(n) && !n->dynamic && !l.graph->nodes[1].dynamic);
    assert_int_equal(n->out[0]->dim[0], 5);
    assert_int_equal(n->called->inputs[0]->dim[0], 5);
    assert_false(n->called->nodes[0].folded);
    assert_true(n->called->nodes[1].folded); /* as k is constant */
    TEST_OK(graph_resize_input(l.graph, 0, (const int32_t[]){1}, 1, &err), err);
    TEST_OK(graph_infer(l.graph, &err), err);
    assert_int_equal(n->called->inputs[0]->dim[0], 1);
    unload_graph(&l);
}

/* Subgraph i calls i + 1 by two IFs, 40 of them: following all ways would take 2^40 steps. */
static void calls_beyond_counting(void **state)
{
    struct loaded_graph l;
    struct builder b;
    struct err err;
    enum status st;
    const int depth = 40;

    (void)state;
    builder_init(&b, "bomb");
    for (int i = 0; i <= depth; i++) {
        int32_t yes, x, y, z;

        if (i)
            build_subgraph(&b, "next");
        yes = build_tensor(&b, "yes", TYPE_BOOL, SHAPE(1));
        x = vector(&b, "x", 3);
        y = vector(&b, "y", 3);
        z = vector(&b, "z", 3);
        if (i < depth) {
            build_op(&b, BUILTIN_IF, 1, &(struct opt_if){i + 1, i + 1}, INDICES(yes, yes, x), INDICES(y));
            build_op(&b, BUILTIN_IF, 1, &(struct opt_if){i + 1, i + 1}, INDICES(yes, yes, y), INDICES(z));
        } else {
            build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(z));
        }
        build_inputs(&b, INDICES(yes, x));
        build_outputs(&b, INDICES(z));
    }
    l = load_graph(&b, &st, &err);
    TEST_OK(st, err);
    TEST_OK(graph_infer(l.graph, &err), err);
    assert_true(l.graph->nodes[0].dynamic); /* found out while running */
    unload_graph(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_that_return_the_same),
        cmocka_unit_test(branches_that_differ),
        cmocka_unit_test(bodies),
        cmocka_unit_test(composites),
        cmocka_unit_test(calls_beyond_counting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
