/* SPDX-License-Identifier: Apache-2.0 */
/* graph_test.c - a subgraph of a file becomes nodes in an order that works, or a message; shapes follow the inputs. */
#include "lib/graph/graph_infer.h"
#include "lib/testing/test_model.h"

static struct loaded_graph load_ok(struct builder *b)
{
    enum status st;
    struct err err;
    struct loaded_graph l = load_graph(b, &st, &err);

    TEST_OK(st, err);
    return l;
}

static int32_t vector(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(n));
}

/* ---- order ---- */

/* NEG and ADD nodes over random earlier tensors, written to the file in random order. Every writer must come first, and a file
 * that is in order stays as it is. */
static void any_order_of_the_file_is_sorted(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int round = 0; round < 200; round++) {
        uint32_t n = 1 + (uint32_t)(test_random(&seed) % 12), rank[12];
        bool shuffled = round % 2;
        int32_t in[12][2];
        struct builder b;
        struct loaded_graph l;

        builder_init(&b, "random");
        for (uint32_t i = 0; i <= n; i++)
            vector(&b, "t", 4);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t k = shuffled ? (uint32_t)(test_random(&seed) % (i + 1)) : i;

            rank[i] = rank[k];
            rank[k] = i;
            in[i][0] = (int32_t)(test_random(&seed) % (i + 1));
            in[i][1] = (int32_t)(test_random(&seed) % (i + 1));
        }
        for (uint32_t i = 0; i < n; i++) { /* node k writes tensor k + 1 */
            int32_t k = (int32_t)rank[i];

            build_op(&b, BUILTIN_ADD, 1, NULL, in[k], 2, INDICES(k + 1));
        }
        build_inputs(&b, INDICES(0));
        build_outputs(&b, INDICES((int32_t)n));
        l = load_ok(&b);
        assert_int_equal(l.graph->n_nodes, n);
        for (uint32_t i = 0, seen = 1; i < n; i++) { /* seen: bits of tensors that are made */
            const struct node *node = &l.graph->nodes[i];

            assert_true(seen >> node->in[0]->index & 1 && seen >> node->in[1]->index & 1);
            assert_int_equal(node->out[0]->index, rank[node->index] + 1);
            if (!shuffled)
                assert_int_equal(node->index, i);
            seen |= 1u << node->out[0]->index;
        }
        unload_graph(&l);
    }
}

/* Random numbers are drawn in the file's order even where a node before them must move back. */
static void nodes_with_state_stay_in_order(void **state)
{
    static const uint32_t want[] = {0, 1, 3, 2};
    struct builder b;
    struct loaded_graph l;
    int32_t shape, x, a, first, second;

    (void)state;
    builder_init(&b, "random numbers");
    shape = build_const(&b, "shape", TYPE_INT32, SHAPE(1), (int32_t[]){4});
    x = vector(&b, "x", 4);
    a = vector(&b, "a", 4);
    first = vector(&b, "first", 4);
    second = vector(&b, "second", 4);
    build_custom_op(&b, "Unheard", NULL, 0, NULL, 0, NULL, 0);
    build_op(&b, BUILTIN_RANDOM_UNIFORM, 1, NULL, INDICES(shape), INDICES(first));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(second), INDICES(a));
    build_op(&b, BUILTIN_RANDOM_STANDARD_NORMAL, 1, NULL, INDICES(shape), INDICES(second));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(first, a));
    l = load_ok(&b);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(l.graph->nodes[i].index, want[i]);
    assert_true(node_is_stateful(&l.graph->nodes[0])); /* a custom operator that nobody knows */
    assert_true(node_is_stateful(&l.graph->nodes[1]));
    assert_false(node_is_stateful(&l.graph->nodes[3]));
    unload_graph(&l);
}

