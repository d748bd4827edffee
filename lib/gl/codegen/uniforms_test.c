/* SPDX-License-Identifier: Apache-2.0 */
/* uniforms_test.c - scalars and parameters are data: they keep their bits, and layers that differ in them alone share programs. */
#include "lib/gl/testing/test_session.h"

/* Convolutions of one shape, one after the other, each with RELU and its own scalar MUL where `scaled` (without RELU
 * the weights would take it). */
static struct loaded equal_layers(uint64_t n, bool scaled)
{
    const struct opt_conv_2d conv = test_conv_with(scaled ? ACT_RELU : ACT_NONE);
    struct builder b;
    int32_t x;

    builder_init(&b, "equal layers");
    x = test_image(&b, "x");
    for (uint64_t i = 0; i < n; i++) {
        int32_t y = test_image(&b, "y"), z = test_image(&b, "z");

        build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), i), test_weights(&b, SHAPE(C), i)),
                 INDICES(y));
        if (scaled)
            build_op(&b, BUILTIN_MUL, 1, NULL,
                     INDICES(y, build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){0.4f + (float)i / 32})), INDICES(z));
        x = scaled ? z : y;
    }
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(x));
    return load(&b);
}

/* Equal shapes of work with other numbers share a program, scalars that follow them too. */
static void equal_layers_share_programs(void **state)
{
    struct delegate *d = test_open_best();

    (void)state;
    for (int scaled = 0; scaled < 2; scaled++) {
        struct loaded l = equal_layers(9, scaled);
        struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);
        struct delegate_facts m;

        session_facts(s, NULL, &m);
        assert_int_equal(fact_value(&m, "work.dispatches"), 11);
        assert_int_equal(fact_value(&m, "work.programs"), 3); /* upload, convolution, download */
        assert_int_equal(fact_value(&m, "work.barriers"), 11);
        if (scaled) /* values grow from layer to layer otherwise */
            test_compare(s, cpu, 0);
        session_free(s);
        session_free(cpu);
        unload(&l);
    }
    delegate_close(d);
}

/* Two programs in turns, each time with other shapes. */
static void each_dispatch_sees_its_own_numbers(void **state)
{
    struct delegate *d = test_open_best();
    struct session *s, *cpu;
    struct delegate_facts m;
    struct loaded l;
    struct builder b;
    int32_t x, c = 8;

    (void)state;
    builder_init(&b, "turns");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, H, W, c));
    for (uint64_t i = 0; i < 12; i++) {
        int32_t wide = c + 8, y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, H, W, wide)),
                z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, H, W, wide));

        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(x, test_weights(&b, SHAPE(wide, 1, 1, c), i), -1), INDICES(y));
        build_op(&b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same, INDICES(y, test_weights(&b, SHAPE(1, 3, 3, wide), i), -1),
                 INDICES(z));
        x = z;
        c = wide;
    }
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(x));
    l = load(&b);
    s = test_start(&l, d);
    cpu = test_start(&l, NULL);
    session_facts(s, NULL, &m);
    assert_in_range(fact_value(&m, "work.programs"), 4, 6); /* two transfers, and two kinds in one size of workgroup each, or two */
    test_compare(s, cpu, 0);
    session_free(s);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

/* Where a driver is better off with numbers in the text, each set of them is a program, and computes the same. */
static void numbers_may_stand_in_the_text(void **state)
{
    struct gl_policy policy = gl_policy_unknown;
    struct loaded l = equal_layers(3, true);
    struct session *gpu, *cpu = test_start(&l, NULL);
    struct delegate_facts m;
    struct delegate *d;

    (void)state;
    policy.inline_uniforms = true;
    d = test_open_gpu((struct gpu_options){.device = -1, .policy = &policy});
    gpu = test_start(&l, d);
    session_facts(gpu, NULL, &m);
    assert_int_equal(fact_value(&m, "work.programs"), 5);
    test_compare(gpu, cpu, 0);
    session_free(gpu);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

static void fill_bytes(struct session *s)
{
    struct tensor *t = session_input(s, 0);

    for (size_t i = 0; i < t->bytes; i++)
        ((uint8_t *)t->data)[i] = (uint8_t)(37 * i);
}

/* y = LOGISTIC(x) + a number, both in steps: the number, of the finer steps, is multiplied in fixed point, by constants alone
 * where they are in the text. Mesa 22.3.6 folds these wrongly. */
static void numbers_in_the_text_are_multiplied_right(void **state)
{
    struct gl_policy policy = gl_policy_unknown;
    struct test_pair p;
    struct builder b;
    int32_t t[3], number;

    (void)state;
    policy.inline_uniforms = true;
    builder_init(&b, "sum with a number");
    for (int i = 0; i < 3; i++)
        t[i] = build_tensor(&b, (const char *const[]){"x", "logistic", "y"}[i], TYPE_UINT8, SHAPE(1, H, W, C));
    number = build_const(&b, "number", TYPE_UINT8, SHAPE(1), (uint8_t[]){200});
    build_quant(&b, t[0], 0.05f, 128);
    build_quant(&b, t[1], 1.0f / 256, 0);
    build_quant(&b, t[2], 0.01f, 3);
    build_quant(&b, number, 0.002f, 9);
    build_op(&b, BUILTIN_LOGISTIC, 1, NULL, INDICES(t[0]), INDICES(t[1]));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(t[1], number), INDICES(t[2]));
    build_inputs(&b, INDICES(t[0]));
    build_outputs(&b, INDICES(t[2]));
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .policy = &policy, .quant = GPU_QUANT_SIMULATE}, 2);
    test_pair_run(&p, fill_bytes);
    for (size_t i = 0; i < session_output(p.gpu, 0)->bytes; i++)
        assert_in_range(1 + ((uint8_t *)session_output(p.gpu, 0)->data)[i] - ((uint8_t *)session_output(p.cpu, 0)->data)[i], 0, 2);
    test_pair_stop(&p);
}

