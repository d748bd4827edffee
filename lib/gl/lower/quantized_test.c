/* SPDX-License-Identifier: Apache-2.0 */
/* quantized_test.c - integers that stand for reals: within a step of the CPU's integer kernels, and no rounding that nothing needs.
 */
#include "lib/gl/lower/quantized.h"

#include <stdlib.h>
#include <string.h>

#include "lib/delegate/delegate.h"
#include "lib/gl/testing/test_session.h"

#define ELEMENTS (5 * 6 * 7)

static int32_t quantized(struct builder *b, const char *name, enum tensor_type type, float scale, int64_t zero)
{
    int32_t t = build_tensor(b, name, type, SHAPE(1, 5, 6, 7));

    build_quant(b, t, scale, zero);
    return t;
}

/* y = RELU6(x + x2) of other steps, then a RESHAPE, which keeps them. */
static void build_sum(struct builder *b, enum tensor_type type, int64_t zero)
{
    const bool fine = type == TYPE_INT16;
    const int32_t shape[] = {6, 35};
    int32_t x, x2, y, z, s;

    builder_init(b, "sum");
    x = quantized(b, "x", type, fine ? 4e-4f : 0.05f, zero);
    x2 = quantized(b, "x2", type, fine ? 3e-4f : 0.04f, zero);
    y = quantized(b, "y", type, fine ? 2e-4f : 0.0235f, zero);
    s = build_const(b, "shape", TYPE_INT32, SHAPE(2), shape);
    z = build_tensor(b, "z", type, SHAPE(6, 35));
    build_quant(b, z, fine ? 2e-4f : 0.0235f, zero);
    build_op(b, BUILTIN_ADD, 2, &(struct opt_add){.activation = ACT_RELU6}, INDICES(x, x2), INDICES(y));
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(y, s), INDICES(z));
    build_inputs(b, INDICES(x, x2));
    build_outputs(b, INDICES(z));
}

static int element(const struct tensor *t, size_t i)
{
    return t->type == TYPE_INT8    ? ((const int8_t *)t->data)[i]
           : t->type == TYPE_UINT8 ? ((const uint8_t *)t->data)[i]
                                   : ((const int16_t *)t->data)[i];
}

/* Bytes that reach both ends of the type. */
static void fill(struct session *s)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct tensor *t = session_input(s, i);

        for (size_t k = 0; k < t->bytes; k++)
            ((uint8_t *)t->data)[k] = (uint8_t)(k * (37 + 94 * i) >> 1);
    }
}

static int most_off(const struct test_pair *p)
{
    int most = 0;

    test_pair_run(p, fill);
    for (size_t i = 0; i < ELEMENTS; i++) {
        int off = abs(element(session_output(p->gpu, 0), i) - element(session_output(p->cpu, 0), i));

        most = off > most ? off : most;
    }
    return most;
}

static bool has_piece(struct session *s, const char *text)
{
    const struct profile_row *rows;
    bool found = false;
    struct err err;
    size_t n;

    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        found |= rows[i].detail && strstr(rows[i].detail, text);
    return found;
}