static void readers_of_variables_keep_their_place(void **state)
{
    struct tensor plain = {.name = ""}, variable = {.name = "", .is_variable = true};
    struct tensor resource = {.name = "", .type = TYPE_RESOURCE}, *in[3] = {&plain, NULL, &plain};
    struct node n = {.in = in, .n_in = 3, .op = op_find(BUILTIN_ADD, NULL)};

    (void)state;
    assert_false(node_is_stateful(&n));
    in[2] = &variable;
    assert_true(node_is_stateful(&n));
    in[2] = &resource;
    assert_true(node_is_stateful(&n));
}

/* ---- what is refused ---- */

/* NEG nodes between tensors 0 (the input), 1 (the output), 2 and 3; the message must be `text`. */
static void refuse(const int32_t (*edges)[2], uint32_t n, const char *text)
{
    struct builder b;
    struct loaded_graph l;
    enum status st;
    struct err err;

    builder_init(&b, "broken");
    for (int i = 0; i < 4; i++)
        vector(&b, "t", 1);
    for (uint32_t i = 0; i < n; i++)
        build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(edges[i][0]), INDICES(edges[i][1]));
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(1));
    l = load_graph(&b, &st, &err);
    assert_int_equal(st, ST_BAD_MODEL);
    assert_string_equal(err.msg, text);
    unload_graph(&l);
}

/* An NPU's operator reads memory that the file describes as a tensor: what keeps the model from running is the operator. */
static void the_operator_is_the_cause(void **state)
{
    struct builder b;
    struct loaded_graph l;
    enum status st;
    struct err err;

    (void)state;
    builder_init(&b, "npu");
    for (int i = 0; i < 3; i++)
        vector(&b, "t", 1);
    build_custom_op(&b, "ethos-u", NULL, 0, INDICES(0, 2), INDICES(1));
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(1));
    l = load_graph(&b, &st, &err);
    assert_int_equal(st, ST_BAD_MODEL);
    assert_non_null(strstr(err.msg, "no CPU kernel for this operator"));
    unload_graph(&l);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    refuse((const int32_t[][2]){{0, 1}, {2, 3}}, 2, "node 1 NEG reads tensor 2 \"t\", which nothing writes");
    refuse((const int32_t[][2]){{0, 1}, {2, 3}, {0, 3}}, 3, "tensor 3 \"t\" is written by nodes 1 and 2");
    refuse((const int32_t[][2]){{0, 2}, {2, 1}, {1, 0}}, 3, "node 2 NEG writes tensor 0 \"t\", an input of the subgraph");
    refuse((const int32_t[][2]){{0, 2}, {2, 3}}, 2, "nothing writes tensor 1 \"t\", output 0 of the subgraph");
    refuse((const int32_t[][2]){{0, 1}, {2, 3}, {3, 2}}, 3, "node 1 NEG: nodes wait for each other in a cycle");
}

static struct loaded_graph chain(void)
{
    struct builder b;
    int32_t x, y, z, c;

    builder_init(&b, "chain");
    x = vector(&b, "x", 3);
    c = build_const(&b, "c", TYPE_FLOAT32, SHAPE(2, 1), (float[]){1, 2});
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2, 3));
    z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(2, 3));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, c), INDICES(y));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(y), INDICES(z));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(z));
    return load_ok(&b);
}

static void only_subgraphs_of_the_model(void **state)
{
    struct loaded_graph l = chain();
    struct graph *g;
    struct err err = {""};

    (void)state;
    assert_int_equal(graph_new(l.of.model, 1, &g, &err), ST_BAD_MODEL);
    assert_null(g);
    assert_string_equal(err.msg, "subgraph 1 of 1");
    graph_free(NULL);
    unload_graph(&l);
}

/* ---- shapes ---- */

