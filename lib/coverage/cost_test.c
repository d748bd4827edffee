/* SPDX-License-Identifier: Apache-2.0 */
/* cost_test.c - the cost of small models against sums made by hand: shares, boundaries, who wins, and each advice. */
#include "lib/coverage/cost.h"

#include <math.h>

#include "lib/testing/test_delegate.h"
#include "lib/testing/test_model.h"

static struct loaded l;
static struct fake fake;
static struct coverage c;
static struct cost k;
static struct arena arena;
static struct err err;

static int clean_up(void **state)
{
    (void)state;
    coverage_free(&c);
    arena_free(&arena);
    unload(&l);
    return 0;
}

static void ask(const char *takes, const struct cost_terms *terms, const struct cost_times *times)
{
    const struct cost_terms defaults = cost_default_terms();

    coverage_free(&c);
    fake = fake_delegate(takes);
    TEST_OK(coverage_of_delegate(l.model, 0, &fake.base, &(struct partition_options){0}, &c, &err), err);
    TEST_OK(cost_of(&c, terms ? terms : &defaults, times, &arena, &k, &err), err);
}

static const struct advice *advice(enum advice_code code)
{
    for (uint32_t i = 0; i < k.n_advice; i++)
        if (k.advice[i].code == code)
            return &k.advice[i];
    return NULL;
}

/* NEG, ABS, NEG, ADD on 6 floats each: test_delegate.h. */
static int set_up(void **state)
{
    (void)state;
    l = load_chain();
    return 0;
}

static void what_crosses(void **state)
{
    (void)state;
    ask(" ABS ", NULL, NULL);
    assert_true(k.nodes.all == 4 && k.nodes.covered == 1);
    /* Two tensors of 24 bytes a node, three of ADD. */
    assert_true(k.bytes.all == 9 * 24 && k.bytes.covered == 2 * 24 && k.macs.all == 0);
    assert_true(k.tensors_in == 1 && k.tensors_out == 1 && k.boundaries == 2 && k.inner_tensors == 2 && k.inner_bytes == 48);
    ask(" NEG ADD ", NULL, NULL);
    /* The input and the output of the model are no boundary. */
    assert_true(k.n_parts == 2 && k.boundaries == 2 && k.inner_tensors == 3 && k.tensors_in == 3 && k.tensors_out == 2);
    ask(" NEG ABS ADD ", NULL, NULL);
    assert_true(k.boundaries == 0 && k.inner_bytes == 0 && k.tensors_in == 1 && k.tensors_out == 1);
    ask("", NULL, NULL);
    assert_true(k.verdict == COST_NOTHING_DELEGATED && k.n_parts == 0 && k.n_advice == 0);
}

static void who_wins(void **state)
{
    struct cost_terms terms = {.sync_us = 10, .cross_gbytes = 0.048, .cpu_gflops = 1, .cpu_gbytes = 0.024};

    (void)state;
    ask(" ABS ", &terms, NULL);
    /* 48 bytes at 0.048 GB/s take 1 us, at 0.024 GB/s 2 us. */
    assert_true(fabs(k.cross_us - 11) < 1e-9 && fabs(k.cpu_us - 2) < 1e-9 && k.verdict == COST_LOSES && !k.cpu_measured);
    assert_non_null(advice(ADVICE_PARTITION_COSTS_MORE));
    assert_true(advice(ADVICE_PARTITION_COSTS_MORE)->n_nodes == 1 && advice(ADVICE_PARTITION_COSTS_MORE)->nodes[0] == 1);
    assert_null(advice(ADVICE_TINY_MODEL));
    terms.sync_us = 0.5;
    ask(" ABS ", &terms, NULL);
    assert_true(k.verdict == COST_PAYS && k.n_advice == 0);
    terms.sync_us = 100;
    ask(" NEG ABS ADD ", &terms, NULL);
    assert_non_null(advice(ADVICE_TINY_MODEL));
    assert_null(advice(ADVICE_PARTITION_COSTS_MORE));
    assert_non_null(strstr(advice(ADVICE_TINY_MODEL)->text, "9 us on the CPU (estimated), and handing it over takes 101 us"));
}