/* In both precisions: what is rounded to 16 bits is coarser than a step of 16-bit tensors, which therefore never are. */
static void sums_agree(void **state)
{
    static const struct {
        enum tensor_type type;
        int64_t zero;
    } of[] = {{TYPE_INT8, -5}, {TYPE_UINT8, 120}, {TYPE_INT16, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int p = GPU_PRECISION_FP32; p <= GPU_PRECISION_FP16_STORAGE; p++) {
            struct gpu_options o = {.device = -1, .quant = GPU_QUANT_SIMULATE, .precision = (enum gpu_precision)p};
            struct test_pair pair;
            struct builder b;

            build_sum(&b, of[i].type, of[i].zero);
            pair = test_pair_start(&b, o, 2);
            assert_in_range(most_off(&pair), 0, 1);
            assert_true(has_piece(pair.gpu, "+SUM_OF_STEPS +REQUANTIZE"));
            assert_false(has_piece(pair.gpu, "reshape +STEPS"));
            test_pair_stop(&pair);
        }
}

/* x + x2 or x - x2 with scales such as that an odd sum is half a step. */
static void build_terms(struct builder *b, bool subtracts, enum tensor_type type, int64_t zero, const float scale[3])
{
    int32_t t[3];

    builder_init(b, "terms");
    for (int i = 0; i < 3; i++)
        t[i] = quantized(b, (const char *[]){"x", "x2", "y"}[i], type, scale[i], zero);
    if (subtracts)
        build_op(b, BUILTIN_SUB, 3, &(struct opt_sub){.pot_scale_int16 = true}, INDICES(t[0], t[1]), INDICES(t[2]));
    else
        build_op(b, BUILTIN_ADD, 3, &(struct opt_add){.pot_scale_int16 = true}, INDICES(t[0], t[1]), INDICES(t[2]));
    build_inputs(b, INDICES(t[0], t[1]));
    build_outputs(b, INDICES(t[2]));
}

/* No float may come to lie beside the half of a step that the CPU's integers meet; and of powers of two both operands are rounded
 * first. */
static void sums_are_the_cpus(void **state)
{
    static const struct {
        enum tensor_type type;
        int64_t zero;
        float scale[3];
    } of[] = {{TYPE_INT8, -5, {0.5f / 107, 0.5f / 107, 1.0f / 107}},
              {TYPE_UINT8, 125, {1.0f / 300, 0.5f / 300, 2.0f / 300}},
              {TYPE_INT8, 3, {0.031f, 0.047f, 0.0529f}},
              {TYPE_INT16, 0, {3e-5f, 3e-5f, 6e-5f}},
              {TYPE_INT16, 0, {2e-5f, 3.1e-5f, 4.3e-5f}},
              {TYPE_INT16, 0, {0x1p-15f, 0x1p-18f, 0x1p-15f}}};

    (void)state;
    for (size_t k = 0; k < 2 * sizeof of / sizeof *of; k++) {
        const size_t i = k / 2;
        struct test_pair pair;
        struct builder b;

        build_terms(&b, k % 2, of[i].type, of[i].zero, of[i].scale);
        pair = test_pair_start(&b, (struct gpu_options){.device = -1, .quant = GPU_QUANT_SIMULATE}, 1);
        assert_int_equal(most_off(&pair), 0);
        test_pair_stop(&pair);
    }
}

static void nothing_is_taken_unasked(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1});
    struct session *gpu;
    struct builder b;
    struct loaded l;

    (void)state;
    build_sum(&b, TYPE_INT8, 0);
    l = load(&b);
    gpu = test_start(&l, d);
    assert_int_equal(session_partitioning(gpu)->n_delegated, 0);
    session_free(gpu);
    unload(&l);
    delegate_close(d);
}

/* Its own scale says nothing: the integers count in steps of the products. */
static void biases_count_products(void **state)
{
    const float half = 0.5f, quarter = 0.25f, odd = 7;
    const int64_t zero = 0;
    const int32_t values[] = {-8, 0, 24};
    const struct tensor x = {.type = TYPE_INT8, .quant = {.n = 1, .scale = &half, .zero_point = &zero}};
    const struct tensor w = {.type = TYPE_INT8, .is_const = true, .quant = {.n = 1, .scale = &quarter, .zero_point = &zero}};
    const struct tensor bias = {.type = TYPE_INT32,
                                .is_const = true,
                                .rank = 1,
                                .dim = {3},
                                .bytes = sizeof values,
                                .data = (void *)values,
                                .quant = {.n = 1, .scale = &odd, .zero_point = &zero}};
    struct arena arena = {0};
    struct ir ir = {.arena = &arena};
    const float *got = gl_quantized_bias(&ir, &x, &w, &bias);

    (void)state;
    assert_non_null(got);
    for (int i = 0; i < 3; i++)
        assert_float_equal(got[i], (float)values[i] * 0.125f, 0);
    arena_free(&arena);
}

