/* SPDX-License-Identifier: Apache-2.0 */
/* exact_test.c - integers on the GPU have the bits of the CPU's reference kernels, where roundings are hardest to get right. */
#include "lib/gl/lower/exact.h"

#include <math.h>
#include <string.h>

#include "lib/delegate/delegate.h"
#include "lib/gl/testing/test_session.h"
#include "lib/tensor/rng.h"

#define ROWS  40
#define DEPTH 36
#define UNITS 10

static int32_t quantized(struct builder *b, const char *name, int32_t channels, float scale, int64_t zero)
{
    int32_t t = build_tensor(b, name, TYPE_INT8, SHAPE(ROWS, channels));

    build_quant(b, t, scale, zero);
    return t;
}

/* y = FULLY_CONNECTED(x), whose sums count in steps of 2^-10 before they are rounded to steps of `step`: z = TANH(y). */
static void build_product(struct builder *b, float step, uint64_t seed)
{
    struct rng r = rng_seed(seed, 0);
    int8_t weights[UNITS * DEPTH];
    int32_t bias[UNITS], x, w, c, y, z;

    for (int i = 0; i < UNITS * DEPTH; i++)
        weights[i] = (int8_t)((int)rng_below(&r, 15) - 7);
    for (int i = 0; i < UNITS; i++)
        bias[i] = (int32_t)rng_below(&r, 2001) - 1000;
    builder_init(b, "product");
    x = quantized(b, "x", DEPTH, 0x1p-4f, 3);
    w = build_const(b, "w", TYPE_INT8, SHAPE(UNITS, DEPTH), weights);
    build_quant(b, w, 0x1p-6f, 0);
    c = build_const(b, "c", TYPE_INT32, SHAPE(UNITS), bias);
    build_quant(b, c, 0x1p-10f, 0);
    y = quantized(b, "y", UNITS, step, -7);
    z = quantized(b, "z", UNITS, 1.0f / 128, 0);
    build_op(b, BUILTIN_FULLY_CONNECTED, 4, NULL, INDICES(x, w, c), INDICES(y));
    build_op(b, BUILTIN_TANH, 2, NULL, INDICES(y), INDICES(z));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y, z));
}

static void fill(struct session *s, uint64_t seed)
{
    struct rng r = rng_seed(seed, 1);
    int8_t *x = session_input(s, 0)->data;

    for (int i = 0; i < ROWS * DEPTH; i++)
        x[i] = (int8_t)rng_below(&r, 256);
    for (int i = 0; i < DEPTH; i++) /* the largest sums */
        x[i] = i % 2 ? INT8_MIN : INT8_MAX;
}

/* Steps that are powers of two make many halves; 3 and those beside powers make products that a double rounds to halves, or just
 * does not. */
static void products_round_as_doubles(void **state)
{
    const float steps[] = {0x1p-4f, 0x1.000002p-4f, 0x1.fffffep-5f, 0x1p-9f, 0.0371f, 3, 0x1p20f, 0x1p-13f, 0x1.000002p-29f};
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .quant = GPU_QUANT_EXACT});

    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct session *gpu, *cpu;
        struct builder b;
        struct loaded l;
        struct err err;

        build_product(&b, steps[i], i);
        l = load(&b);
        gpu = test_start(&l, d);
        cpu = test_start(&l, NULL);
        assert_int_equal(session_partitioning(gpu)->n_delegated, 2);
        fill(gpu, i);
        fill(cpu, i);
        TEST_OK(session_run(gpu, &err), err);
        TEST_OK(session_run(cpu, &err), err);
        for (uint32_t k = 0; k < 2; k++)
            assert_memory_equal(session_output(gpu, k)->data, session_output(cpu, k)->data, ROWS * UNITS);
        session_free(gpu);
        session_free(cpu);
        unload(&l);
    }
    delegate_close(d);
}

/* The means of x's rows, products of them with float weights, and, so that the graph is hybrid, with 8-bit ones: x [DEPTH,
 * ROWS], y [1, UNITS], z [1, UNITS]. */
static void build_hybrid(struct builder *b)
{
    struct rng r = rng_seed(7, 0);
    float floats[UNITS * DEPTH];
    int8_t bytes[UNITS * DEPTH];
    int32_t x, axes, mean, w, v, y, z;

    for (int i = 0; i < UNITS * DEPTH; i++) {
        floats[i] = (float)rng_uniform(&r) - 0.5f;
        bytes[i] = (int8_t)((int)rng_below(&r, 255) - 127);
    }
    builder_init(b, "hybrid");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(DEPTH, ROWS));
    axes = build_const(b, "axes", TYPE_INT32, SHAPE(1), (int32_t[]){1});
    mean = build_tensor(b, "mean", TYPE_FLOAT32, SHAPE(DEPTH));
    w = build_const(b, "w", TYPE_FLOAT32, SHAPE(UNITS, DEPTH), floats);
    v = build_const(b, "v", TYPE_INT8, SHAPE(UNITS, DEPTH), bytes);
    build_quant(b, v, 0x1p-7f, 0);
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, UNITS));
    z = build_tensor(b, "z", TYPE_FLOAT32, SHAPE(1, UNITS));
    build_op(b, BUILTIN_MEAN, 1, NULL, INDICES(x, axes), INDICES(mean));
    build_op(b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(mean, w, -1), INDICES(y));
    build_op(b, BUILTIN_FULLY_CONNECTED, 4, NULL, INDICES(mean, v, -1), INDICES(z));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(mean, y, z));
}

