/* SPDX-License-Identifier: Apache-2.0 */
/* batch_test.c - inputs of another batch: the same numbers as the CPU's, and with gpu_options.dynamic_batch no further program. */
#include "lib/gl/testing/test_session.h"

/* y = what follows a network of images: a matrix product of rows, slopes for negative numbers, and the whole as a vector. */
static int32_t classify(struct builder *b, int32_t x)
{
    const int32_t n = H / 2 * (W / 2) * C;
    int32_t rows = build_tensor(b, "rows", TYPE_FLOAT32, SHAPE(1, n)), y = build_tensor(b, "classes", TYPE_FLOAT32, SHAPE(1, 10)),
            sloped = build_tensor(b, "sloped", TYPE_FLOAT32, SHAPE(1, 10)), all = build_tensor(b, "all", TYPE_FLOAT32, SHAPE(10)),
            negative = build_tensor(b, "negative", TYPE_FLOAT32, SHAPE(10));

    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, build_const(b, "to rows", TYPE_INT32, SHAPE(2), (int32_t[]){-1, n})),
             INDICES(rows));
    build_op(b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(rows, test_weights(b, SHAPE(10, n), 6), test_weights(b, SHAPE(10), 7)),
             INDICES(y));
    build_op(b, BUILTIN_PRELU, 1, NULL, INDICES(y, test_weights(b, SHAPE(10), 8)), INDICES(sloped));
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(sloped, build_const(b, "to a vector", TYPE_INT32, SHAPE(1), (int32_t[]){-1})),
             INDICES(all));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(all), INDICES(negative));
    return negative;
}

/* A convolution that a constant is added to, a depthwise one, a pool, and what classifies it. */
static struct loaded classifier(void)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU);
    const struct opt_pool_2d pool = {
        .padding = PAD_VALID, .stride_width = 2, .stride_height = 2, .filter_width = 2, .filter_height = 2};
    struct builder b;
    int32_t t[5];

    builder_init(&b, "network");
    for (int i = 0; i < 4; i++)
        t[i] = test_image(&b, (const char *const[]){"x", "conv", "sum", "depthwise"}[i]);
    t[4] = build_tensor(&b, "pooled", TYPE_FLOAT32, SHAPE(1, H / 2, W / 2, C));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(t[0], test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)),
             INDICES(t[1]));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(t[1], test_weights(&b, SHAPE(1, H, W, C), 3)), INDICES(t[2]));
    build_op(&b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same,
             INDICES(t[2], test_weights(&b, SHAPE(1, 3, 3, C), 4), test_weights(&b, SHAPE(C), 5)), INDICES(t[3]));
    build_op(&b, BUILTIN_AVERAGE_POOL_2D, 1, &pool, INDICES(t[3]), INDICES(t[4]));
    build_inputs(&b, INDICES(t[0]));
    build_outputs(&b, INDICES(t[4], classify(&b, t[4])));
    return load(&b);
}

/* A transposed convolution; one image of its output is too small for two dispatches. */
static struct loaded transposed(void)
{
    static const int32_t options[3] = {1, 2, 2}; /* padding SAME, strides */
    struct builder b;
    int32_t x, y;

    builder_init(&b, "transposed");
    x = test_image(&b, "x");
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 2 * H, 2 * W, C));
    build_custom_op(&b, "Convolution2DTransposeBias", options, sizeof options,
                    INDICES(x, test_weights(&b, SHAPE(C, 2, 2, C), 1), test_weights(&b, SHAPE(C), 2)), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static struct session *start(const struct loaded *l, struct delegate *d, int32_t batch)
{
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}};
    struct session *s;
    struct err err = {""};

    TEST_OK(session_new(l->model, &o, &s, &err), err);
    TEST_OK(session_resize_input(s, 0, SHAPE(batch, H, W, C), &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

/* Programs that the start of a session of each batch compiled, the one for one alive all the while. */
static void compile_batches(const struct gpu_options *o, struct loaded (*network)(void), uint32_t compiled[4])
{
    static const int32_t batches[] = {1, 2, 3, 22};
    struct delegate *d = test_open_gpu(*o);
    struct loaded l = network();
    struct session *one = start(&l, d, 1);

    for (int i = 0; i < 4; i++) {
        const int32_t batch = batches[i];
        struct session *s = batch > 1 ? start(&l, d, batch) : one, *cpu = start(&l, NULL, batch);
        struct delegate_facts m;

        assert_int_equal(session_partitioning(s)->n_cpu, 0);
        test_compare(s, cpu, batch);
        session_facts(s, NULL, &m);
        compiled[i] = fact_value(&m, "start.programs_compiled");
        session_free(cpu);
        if (batch > 1)
            session_free(s);
    }
    session_free(one);
    unload(&l);
    delegate_close(d);
}

static void another_batch_is_no_other_program(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_FASTEST, GPU_OBJECTS_TEXTURE};
    uint32_t n[4];

    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        compile_batches(&(struct gpu_options){.device = -1, .objects = objects[i], .dynamic_batch = true}, classifier, n);
        assert_true(n[0] > 3);
        assert_int_equal(n[1] + n[2] + n[3], 0);
    }
    compile_batches(&(struct gpu_options){.device = -1, .dynamic_batch = true}, transposed, n);
    assert_int_equal(n[1] + n[2] + n[3], 0);
    compile_batches(&(struct gpu_options){.device = -1}, classifier, n);
    assert_true(n[1] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(another_batch_is_no_other_program)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
