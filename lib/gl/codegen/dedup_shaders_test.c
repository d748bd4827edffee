/* SPDX-License-Identifier: Apache-2.0 */
/* dedup_shaders_test.c - shaders that leave something out have it where others need it, and are one program then. */
#include "lib/gl/codegen/dedup_shaders.h"

#include <math.h>
#include <string.h>

#include "lib/gl/testing/test_session.h"

#define MOST 4

/* What becomes of the texts of a draft; returns the bytes that it takes. */
static size_t check(const char *const *texts, const char *const *want, uint32_t n)
{
    struct arena arena = {0};
    const char *become[MOST];
    size_t bytes;

    memcpy(become, texts, n * sizeof *texts);
    assert_true(gl_dedup_shaders(&arena, become, n));
    for (uint32_t i = 0; i < n; i++)
        assert_string_equal(become[i], want[i]);
    bytes = arena.bytes;
    arena_free(&arena);
    return bytes;
}

#define CHECK(n, ...) check((const char *const[2][MOST]){__VA_ARGS__}[0], (const char *const[2][MOST]){__VA_ARGS__}[1], n)

static void what_others_need_is_there(void **state)
{
    (void)state;
    CHECK(2, {"a\n//~b\n/**/c\nd\n", "a\nb\nd\n"}, {"a\nb\nd\n", "a\nb\nd\n"});
    /* neither has all */
    CHECK(2, {"a\n//~b\nc\n", "a\nb\n//~c\n"}, {"a\nb\nc\n", "a\nb\nc\n"});
    /* the end of a text may be no end of a line */
    CHECK(2, {"a\n//~b\n/**/c", "a\nb\n"}, {"a\nb\n", "a\nb\n"});
    CHECK(2, {"a\n//~b", "a\nb"}, {"a\nb", "a\nb"});
}

static void what_nobody_needs_stays_out(void **state)
{
    (void)state;
    assert_int_equal(CHECK(3, {"a\n//~b\n", "a\n//~b\n", "c\nb\n"}, {"a\n//~b\n", "a\n//~b\n", "c\nb\n"}), 0);
    assert_int_equal(CHECK(2, {"a\n//~b\nc\n", "a\nb\n"}, {"a\n//~b\nc\n", "a\nb\n"}), 0);
}

/* Before, between and behind those with which they are alike. */
static void one_text_is_enough(void **state)
{
    (void)state;
    assert_int_equal(CHECK(4, {"a\nb\n", "a\n//~b\n", "c\n", "a\n//~b\n"}, {"a\nb\n", "a\nb\n", "c\n", "a\nb\n"}), 0);
    assert_int_equal(CHECK(3, {"a\n//~b\n", "a\nb\n", "a\n//~b\n"}, {"a\nb\n", "a\nb\n", "a\nb\n"}),
                     CHECK(2, {"a\n//~b\n", "a\nb\n"}, {"a\nb\n", "a\nb\n"}));
}

/* Runs the network, which the GPU takes whole, against the CPU. */
static void check_policy(struct builder *b, struct gl_policy policy, uint32_t n_nodes, uint32_t programs)
{
    struct test_pair p = test_pair_start(b, (struct gpu_options){.device = -1, .policy = &policy}, n_nodes);
    struct delegate_facts m;

    test_compare(p.gpu, p.cpu, 1);
    session_facts(p.gpu, NULL, &m);
    assert_int_equal(fact_value(&m, "work.programs"), programs);
    test_pair_stop(&p);
}

static void check_programs(struct builder *b, bool inlined, uint32_t n_nodes, uint32_t programs)
{
    check_policy(b, (struct gl_policy){.inline_uniforms = inlined, .iterations = GL_FEW_ITERATIONS}, n_nodes, programs);
}

/* Convolutions of x to 8 and 6 channels. */
static void channels_that_lack_share_a_program(void **state)
{
    struct builder b;
    int32_t x, y[2], all[2];

    (void)state;
    builder_init(&b, "alike");
    x = test_image(&b, "x");
    for (int i = 0; i < 2; i++) {
        const int32_t n = i ? 6 : 8;

        y[i] = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, H, W, n));
        all[i] = build_tensor(&b, "size", TYPE_FLOAT32, SHAPE(1, H, W, n));
        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
                 INDICES(x, test_weights(&b, SHAPE(n, 3, 3, C), 1), test_weights(&b, SHAPE(n), 2)), INDICES(y[i]));
        build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(y[i]), INDICES(all[i]));
    }
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(all[0], all[1]));
    check_programs(&b, false, 4, 3); /* upload, convolution and download */
}

