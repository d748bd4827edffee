/* SPDX-License-Identifier: Apache-2.0 */
/* session_test.c - graph, partition, plan and session together, with a delegate that runs CPU kernels. */
#include "lib/session/session.h"
#include "lib/testing/test.h"
#include "lib/testing/test_delegate.h"

#include <stdlib.h>

static void fill(const struct session *s, uint32_t i, float start)
{
    struct tensor *t = session_input(s, i);

    for (size_t k = 0; k < tensor_elems(t); k++)
        ((float *)t->data)[k] = start + (float)k;
}

static void expect_chain(const struct session *s, float start)
{
    const float *y = session_output(s, 0)->data;

    for (size_t k = 0; k < tensor_elems(session_output(s, 0)); k++) {
        float x = start + (float)k;

        assert_float_equal(y[k], -x - (x < 0 ? -x : x), 0);
    }
}

/* ---- tests ---- */

static void runs_on_the_cpu(void **state)
{
    struct session_options opt = {.num_threads = 2};
    struct builder b;
    struct loaded l;
    struct session *s;
    struct session_memory mem;
    struct err err = {""};

    (void)state;
    build_chain(&b);
    l = load(&b);
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    assert_int_equal(session_run(s, &err), ST_USAGE); /* not prepared */
    TEST_OK(session_prepare(s, &err), err);
    fill(s, 0, -2);
    for (int i = 0; i < 3; i++) { /* inputs keep their content */
        TEST_OK(session_run(s, &err), err);
        expect_chain(s, -2);
    }
    session_memory(s, &mem);
    assert_true(mem.lower_bound_bytes <= mem.arena_bytes && mem.arena_bytes < 5 * 64);
    TEST_OK(session_resize_input(s, 0, (int32_t[]){3, 5}, 2, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    assert_int_equal(session_output(s, 0)->rank, 2);
    fill(s, 0, -7);
    TEST_OK(session_run(s, &err), err);
    expect_chain(s, -7);
    session_free(s);
    unload(&l);
}

/* Runs the chain with the given nodes delegated and checks the counts. */
static void check_partition(const char *takes, struct partition_options limits, uint32_t parts, uint32_t delegated)
{
    struct fake fake = {.base = {.ops = &fake_ops, .device = "fake"}, .takes = takes};
    struct session_options opt = {.num_threads = 1, .delegates = {&fake.base}, .partition = limits};
    const struct partitioning *p;
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};

    build_chain(&b);
    s = load_and_prepare(&b, &opt, &l);
    p = session_partitioning(s);
    assert_int_equal(p->n_parts, parts);
    assert_int_equal(p->n_delegated, delegated);
    assert_int_equal(p->n_cpu, 4 - delegated);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(p->part_of[i] >= 0, p->reasons[i].code == REASON_NONE);
    assert_int_equal(fake.inited, parts);
    assert_int_equal(fake.prepared, parts > 0); /* once for all of them */
    fill(s, 0, -3);
    TEST_OK(session_run(s, &err), err);
    expect_chain(s, -3);
    session_free(s);
    assert_int_equal(fake.freed, parts);
    unload(&l);
}

static void partitions(void **state)
{
    (void)state;
    check_partition(" NEG ABS ADD ", (struct partition_options){0}, 1, 4);
    check_partition(" NEG ", (struct partition_options){0}, 2, 2);
    check_partition(" NEG ADD ", (struct partition_options){0}, 2, 3);
    check_partition(" ABS ", (struct partition_options){0}, 1, 1);
    check_partition(" RELU ", (struct partition_options){0}, 0, 0);
    check_partition(" NEG ADD ", (struct partition_options){.max_partitions = 1}, 1, 2);
    check_partition(" NEG ADD ", (struct partition_options){.min_nodes = 2}, 1, 2);
    check_partition(" NEG ", (struct partition_options){.min_nodes = 2}, 0, 0);
    check_partition(" NEG ABS ADD ", (struct partition_options){.first_node = 1}, 1, 3);
    check_partition(" NEG ABS ADD ", (struct partition_options){.end_node = 1}, 1, 1);
    check_partition(" NEG ABS ADD ", (struct partition_options){.first_node = 1, .end_node = 2}, 1, 1);
    check_partition(" NEG ABS ADD ", (struct partition_options){.first_node = 4}, 0, 0);
}

static void delegate_failures_end_the_call(void **state)
{
    struct fake fake = {.base = {.ops = &fake_ops, .device = "fake"}, .takes = " NEG ", .fail_init = true};
    struct session_options opt = {.delegates = {&fake.base}};
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};

    (void)state;
    build_chain(&b);
    l = load(&b);
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    assert_int_equal(session_prepare(s, &err), ST_FAILED);
    fake.fail_init = false;
    fake.fail_invoke = true;
    TEST_OK(session_prepare(s, &err), err);
    assert_int_equal(session_run(s, &err), ST_FAILED);
    assert_string_equal(err.msg, "invoke fails as told");
    fake.fail_invoke = false;
    fill(s, 0, 1);
    TEST_OK(session_run(s, &err), err);
    expect_chain(s, 1);
    session_free(s);
    unload(&l);
}