/* y = where x, a scalar, else another: any bits that a float can have arrive as they are. */
static void scalars_keep_their_bits(void **state)
{
    static const uint32_t bits[] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x3f800001, 0x7f7fffff,
                                    0x7f800000, 0xff800000, 0x7fc00000, 0x7fc12345, 0xffc54321, 0x7f812345};
    const size_t n = sizeof bits / sizeof *bits;
    struct delegate *d = test_open_best();

    (void)state;
    for (size_t i = 0; i < n; i++) {
        uint32_t pair[2] = {bits[i], bits[(i + 1) % n]}, got[2];
        struct builder b;
        struct loaded l;
        struct session *s;
        struct err err = {""};
        int32_t x, y;

        builder_init(&b, "scalars");
        x = build_tensor(&b, "x", TYPE_BOOL, SHAPE(2));
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2));
        build_op(&b, BUILTIN_SELECT_V2, 1, NULL,
                 INDICES(x, build_const(&b, "a", TYPE_FLOAT32, SHAPE(1), &pair[0]),
                         build_const(&b, "b", TYPE_FLOAT32, SHAPE(1), &pair[1])),
                 INDICES(y));
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(y));
        l = load(&b);
        s = test_start(&l, d);
        assert_int_equal(session_partitioning(s)->n_cpu, 0);
        ((uint8_t *)session_input(s, 0)->data)[0] = 1;
        ((uint8_t *)session_input(s, 0)->data)[1] = 0;
        TEST_OK(session_run(s, &err), err);
        memcpy(got, session_output(s, 0)->data, sizeof got);
        if (got[0] != pair[0] || got[1] != pair[1])
            fail_msg("0x%08x and 0x%08x became 0x%08x and 0x%08x", pair[0], pair[1], got[0], got[1]);
        session_free(s);
        unload(&l);
    }
    delegate_close(d);
}

/* On a device with 4 buffers too, scalars that follow a convolution cost no dispatch. */
static void scalars_cost_no_dispatch(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .most = &gl_limits_least});
    struct delegate_facts m;
    struct session *s, *cpu;
    struct loaded l;
    struct builder b;
    int32_t t[6];

    (void)state;
    builder_init(&b, "scalars");
    for (int i = 0; i < 6; i++)
        t[i] = test_image(&b, "t");
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(t[0], test_weights(&b, SHAPE(C, 3, 3, C), 1), -1), INDICES(t[1]));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(t[1], build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){3})), INDICES(t[2]));
    build_op(&b, BUILTIN_RELU6, 1, NULL, INDICES(t[2]), INDICES(t[3]));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t[3], build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){0.5f})), INDICES(t[4]));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t[4], build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){0.25f})),
             INDICES(t[5]));
    build_inputs(&b, INDICES(t[0]));
    build_outputs(&b, INDICES(t[5]));
    l = load(&b);
    s = test_start(&l, d);
    cpu = test_start(&l, NULL);
    session_facts(s, NULL, &m);
    assert_int_equal(fact_value(&m, "work.dispatches"), 3); /* upload, convolution, download */
    test_compare(s, cpu, 0);
    session_free(s);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

/* Functions that share a helper, in one shader. */
static void powers_of_powers(void **state)
{
    struct delegate *d = test_open_best();
    struct session *s, *cpu;
    struct loaded l;
    struct builder b;
    int32_t t[4];

    (void)state;
    builder_init(&b, "powers");
    for (int i = 0; i < 4; i++)
        t[i] = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(3, 5));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(t[0]), INDICES(t[1]));
    build_op(&b, BUILTIN_POW, 1, NULL, INDICES(t[1], build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){0.5f})), INDICES(t[2]));
    build_op(&b, BUILTIN_POW, 1, NULL, INDICES(t[2], t[1]), INDICES(t[3]));
    build_inputs(&b, INDICES(t[0]));
    build_outputs(&b, INDICES(t[3]));
    l = load(&b);
    s = test_start(&l, d);
    cpu = test_start(&l, NULL);
    assert_int_equal(session_partitioning(s)->n_cpu, 0);
    test_compare(s, cpu, 1);
    session_free(s);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_layers_share_programs),
        cmocka_unit_test(each_dispatch_sees_its_own_numbers),
        cmocka_unit_test(numbers_may_stand_in_the_text),
        cmocka_unit_test(numbers_in_the_text_are_multiplied_right),
        cmocka_unit_test(scalars_keep_their_bits),
        cmocka_unit_test(scalars_cost_no_dispatch),
        cmocka_unit_test(powers_of_powers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