static void shapes_follow_the_input(void **state)
{
    static const int32_t widths[] = {3, 7, 1, 0, 3};
    struct loaded_graph l = chain();
    struct graph *g = l.graph;
    struct err err = {""};

    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        int32_t before = g->outputs[0]->dim[1];

        TEST_OK(graph_resize_input(g, 0, &widths[i], 1, &err), err);
        assert_int_equal(g->outputs[0]->dim[1], before); /* not yet */
        TEST_OK(graph_infer(g, &err), err);
        assert_int_equal(g->outputs[0]->rank, 2);
        assert_int_equal(g->outputs[0]->dim[0], 2);
        assert_int_equal(g->outputs[0]->dim[1], widths[i]);
        assert_int_equal(g->outputs[0]->bytes, 8 * (size_t)widths[i]);
    }
    assert_int_equal(l.of.model->subgraphs[0].tensors[0].dim[0], 3); /* the model stays as it was */
    TEST_OK(graph_resize_input(g, 0, (const int32_t[]){3, 2}, 2, &err), err);
    assert_int_equal(graph_infer(g, &err), ST_BAD_MODEL);
    assert_non_null(strstr(err.msg, "node 0 ADD(FLOAT32[3,2], FLOAT32[2,1]): "));
    TEST_OK(graph_resize_input(g, 0, (const int32_t[]){2, 5}, 2, &err), err); /* a failure is not for ever */
    TEST_OK(graph_infer(g, &err), err);
    assert_int_equal(g->outputs[0]->dim[1], 5);
    unload_graph(&l);
}

static void bad_resizes_are_refused(void **state)
{
    struct loaded_graph l = chain();
    struct err err = {""};

    (void)state;
    assert_int_equal(graph_resize_input(l.graph, 1, (const int32_t[]){3}, 1, &err), ST_USAGE);
    assert_string_equal(err.msg, "input 1, the model has 1");
    assert_int_equal(graph_resize_input(l.graph, 0, (const int32_t[]){-1}, 1, &err), ST_BAD_MODEL);
    assert_int_equal(graph_resize_input(l.graph, 0, (const int32_t[]){1 << 30, 1 << 30}, 2, &err), ST_NOMEM);
    assert_int_equal(l.graph->inputs[0]->dim[0], 3);
    unload_graph(&l);
}

/* Some files give an input a constant as well: what the caller passes wins, so it has any shape and nothing of it is folded. */
static void inputs_are_never_constants(void **state)
{
    struct builder b;
    struct loaded_graph l;
    struct err err = {""};
    int32_t c, y;

    (void)state;
    builder_init(&b, "constant input");
    c = build_const(&b, "c", TYPE_FLOAT32, SHAPE(2), (float[]){1, 2});
    y = vector(&b, "y", 2);
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(c), INDICES(y));
    build_inputs(&b, INDICES(c));
    build_outputs(&b, INDICES(y));
    l = load_ok(&b);
    TEST_OK(graph_resize_input(l.graph, 0, (const int32_t[]){1000}, 1, &err), err);
    TEST_OK(graph_infer(l.graph, &err), err);
    assert_int_equal(l.graph->outputs[0]->dim[0], 1000);
    assert_false(l.graph->inputs[0]->is_const || l.graph->nodes[0].folded);
    unload_graph(&l);
}

/* x -> RESHAPE(as the input `to` says) -> NEG -> y; SHAPE and a custom operator beside it. */
static void shapes_that_depend_on_data_are_dynamic(void **state)
{
    struct builder b;
    struct loaded_graph l;
    struct err err = {""};
    int32_t x, to, r, y, u;

    (void)state;
    builder_init(&b, "dynamic");
    x = vector(&b, "x", 6);
    to = build_tensor(&b, "to", TYPE_INT32, SHAPE(2));
    r = build_tensor(&b, "r", TYPE_FLOAT32, SHAPE(2, 3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2, 3));
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(9));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, to), INDICES(r));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(r), INDICES(y));
    build_custom_op(&b, "Unheard", NULL, 0, INDICES(x, -1), INDICES(u));
    build_inputs(&b, INDICES(x, to));
    build_outputs(&b, INDICES(y, u));
    l = load_ok(&b);
    for (int i = 0; i < 2; i++) { /* and again */
        TEST_OK(graph_infer(l.graph, &err), err);
        assert_true(l.graph->nodes[0].dynamic && l.graph->nodes[1].dynamic);
        assert_true(l.graph->tensors[r].is_dynamic && l.graph->tensors[y].is_dynamic);
        assert_false(l.graph->tensors[x].is_dynamic || l.graph->tensors[to].is_dynamic);
    }
    assert_false(l.graph->nodes[2].dynamic || l.graph->nodes[2].op); /* keeps the file's shape */
    assert_int_equal(l.graph->tensors[u].dim[0], 9);
    assert_null(node_in(&l.graph->nodes[2], 1));
    assert_null(node_in(&l.graph->nodes[2], 2));
    assert_string_equal(l.graph->nodes[2].name, "Unheard");
    unload_graph(&l);
}