static void by_measured_times(void **state)
{
    double cpu_us[4] = {1, 50, 2, NAN}, device_us[4] = {NAN, NAN, NAN, NAN};
    struct cost_times times = {.cpu_us = cpu_us, .device_us = device_us, .n_nodes = 4, .cross_us = NAN};
    struct cost_terms terms = {.sync_us = 10, .cross_gbytes = 48, .cpu_gflops = 1, .cpu_gbytes = 1};

    (void)state;
    ask(" ABS ", &terms, &times);
    assert_true(k.us.all == 53 && k.us.covered == 50 && k.us.unknown == 1);
    assert_true(k.cpu_us == 50 && k.cpu_measured && k.verdict == COST_PAYS && k.device_us == 0);
    device_us[1] = 45;
    ask(" ABS ", &terms, &times);
    assert_true(k.device_us == 45 && k.verdict == COST_LOSES);
    ask(" ADD ", &terms, &times);
    assert_true(!k.cpu_measured && k.us.covered == 0);
    cost_terms_from_times(&terms, &times);
    assert_true(!terms.measured && terms.cross_gbytes == 48);
    times.cross_us = 2;
    times.cross_bytes = 3000;
    cost_terms_from_times(&terms, &times);
    assert_true(terms.measured && fabs(terms.cross_gbytes - 1.5) < 1e-9);
}

/* An image of 3 channels, convolved 1x1 to 5, put into depth, and six times back and forth. */
static int load_image(void **state)
{
    static const float w[5 * 3] = {0};
    static const struct opt_conv_2d conv = {
        .padding = PAD_VALID, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
    static const struct opt_space_to_depth block = {.block_size = 2};
    struct builder b;
    int32_t x, y, z, weights;

    (void)state;
    builder_init(&b, "image");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4, 4, 3));
    weights = build_const(&b, "w", TYPE_FLOAT32, SHAPE(5, 1, 1, 3), w);
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 4, 4, 5));
    z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, 2, 2, 20));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, weights, -1), INDICES(y));
    build_op(&b, BUILTIN_SPACE_TO_DEPTH, 1, &block, INDICES(y), INDICES(z));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(z));
    l = load(&b);
    return 0;
}

static void advice_about_shapes(void **state)
{
    const struct advice *a;

    (void)state;
    ask(" CONV_2D SPACE_TO_DEPTH ", NULL, NULL);
    a = advice(ADVICE_MOVES_DATA);
    assert_true(a && a->n_nodes == 1 && a->nodes[0] == 1);
    /* 80 floats in, 80 out, of those and the convolution's 48 + 15 + 80. */
    assert_non_null(strstr(a->text, "SPACE_TO_DEPTH, 1 of the nodes, computes nothing and moves 640 bytes, 52.8% of all"));
    a = advice(ADVICE_CHANNEL_LANES);
    assert_true(a && a->n_nodes == 1 && a->nodes[0] == 0);
    /* Multiply-accumulates: 4/3 * 8/5 as many; results: 80 floats become 128, of 160. */
    assert_non_null(strstr(a->text, "113.3% more multiply-accumulates and 30.0% more bytes of results"));
    assert_non_null(strstr(a->text, "at node 0 [1,4,4,5] costs as [1,4,4,8]"));
    a = advice(ADVICE_THREE_CHANNEL_INPUT);
    assert_true(a && a->n_nodes == 1 && strstr(a->text, "192 bytes to 4, 256 bytes"));
    ask(" SPACE_TO_DEPTH ", NULL, NULL);
    assert_true(!advice(ADVICE_CHANNEL_LANES) && !advice(ADVICE_THREE_CHANNEL_INPUT));
}

/* RELU and NEG in turn, four of each. */
static int load_stripes(void **state)
{
    struct builder b;
    int32_t x, y;

    (void)state;
    builder_init(&b, "stripes");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(4));
    build_inputs(&b, INDICES(x));
    for (int i = 0; i < 2 * COST_MANY_CROSSINGS; i++, x = y) {
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(4));
        build_op(&b, i % 2 ? BUILTIN_NEG : BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(y));
    }
    build_outputs(&b, INDICES(x));
    l = load(&b);
    return 0;
}

static void many_partitions(void **state)
{
    (void)state;
    ask(" RELU ", NULL, NULL);
    assert_true(k.n_parts == COST_MANY_CROSSINGS && advice(ADVICE_MANY_PARTITIONS) && k.boundaries == 2 * COST_MANY_CROSSINGS - 1);
    ask(" RELU NEG ", NULL, NULL);
    assert_null(advice(ADVICE_MANY_PARTITIONS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_crosses, set_up, clean_up),
        cmocka_unit_test_setup_teardown(who_wins, set_up, clean_up),
        cmocka_unit_test_setup_teardown(by_measured_times, set_up, clean_up),
        cmocka_unit_test_setup_teardown(advice_about_shapes, load_image, clean_up),
        cmocka_unit_test_setup_teardown(many_partitions, load_stripes, clean_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