#define OUT 24

static int32_t bytes(struct builder *b, const char *name, int32_t h, int32_t w, int32_t c, float scale, int64_t zero)
{
    int32_t t = build_tensor(b, name, TYPE_INT8, SHAPE(1, h, w, c));

    build_quant(b, t, scale, zero);
    return t;
}

static int32_t filter_of(struct builder *b, const char *name, int32_t n, int32_t k, int32_t c)
{
    int8_t w[OUT * 9 * OUT];
    int32_t t;

    for (int32_t i = 0; i < n * k * k * c; i++)
        w[i] = (int8_t)(i * 73 + (i >> 3) * 31);
    t = build_const(b, name, TYPE_INT8, SHAPE(n, k, k, c), w);
    build_quant(b, t, 0.0071f, 0);
    return t;
}

/* A convolution with RELU6, a depthwise one, the mean of 2 x 2 pixels, their size doubled, squared, and other steps. */
static void build_net(struct builder *b)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    int32_t bias[OUT], size[2] = {8, 8}, x, y[6], w, w2, n, s;

    for (int32_t i = 0; i < OUT; i++)
        bias[i] = i * 311 - 4000;
    builder_init(b, "net");
    x = bytes(b, "x", 9, 9, 3, 0.05f, -7);
    w = filter_of(b, "w", OUT, 3, 3);
    w2 = filter_of(b, "w2", 1, 3, OUT);
    n = build_const(b, "bias", TYPE_INT32, SHAPE(OUT), bias);
    build_quant(b, n, 0.05f * 0.0071f, 0);
    s = build_const(b, "size", TYPE_INT32, SHAPE(2), size);
    y[0] = bytes(b, "y0", 9, 9, OUT, 0.0231f, -128);
    y[1] = bytes(b, "y1", 9, 9, OUT, 0.0911f, 3);
    y[2] = bytes(b, "y2", 4, 4, OUT, 0.0911f, 3);
    y[3] = bytes(b, "y3", 8, 8, OUT, 0.0911f, 3);
    y[4] = bytes(b, "y4", 8, 8, OUT, 0.33f, -60);
    y[5] = bytes(b, "y5", 8, 8, OUT, 0.27f, 11);
    build_op(b, BUILTIN_CONV_2D, 3, &conv, INDICES(x, w, n), INDICES(y[0]));
    build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 3, &test_depthwise_same, INDICES(y[0], w2, n), INDICES(y[1]));
    build_op(
        b, BUILTIN_AVERAGE_POOL_2D, 2,
        &(struct opt_pool_2d){.padding = PAD_VALID, .stride_height = 2, .stride_width = 2, .filter_height = 2, .filter_width = 2},
        INDICES(y[1]), INDICES(y[2]));
    build_op(b, BUILTIN_RESIZE_BILINEAR, 3, &(struct opt_resize_bilinear){.half_pixel_centers = true}, INDICES(y[2], s),
             INDICES(y[3]));
    build_op(b, BUILTIN_MUL, 2, &(struct opt_mul){0}, INDICES(y[3], y[3]), INDICES(y[4]));
    build_op(b, BUILTIN_QUANTIZE, 2, NULL, INDICES(y[4]), INDICES(y[5]));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y[0], y[1], y[2], y[3], y[4], y[5]));
}

static void fill_bytes(struct session *s)
{
    struct tensor *t = session_input(s, 0);

    for (size_t k = 0; k < t->bytes; k++)
        ((uint8_t *)t->data)[k] = (uint8_t)(k * k * 37 >> 2);
}