/* u + a of 8 channels each, and u + b, of whose 4 channels a pad makes 8. */
static void operands_that_lack_slices_share_a_program(void **state)
{
    static const int32_t pads[8] = {0, 0, 0, 0, 0, 0, 0, 4};
    struct builder b;
    int32_t u, of[2], padded, y[2];

    (void)state;
    builder_init(&b, "operands");
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1, H, W, 8));
    for (int i = 0; i < 2; i++) {
        of[i] = build_tensor(&b, i ? "b" : "a", TYPE_FLOAT32, SHAPE(1, H, W, i ? 4 : 8));
        y[i] = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, H, W, 8));
    }
    padded = build_tensor(&b, "padded", TYPE_FLOAT32, SHAPE(1, H, W, 8));
    build_op(&b, BUILTIN_PAD, 1, NULL, INDICES(of[1], build_const(&b, "pads", TYPE_INT32, SHAPE(4, 2), pads)), INDICES(padded));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(u, of[0]), INDICES(y[0]));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(u, padded), INDICES(y[1]));
    build_inputs(&b, INDICES(u, of[0], of[1]));
    build_outputs(&b, INDICES(y[0], y[1]));
    check_programs(&b, false, 3, 3); /* upload, sum and download */
}

/* Convolutions that differ by their activation; numbers in the text would make a program of each. */
static void clamps_share_a_program(void **state)
{
    static const enum activation acts[] = {ACT_NONE, ACT_RELU, ACT_RELU6, ACT_RELU_N1_TO_1};

    (void)state;
    for (int inlined = 0; inlined < 2; inlined++) {
        struct builder b;
        int32_t x, y[4];

        builder_init(&b, "clamps");
        x = test_image(&b, "x");
        for (int i = 0; i < 4; i++) {
            const struct opt_conv_2d conv = test_conv_with(acts[i]);

            y[i] = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, H, W, 8));
            build_op(&b, BUILTIN_CONV_2D, 1, &conv,
                     INDICES(x, test_weights(&b, SHAPE(8, 3, 3, C), (uint64_t)i), test_weights(&b, SHAPE(8), 2)), INDICES(y[i]));
        }
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(y[0], y[1], y[2], y[3]));
        check_programs(&b, inlined != 0, 4, inlined ? 6 : 3); /* with upload and download */
    }
}

/* A function that shares the program of one that clamps lets through what it gives. */
static void what_is_not_clamped_stays(void **state)
{
    static const float odd[] = {INFINITY, -INFINITY, NAN, -0.0f, 0, 1e30f, -1e30f, 5};
    const struct gl_policy policy = {.iterations = GL_FEW_ITERATIONS};
    struct delegate_facts m;
    struct test_pair p;
    struct builder b;
    int32_t x[2], t, y[2];
    struct err err;

    (void)state;
    builder_init(&b, "odd");
    for (int i = 0; i < 2; i++)
        x[i] = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 8));
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, 8));
    for (int i = 0; i < 2; i++)
        y[i] = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 8));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x[0]), INDICES(y[0]));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x[1]), INDICES(t));
    build_op(&b, BUILTIN_RELU6, 1, NULL, INDICES(t), INDICES(y[1]));
    build_inputs(&b, INDICES(x[0], x[1]));
    build_outputs(&b, INDICES(y[0], y[1]));
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .policy = &policy}, 3);
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(session_input(p.gpu, i)->data, odd, sizeof odd);
        memcpy(session_input(p.cpu, i)->data, odd, sizeof odd);
    }
    TEST_OK(session_run(p.gpu, &err), err);
    TEST_OK(session_run(p.cpu, &err), err);
    for (uint32_t i = 0; i < 2; i++)
        for (int k = 0; k < 8; k++) {
            const float got = ((const float *)session_output(p.gpu, i)->data)[k];
            const float want = ((const float *)session_output(p.cpu, i)->data)[k];

            assert_true(got == want || (isnan(got) && isnan(want)));
        }
    session_facts(p.gpu, NULL, &m);
    assert_int_equal(fact_value(&m, "work.programs"), 3); /* upload, both, and download */
    test_pair_stop(&p);
}

/* Where programs are dear, convolutions to 8 and 6 channels do with that of one to which a value is added. */
static void what_adds_nothing_shares_a_program(void **state)
{
    (void)state;
    for (int few = 0; few < 2; few++) {
        const struct opt_add relu = {.activation = ACT_RELU};
        const struct gl_policy policy = {
            .software = true, .row_groups = few != 0, .check_reads = true, .iterations = GL_FEW_ITERATIONS};
        struct builder b;
        int32_t x, y[4];

        builder_init(&b, "nothing");
        x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 16, 16, 8));
        for (int i = 0; i < 4; i++) {
            const int32_t n = i == 3 ? 6 : 8;

            y[i] = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 16, 16, n));
            if (i == 2)
                build_op(&b, BUILTIN_ADD, 1, &relu, INDICES(y[1], x), INDICES(y[2]));
            else
                build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
                         INDICES(i ? y[i - 1] : x, test_weights(&b, SHAPE(n, 3, 3, 8), (uint64_t)i), test_weights(&b, SHAPE(n), 2)),
                         INDICES(y[i]));
        }
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(y[2], y[3]));
        check_policy(&b, policy, 4, few ? 3 : 4); /* with upload and download */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_need_is_there),
        cmocka_unit_test(what_nobody_needs_stays_out),
        cmocka_unit_test(one_text_is_enough),
        cmocka_unit_test(channels_that_lack_share_a_program),
        cmocka_unit_test(operands_that_lack_slices_share_a_program),
        cmocka_unit_test(clamps_share_a_program),
        cmocka_unit_test(what_is_not_clamped_stays),
        cmocka_unit_test(what_adds_nothing_shares_a_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