/* ---- nodes ---- */

static void missing_options_are_zeros(void **state)
{
    struct builder b;
    struct loaded_graph l;
    const struct opt_conv_2d *opt;
    int32_t x, f, y;

    (void)state;
    builder_init(&b, "no options");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2, 2, 1));
    f = build_const(&b, "f", TYPE_FLOAT32, SHAPE(1, 1, 1, 1), (float[]){2});
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 2, 2, 1));
    build_op(&b, BUILTIN_CONV_2D, 3, NULL, INDICES(x, f, -1), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load_ok(&b);
    opt = l.graph->nodes[0].opt;
    assert_non_null(opt);
    assert_int_equal(opt->stride_height, 0);
    assert_int_equal(l.graph->nodes[0].version, 3);
    assert_int_equal(l.graph->nodes[0].n_in, 3);
    assert_null(l.graph->nodes[0].in[2]);
    assert_true(l.graph->tensors[f].is_const && l.graph->tensors[f].is_known);
    assert_false(l.graph->tensors[x].is_const || l.graph->tensors[x].is_known);
    unload_graph(&l);
}

static void messages_name_the_node(void **state)
{
    struct tensor a = {.name = "a", .type = TYPE_FLOAT32, .rank = 2, .dim = {3, 4}}, *in[90] = {&a, NULL};
    struct node n = {.index = 17, .name = "CONV_2D", .in = in, .n_in = 2};
    struct err err;

    (void)state;
    err_set(&err, ST_BAD_MODEL, "why");
    assert_int_equal(node_err(&n, ST_UNSUPPORTED, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "node 17 CONV_2D(FLOAT32[3,4], none): why");
    for (n.n_in = 0; n.n_in < 90; n.n_in++) { /* lists that are too long are cut, at every length */
        in[n.n_in] = &a;
        err_set(&err, ST_BAD_MODEL, "the reason");
        node_err(&n, ST_BAD_MODEL, &err);
        assert_non_null(strstr(err.msg, "): the reason"));
    }
    assert_non_null(strstr(err.msg, "…): the reason"));
    assert_int_equal(node_err_if(&n, ST_OK, &err), ST_OK);
}

static void sparse_constants_need_a_kernel_that_reads_them(void **state)
{
    struct loaded_graph l = chain();
    struct sparsity sparse = {0};
    struct err err = {""};

    (void)state;
    l.graph->nodes[0].in[1]->sparsity = &sparse;
    assert_int_equal(graph_infer(l.graph, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "node 0 ADD(FLOAT32[3], FLOAT32[2,1]): input 1 is a sparse constant");
    unload_graph(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_the_file_is_sorted),
        cmocka_unit_test(nodes_with_state_stay_in_order),
        cmocka_unit_test(readers_of_variables_keep_their_place),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(the_operator_is_the_cause),
        cmocka_unit_test(only_subgraphs_of_the_model),
        cmocka_unit_test(shapes_follow_the_input),
        cmocka_unit_test(bad_resizes_are_refused),
        cmocka_unit_test(inputs_are_never_constants),
        cmocka_unit_test(shapes_that_depend_on_data_are_dynamic),
        cmocka_unit_test(missing_options_are_zeros),
        cmocka_unit_test(messages_name_the_node),
        cmocka_unit_test(sparse_constants_need_a_kernel_that_reads_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
