/* SPDX-License-Identifier: Apache-2.0 */
/* quantized_weights_test.c - weights of quantized models take hardly more of the device's memory than of the file. */
#include "lib/delegate/delegate.h"
#include "lib/gl/testing/test_session.h"

#define ROWS  30
#define DEPTH 64

/* Bytes times weights of 4 bits, of all sixteen values. */
static void build_packed(struct builder *b)
{
    uint8_t w[ROWS * DEPTH / 2];
    int32_t x, y, t;

    for (size_t i = 0; i < sizeof w; i++)
        w[i] = (uint8_t)(i * 91 + (i >> 4) * 7);
    builder_init(b, "packed");
    x = build_tensor(b, "x", TYPE_INT8, SHAPE(1, DEPTH));
    y = build_tensor(b, "y", TYPE_INT8, SHAPE(1, ROWS));
    t = build_const(b, "w", TYPE_INT4, SHAPE(ROWS, DEPTH), w);
    build_quant(b, x, 0.05f, -7);
    build_quant(b, y, 0.9f, 3);
    build_quant(b, t, 0.0071f, 0);
    build_op(b, BUILTIN_FULLY_CONNECTED, 4, &(struct opt_fully_connected){0}, INDICES(x, t, -1), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

static void fill(struct session *s)
{
    for (size_t k = 0; k < DEPTH; k++)
        ((uint8_t *)session_input(s, 0)->data)[k] = (uint8_t)(k * k * 37 >> 2);
}

static void weights_of_four_bits_are_two_a_byte(void **state)
{
    struct delegate_facts memory;
    struct test_pair p;
    struct builder b;

    (void)state;
    build_packed(&b);
    p = test_pair_start(&b, (struct gpu_options){.device = -1, .quant = GPU_QUANT_SIMULATE}, 1);
    test_pair_run(&p, fill);
    test_pair_same(&p);
    session_facts(p.gpu, NULL, &memory);
    assert_in_range(fact_value(&memory, "memory.constants"), 32 * DEPTH / 2, 32 * DEPTH - 1);
    test_pair_stop(&p);
}

/* A constant, of INT8 with all its values, or zeros; its bytes are added to *bytes. */
static int32_t constant(struct builder *b, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank, float scale,
                        size_t *bytes)
{
    static uint8_t data[1 << 17];
    size_t n = type == TYPE_INT8 ? 1 : 4;
    int32_t t;

    for (int32_t i = 0; i < rank; i++)
        n *= (size_t)dim[i];
    assert_in_range(n, 1, sizeof data);
    for (size_t i = 0; i < n; i++)
        data[i] = type == TYPE_INT8 ? (uint8_t)(i * 37) : 0;
    t = build_const(b, name, type, dim, rank, data);
    build_quant(b, t, scale, 0);
    *bytes += n;
    return t;
}

static int32_t image(struct builder *b, const char *name, int32_t channels)
{
    int32_t t = build_tensor(b, name, TYPE_INT8, SHAPE(1, 4, 4, channels));

    build_quant(b, t, 0.05f, -3);
    return t;
}

/* As MobileNet v2 has it: 1x1, 3x3 of each channel, 1x1. Returns the bytes of filters and biases. */
static size_t build_bottleneck(struct builder *b)
{
    size_t bytes = 0;
    int32_t x, wide, each, y;

    builder_init(b, "bottleneck");
    x = image(b, "x", 256);
    wide = image(b, "wide", 512);
    each = image(b, "each", 512);
    y = image(b, "y", 192);
    build_op(b, BUILTIN_CONV_2D, 3, &test_conv_same,
             INDICES(x, constant(b, "w1", TYPE_INT8, SHAPE(512, 1, 1, 256), 0.01f, &bytes),
                     constant(b, "b1", TYPE_INT32, SHAPE(512), 0.0005f, &bytes)),
             INDICES(wide));
    build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 3, &test_depthwise_same,
             INDICES(wide, constant(b, "w2", TYPE_INT8, SHAPE(1, 3, 3, 512), 0.01f, &bytes),
                     constant(b, "b2", TYPE_INT32, SHAPE(512), 0.0005f, &bytes)),
             INDICES(each));
    build_op(b, BUILTIN_CONV_2D, 3, &test_conv_same,
             INDICES(each, constant(b, "w3", TYPE_INT8, SHAPE(192, 1, 1, 512), 0.01f, &bytes),
                     constant(b, "b3", TYPE_INT32, SHAPE(192), 0.0005f, &bytes)),
             INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
    return bytes;
}

static void weights_are_hardly_larger_than_in_the_file(void **state)
{
    (void)state;
    for (int quant = GPU_QUANT_SIMULATE; quant <= GPU_QUANT_EXACT; quant++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .quant = (enum gpu_quant)quant});
        struct delegate_facts memory;
        struct session *gpu;
        struct builder b;
        size_t of_file = build_bottleneck(&b);
        struct loaded l = load(&b);
        uint64_t of_device = 0;

        gpu = test_start(&l, d);
        assert_int_equal(session_partitioning(gpu)->n_delegated, 3);
        session_facts(gpu, NULL, &memory);
        for (size_t i = 0; i < memory.n; i++)
            if (!strncmp(memory.list[i].name, "memory.weights.", 15))
                of_device += memory.list[i].value;
        assert_in_range(of_device, of_file, of_file * 11 / 10);
        session_free(gpu);
        unload(&l);
        delegate_close(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_of_four_bits_are_two_a_byte),
        cmocka_unit_test(weights_are_hardly_larger_than_in_the_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