static void fill_hybrid(struct session *s)
{
    struct rng r = rng_seed(1, 0);

    for (int i = 0; i < ROWS * DEPTH; i++)
        ((float *)session_input(s, 0)->data)[i] = (float)rng_uniform(&r) - 0.25f;
}

/* The GPU has the bits of the CPU. */
static void compare(struct builder *b, enum gpu_precision precision, uint32_t n_delegated, void (*fill_both)(struct session *s))
{
    const struct gpu_options o = {.device = -1, .quant = GPU_QUANT_EXACT, .precision = precision};
    struct test_pair p = test_pair_start(b, o, n_delegated);

    test_pair_run(&p, fill_both);
    test_pair_same(&p);
    test_pair_stop(&p);
}

/* What a float sum rounds to decides on which side of a half it lies when it is quantized. */
static void sums_beside_hybrid_nodes_keep_their_order(void **state)
{
    struct builder b;

    (void)state;
    build_hybrid(&b);
    compare(&b, GPU_PRECISION_FP32, 3, fill_hybrid);
}

#define RANGES 6000

/* Each row of x is a range of its own: y = x times the identity of 127, by steps with a zero point. */
static void build_ranges(struct builder *b)
{
    int32_t x, w, y;

    builder_init(b, "ranges");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(RANGES, 2));
    w = build_const(b, "w", TYPE_INT8, SHAPE(2, 2), (int8_t[]){127, 0, 0, 127});
    build_quant(b, w, 0x1p-7f, 0);
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(RANGES, 2));
    build_op(b, BUILTIN_FULLY_CONNECTED, 9, &(struct opt_fully_connected){.asymmetric_quantize_inputs = true}, INDICES(x, w, -1),
             INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* From -low to high: numbers of 24 bits; or such that the zero point lies just between two integers, to which side the CPU's
 * doubles decide; or of numbers that many rows share. */
static void range_at(struct rng *r, int i, float x[2])
{
    static const int parts[] = {2, 6, 10, 30, 34, 102, 170, 510}; /* 255 times an odd number of any is a whole number and a half */
    const int n = parts[rng_below(r, 8)];
    const float unit = ldexpf((float)(rng_below(r, 32767) + 1), (int)rng_below(r, 20) - 20);

    x[0] = -unit * (float)(2 * rng_below(r, (uint64_t)n / 2) + 1);
    x[1] = unit * (float)n + x[0];
    if (i % 4 == 0) {
        x[0] = -(float)rng_uniform(r);
        x[1] = (float)rng_uniform(r);
    }
}

static void fill_ranges(struct session *s)
{
    struct rng r = rng_seed(3, 0);

    for (int i = 0; i < RANGES; i++)
        range_at(&r, i, (float *)session_input(s, 0)->data + 2 * (size_t)i);
}

static void zero_points_are_those_of_doubles(void **state)
{
    struct builder b;

    (void)state;
    build_ranges(&b);
    compare(&b, GPU_PRECISION_FP32, 1, fill_ranges);
}

/* y = QUANTIZE(x), in steps that halves cannot tell apart in most of x's range. */
static void build_steps(struct builder *b)
{
    int32_t x, y;

    builder_init(b, "steps");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(DEPTH, ROWS));
    y = build_tensor(b, "y", TYPE_INT16, SHAPE(DEPTH, ROWS));
    build_quant(b, y, 0x1p-14f, 0);
    build_op(b, BUILTIN_QUANTIZE, 1, NULL, INDICES(x), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

static void what_is_quantized_is_no_half(void **state)
{
    const enum gpu_precision precisions[] = {GPU_PRECISION_FP16_STORAGE, GPU_PRECISION_FP16};

    (void)state;
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++) {
        struct builder b;

        build_steps(&b);
        compare(&b, precisions[i], 1, fill_hybrid);
    }
}

/* What is rounded to 8 bits is no half either, but its result is stored as one. */
static void hybrid_inputs_are_no_halves(void **state)
{
    const struct gpu_options o = {.device = -1, .quant = GPU_QUANT_EXACT, .precision = GPU_PRECISION_FP16_STORAGE};
    struct test_pair p;
    struct builder b;

    (void)state;
    build_ranges(&b);
    p = test_pair_start(&b, o, 1);
    test_pair_run(&p, fill_ranges);
    for (int i = 0; i < 2 * RANGES; i++) {
        const float got = ((const float *)session_output(p.gpu, 0)->data)[i],
                    y = ((const float *)session_output(p.cpu, 0)->data)[i];

        if (!(fabsf(got - y) <= 0x1p-11f * fabsf(y) + 0x1p-24f) && fabsf(y) < 65504)
            fail_msg("%d: %.9g, expected %.9g as a half", i, (double)got, (double)y);
    }
    test_pair_stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_round_as_doubles),        cmocka_unit_test(sums_beside_hybrid_nodes_keep_their_order),
        cmocka_unit_test(zero_points_are_those_of_doubles), cmocka_unit_test(what_is_quantized_is_no_half),
        cmocka_unit_test(hybrid_inputs_are_no_halves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
