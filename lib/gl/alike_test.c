/* SPDX-License-Identifier: Apache-2.0 */
/* alike_test.c - shaders that leave something out have it where others need it, and are one program then. */
#include "alike.h"

#include <string.h>

#include "test_session.h"

#define MOST 4

/* What becomes of the texts of a draft. */
static void check(const char *const *texts, const char *const *want, uint32_t n)
{
    struct arena arena = {0};
    const char *become[MOST];

    memcpy(become, texts, n * sizeof *texts);
    assert_true(gl_make_alike(&arena, become, n));
    for (uint32_t i = 0; i < n; i++)
        assert_string_equal(become[i], want[i]);
    arena_free(&arena);
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
    CHECK(3, {"a\n//~b\n", "a\n//~b\n", "c\nb\n"}, {"a\n//~b\n", "a\n//~b\n", "c\nb\n"});
    CHECK(2, {"a\n//~b\nc\n", "a\nb\n"}, {"a\n//~b\nc\n", "a\nb\n"});
}

/* Convolutions of x to 8 and 6 channels. */
static void channels_that_lack_share_a_program(void **state)
{
    const struct gl_policy policy = {.iterations = GL_FEW_ITERATIONS};
    const struct gpu_options o = {.device = -1, .policy = &policy};
    struct session_memory m;
    struct test_pair p;
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
    p = test_pair_start(&b, o, 4);
    test_compare(p.gpu, p.cpu, 1);
    session_memory(p.gpu, &m);
    assert_int_equal(m.delegate.programs, 3); /* upload, convolution and download */
    test_pair_stop(&p);
}

/* Convolutions that differ by their activation; numbers in the text would make a program of each. */
static void clamps_share_a_program(void **state)
{
    static const enum activation acts[] = {ACT_NONE, ACT_RELU, ACT_RELU6, ACT_RELU_N1_TO_1};

    (void)state;
    for (int inlined = 0; inlined < 2; inlined++) {
        const struct gl_policy policy = {.inline_numbers = inlined != 0, .iterations = GL_FEW_ITERATIONS};
        const struct gpu_options o = {.device = -1, .policy = &policy};
        struct session_memory m;
        struct test_pair p;
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
        p = test_pair_start(&b, o, 4);
        test_compare(p.gpu, p.cpu, 4);
        session_memory(p.gpu, &m);
        assert_int_equal(m.delegate.programs, inlined ? 6 : 3); /* with upload and download */
        test_pair_stop(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_need_is_there),
        cmocka_unit_test(what_nobody_needs_stays_out),
        cmocka_unit_test(channels_that_lack_share_a_program),
        cmocka_unit_test(clamps_share_a_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