/* Stored as halves reals are too coarse for a mean to show where it lies between two steps. */
static void every_element_agrees(void **state)
{
    static const int allowed[] = {[GPU_PRECISION_FP32] = 0, [GPU_PRECISION_FP16_STORAGE] = 4};

    (void)state;
    for (int p = GPU_PRECISION_FP32; p <= GPU_PRECISION_FP16_STORAGE; p++) {
        const struct gpu_options o = {.device = -1, .quant = GPU_QUANT_SIMULATE, .precision = (enum gpu_precision)p};
        struct delegate_facts memory;
        struct test_pair pair;
        struct builder b;

        build_net(&b);
        pair = test_pair_start(&b, o, 6);
        test_pair_run(&pair, fill_bytes);
        for (uint32_t i = 0; i < 6; i++) {
            const struct tensor *got = session_output(pair.gpu, i), *want = session_output(pair.cpu, i);

            for (size_t k = 0; k < want->bytes; k++)
                assert_in_range(abs(((const int8_t *)got->data)[k] - ((const int8_t *)want->data)[k]), 0, allowed[p]);
        }
        session_facts(pair.gpu, NULL, &memory);
        assert_in_range(fact_value(&memory, "memory.constants"), 1, 3500); /* weights are bytes: as floats they alone take 4,320 */
        test_pair_stop(&pair);
    }
}

static int32_t unary(struct builder *b, enum builtin op, int32_t x, int32_t y)
{
    build_op(b, op, 1, NULL, INDICES(x), INDICES(y));
    return y;
}

/* Floats, an island of bytes in two steps, and floats again. */
static void build_island(struct builder *b)
{
    int32_t x, q, sum, last;

    builder_init(b, "island");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 5, 6, 7));
    q = unary(b, BUILTIN_NEG, x, build_tensor(b, "n", TYPE_FLOAT32, SHAPE(1, 5, 6, 7)));
    q = unary(b, BUILTIN_QUANTIZE, q, quantized(b, "q", TYPE_INT8, 0.03f, -7));
    sum = quantized(b, "sum", TYPE_INT8, 0.07f, 5);
    build_op(b, BUILTIN_ADD, 2, &(struct opt_add){0}, INDICES(q, q), INDICES(sum));
    last = unary(b, BUILTIN_QUANTIZE, sum, quantized(b, "r", TYPE_UINT8, 0.05f, 128));
    last = unary(b, BUILTIN_DEQUANTIZE, last, build_tensor(b, "f", TYPE_FLOAT32, SHAPE(1, 5, 6, 7)));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(unary(b, BUILTIN_ABS, last, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 5, 6, 7)))));
}

static void fill_reals(struct session *s)
{
    for (size_t i = 0; i < ELEMENTS; i++)
        ((float *)session_input(s, 0)->data)[i] = (float)((int)(i * 83 % 400) - 200) * 0.021f;
}

/* Nothing crosses in the middle, no dispatch is made for what only changes steps, and each rounding is there. */
static void an_island_is_one_partition(void **state)
{
    struct test_pair p;
    struct builder b;

    (void)state;
    build_island(&b);
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .quant = GPU_QUANT_SIMULATE}, 6);
    assert_int_equal(session_partitioning(p.gpu)->n_parts, 1);
    test_pair_run(&p, fill_reals);
    for (size_t i = 0; i < ELEMENTS; i++)
        assert_float_equal(((const float *)session_output(p.gpu, 0)->data)[i], ((const float *)session_output(p.cpu, 0)->data)[i],
                           1e-5);
    assert_true(has_piece(p.gpu, "map +NEG +STEPS +SUM_OF_STEPS +REQUANTIZE +REQUANTIZE +ABS"));
    test_pair_stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_agree),
        cmocka_unit_test(sums_are_the_cpus),
        cmocka_unit_test(nothing_is_taken_unasked),
        cmocka_unit_test(biases_count_products),
        cmocka_unit_test(every_element_agrees),
        cmocka_unit_test(an_island_is_one_partition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