static void out_of_order_files_run(void **state)
{
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};
    int32_t x, a, y;

    (void)state;
    builder_init(&b, "reader before writer");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(LEN));
    a = build_tensor(&b, "a", TYPE_FLOAT32, SHAPE(LEN));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(LEN));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(a, a), INDICES(y));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(a));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    s = load_and_prepare(&b, &(struct session_options){0}, &l);
    fill(s, 0, 5);
    TEST_OK(session_run(s, &err), err);
    assert_float_equal(((const float *)session_output(s, 0)->data)[1], -12, 0);
    session_free(s);
    unload(&l);
}

/* Builds NEG nodes from the pairs of tensor indices and expects session_new to say `text`. */
static void refuse(const int32_t (*edges)[2], uint32_t n, const char *text)
{
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};

    builder_init(&b, "broken");
    for (int i = 0; i < 4; i++)
        build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(LEN));
    for (uint32_t i = 0; i < n; i++)
        build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(edges[i][0]), INDICES(edges[i][1]));
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(1));
    l = load(&b);
    assert_int_equal(session_new(l.model, &(struct session_options){0}, &s, &err), ST_BAD_MODEL);
    assert_null(s);
    assert_string_equal(err.msg, text);
    unload(&l);
}

static void broken_graphs_are_refused(void **state)
{
    (void)state;
    refuse((const int32_t[][2]){{0, 1}, {2, 3}}, 2, "node 1 NEG reads tensor 2 \"t\", which nothing writes");
    refuse((const int32_t[][2]){{0, 1}, {0, 1}}, 2, "tensor 1 \"t\" is written by nodes 0 and 1");
    refuse((const int32_t[][2]){{0, 1}, {2, 3}, {3, 2}}, 3, "node 1 NEG: nodes wait for each other in a cycle");
}

static void constants_are_folded(void **state)
{
    const uint16_t halves[LEN] = {0x3c00, 0xc000, 0, 0x4200, 0x3800, 0xbc00}; /* 1 -2 0 3 .5 -1 */
    const float want[LEN] = {10 + 1, 11 - 2, 12, 13 + 3, 14.5f, 15 - 1};
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};
    int32_t x, h, w, y;

    (void)state;
    builder_init(&b, "half constants");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(LEN));
    h = build_const(&b, "h", TYPE_FLOAT16, SHAPE(LEN), halves);
    w = build_tensor(&b, "w", TYPE_FLOAT32, SHAPE(LEN));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(LEN));
    build_op(&b, BUILTIN_DEQUANTIZE, 3, NULL, INDICES(h), INDICES(w));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, w), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    s = load_and_prepare(&b, &(struct session_options){0}, &l);
    assert_true(session_graph(s)->nodes[0].folded);
    fill(s, 0, 10);
    TEST_OK(session_run(s, &err), err);
    assert_memory_equal(session_output(s, 0)->data, want, sizeof want);
    session_free(s);
    unload(&l);
}

static void huge_plans_are_refused(void **state)
{
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};

    (void)state;
    if (sizeof(size_t) < 8)
        skip(); /* no tensor may be so large there */
    builder_init(&b, "a terabyte");
    build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1 << 20, 1 << 18));
    build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1 << 20, 1 << 18));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(0), INDICES(1));
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(1));
    l = load(&b);
    TEST_OK(session_new(l.model, &(struct session_options){0}, &s, &err), err);
    assert_int_equal(session_prepare(s, &err), ST_NOMEM);
    assert_non_null(strstr(err.msg, "1099.5 GB"));
    session_free(s);
    unload(&l);
}

/* x -> RESHAPE(as the input `shape` says) -> CONV_2D 2x2 of ones and of minus ones -> y */
static struct loaded load_reshaped_conv(void)
{
    const struct opt_conv_2d opt = {
        .padding = PAD_VALID, .stride_height = 1, .stride_width = 1, .dilation_height_factor = 1, .dilation_width_factor = 1};
    const float w[8] = {1, 1, 1, 1, -1, -1, -1, -1};
    int32_t x, shape, image, filter, y;
    struct builder b;

    builder_init(&b, "convolution of an unknown size");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(LEN));
    shape = build_tensor(&b, "shape", TYPE_INT32, SHAPE(4));
    image = build_tensor(&b, "image", TYPE_FLOAT32, SHAPE(1, 2, 3, 1));
    filter = build_const(&b, "filter", TYPE_FLOAT32, SHAPE(2, 2, 2, 1), w);
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1, 2, 2));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(image));
    build_op(&b, BUILTIN_CONV_2D, 1, &opt, INDICES(image, filter), INDICES(y));
    build_inputs(&b, INDICES(x, shape));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* What prepare has packed serves until the shape changes, and not beyond a failure. */
static void dynamic_shapes_are_prepared_anew(void **state)
{
    static const int32_t sizes[][2] = {{2, 3}, {2, 3}, {3, 2}, {0, 6}, {3, 2}, {2, 3}};
    struct loaded l = load_reshaped_conv();
    struct session *s;
    struct err err = {""};

    (void)state;
    TEST_OK(session_new(l.model, &(struct session_options){.mode = CPU_FAST}, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int32_t h = sizes[i][0], w = sizes[i][1];
        const struct tensor *y = session_output(s, 0);

        fill(s, 0, (float)i);
        memcpy(session_input(s, 1)->data, (int32_t[]){1, h, w, 1}, 16);
        if (!h) {
            assert_int_not_equal(session_run(s, &err), ST_OK);
            continue;
        }
        TEST_OK(session_run(s, &err), err);
        assert_int_equal(y->dim[1], h - 1);
        assert_int_equal(y->dim[2], w - 1);
        for (int32_t k = 0; k < (h - 1) * (w - 1); k++) {
            int32_t corner = k / (w - 1) * w + k % (w - 1);
            float first = (float)i + (float)corner, sum = 4 * first + 2 * (float)w + 2;

            assert_float_equal(((float *)y->data)[2 * k], sum, 0);
            assert_float_equal(((float *)y->data)[2 * k + 1], -sum, 0);
        }
    }
    session_free(s);
    unload(&l);
}

static void inputs_have_one_size(void **state)
{
    struct session_options opt = {.num_threads = 1};
    float x[LEN + 1] = {0};
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};

    (void)state;
    build_chain(&b);
    s = load_and_prepare(&b, &opt, &l);
    TEST_OK(session_set_input(s, 0, x, sizeof *x * LEN, &err), err);
    for (size_t n = 0; n <= LEN + 1; n++)
        if (n != LEN) {
            assert_int_equal(session_set_input(s, 0, x, n * sizeof *x, &err), ST_USAGE);
            assert_non_null(strstr(err.msg, "takes 24 bytes"));
        }
    assert_int_equal(session_set_input(s, 1, x, sizeof *x * LEN, &err), ST_USAGE);
    session_free(s);
    unload(&l);
}

/* h = RELU(x * 1 + h * 1): counts up until it is reset. */
static void build_counter(struct builder *b)
{
    static const float one = 1, zero;
    int32_t x, w, r, bias, h, y;

    builder_init(b, "counter");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 1));
    w = build_const(b, "w", TYPE_FLOAT32, SHAPE(1, 1), &one);
    r = build_const(b, "r", TYPE_FLOAT32, SHAPE(1, 1), &one);
    bias = build_const(b, "bias", TYPE_FLOAT32, SHAPE(1), &zero);
    h = build_tensor(b, "h", TYPE_FLOAT32, SHAPE(1, 1));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_at(b, h)->is_variable = true;
    build_op(b, BUILTIN_RNN, 1, &(struct opt_rnn){.activation = ACT_RELU}, INDICES(x, w, r, bias, h), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

static void variables_last_until_they_are_reset(void **state)
{
    struct session_options opt = {.num_threads = 1};
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err = {""};

    (void)state;
    build_counter(&b);
    s = load_and_prepare(&b, &opt, &l);
    fill(s, 0, 1);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; i <= 3; i++) {
            TEST_OK(session_run(s, &err), err);
            assert_float_equal(*(const float *)session_output(s, 0)->data, i, 0);
        }
        session_reset_variables(s);
    }
    session_free(s);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_on_the_cpu),
        cmocka_unit_test(partitions),
        cmocka_unit_test(delegate_failures_end_the_call),
        cmocka_unit_test(out_of_order_files_run),
        cmocka_unit_test(broken_graphs_are_refused),
        cmocka_unit_test(constants_are_folded),
        cmocka_unit_test(huge_plans_are_refused),
        cmocka_unit_test(dynamic_shapes_are_prepared_anew),
        cmocka_unit_test(inputs_have_one_size),
        cmocka_unit_test(variables_last_until_they_are_reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
