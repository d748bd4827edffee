/* SPDX-License-Identifier: Apache-2.0 */
/* float_weights_test.c - products of floats with weights of 8 bits, by integers and by floats. */
#include "lib/graph/float_weights.h"
#include "lib/session/session.h"
#include "lib/testing/test.h"
#include "lib/testing/test_delegate.h"

#include <stdlib.h>

/* Products of these are exact in floats; quantized to 8 bits 0.3 is 0.2992 of a largest of 1. */
static const float x[] = {1, 0.3f, -0.6f};

struct one {
    struct builder b;
    struct loaded l;
    struct session *s;
    int32_t x, w, y;
};

/* y[1,2] = x[1,3] times w, 2 rows of few bits with a scale each. */
static void begin(struct one *o, enum tensor_type type, const void *w)
{
    static const float scale[] = {0.5f, 0.25f};
    static const int64_t zero[] = {0, 0};

    builder_init(&o->b, "one");
    o->x = build_tensor(&o->b, "x", TYPE_FLOAT32, SHAPE(1, 3));
    o->w = build_const(&o->b, "w", type, SHAPE(2, 3), w);
    build_at(&o->b, o->w)->quant = (struct quant){.n = 2, .scale = scale, .zero_point = zero, .dim = 0};
    o->y = build_tensor(&o->b, "y", TYPE_FLOAT32, SHAPE(1, 2));
    build_op(&o->b, BUILTIN_FULLY_CONNECTED, 12, &(struct opt_fully_connected){0}, INDICES(o->x, o->w, -1), INDICES(o->y));
    build_inputs(&o->b, INDICES(o->x));
    build_outputs(&o->b, INDICES(o->y));
}

static const float *run(struct one *o, const struct session_options *opt)
{
    struct err err;

    o->s = load_and_prepare(&o->b, opt, &o->l);
    memcpy(session_input(o->s, 0)->data, x, sizeof x);
    TEST_OK(session_run(o->s, &err), err);
    return session_output(o->s, 0)->data;
}

static void end(struct one *o)
{
    session_free(o->s);
    unload(&o->l);
}

static const int8_t bytes[] = {2, -4, 6, 8, 100, -128};

static void expect_floats(const float *y)
{
    assert_float_equal(y[0], 0.5f * (2 * x[0] - 4 * x[1] + 6 * x[2]), 1e-6);
    assert_float_equal(y[1], 0.25f * (8 * x[0] + 100 * x[1] - 128 * x[2]), 1e-5);
}

static void floats_are_multiplied_as_they_are(void **state)
{
    const struct session_options quantize = {.mode = CPU_REFERENCE}, floats = {.mode = CPU_REFERENCE, .float_weights = true};
    const enum tensor_type types[] = {TYPE_INT8, TYPE_UINT8}; /* of these bits both stand for the same */

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct one o;
        const float *y;

        begin(&o, types[i], bytes);
        y = run(&o, &quantize);
        assert_true(y[1] < 0.25f * (8 * x[0] + 100 * x[1] - 128 * x[2]) - 1e-3f || y[1] > 0.25f * (8 + 30 + 76.8f) + 1e-3f);
        end(&o);
        begin(&o, types[i], bytes);
        expect_floats(run(&o, &floats));
        assert_true(session_float_weights(o.s));
        end(&o);
    }
}

static void four_bits(void **state)
{
    const struct session_options floats = {.mode = CPU_REFERENCE, .float_weights = true};
    const uint8_t packed[] = {0xc2, 0x86, 0x87}; /* 2 -4 6 -8 7 -8 */
    struct one o;
    const float *y;

    (void)state;
    begin(&o, TYPE_INT4, packed);
    y = run(&o, &floats);
    assert_float_equal(y[0], 0.5f * (2 * x[0] - 4 * x[1] + 6 * x[2]), 1e-6);
    assert_float_equal(y[1], 0.25f * (-8 * x[0] + 7 * x[1] - 8 * x[2]), 1e-6);
    end(&o);
}

/* Each half of a row has a scale of its own; a zero point would be one of integers that the CPU does not know either. */
static void scales_for_blocks(void **state)
{
    static const uint16_t scales[] = {0x3800, 0x3c00, 0x4000, 0x3400}; /* 0.5, 1, 2, 0.25 */
    static const float wide[] = {1, 0.3f, -0.6f, 0.1f};
    const struct session_options floats = {.mode = CPU_REFERENCE, .float_weights = true};
    const uint8_t packed[] = {0xc2, 0x86, 0x87, 0x31}; /* 2 -4 | 6 -8, 7 -8 | 1 3 */

    (void)state;
    for (int zero_points = 0; zero_points < 2; zero_points++) {
        struct one o;
        struct err err;
        int32_t s;

        builder_init(&o.b, "blocks");
        o.x = build_tensor(&o.b, "x", TYPE_FLOAT32, SHAPE(1, 4));
        o.w = build_const(&o.b, "w", TYPE_INT4, SHAPE(2, 4), packed);
        s = build_const(&o.b, "scales", TYPE_FLOAT16, SHAPE(2, 2), scales);
        build_at(&o.b, o.w)->quant = (struct quant){.block_size = 2, .block_scales = s, .block_zero_points = zero_points ? s : -1};
        o.y = build_tensor(&o.b, "y", TYPE_FLOAT32, SHAPE(1, 2));
        build_op(&o.b, BUILTIN_FULLY_CONNECTED, 13, &(struct opt_fully_connected){0}, INDICES(o.x, o.w, -1), INDICES(o.y));
        build_inputs(&o.b, INDICES(o.x));
        build_outputs(&o.b, INDICES(o.y));
        o.s = load_and_prepare(&o.b, &floats, &o.l);
        assert_true(session_float_weights(o.s) == !zero_points);
        memcpy(session_input(o.s, 0)->data, wide, sizeof wide);
        TEST_OK(session_run(o.s, &err), err);
        if (!zero_points) {
            const float *y = session_output(o.s, 0)->data;

            assert_float_equal(y[0], 0.5f * (2 * wide[0] - 4 * wide[1]) + 6 * wide[2] - 8 * wide[3], 1e-6);
            assert_float_equal(y[1], 2 * (7 * wide[0] - 8 * wide[1]) + 0.25f * (wide[2] + 3 * wide[3]), 1e-5);
        }
        end(&o);
    }
}

/* A session is prepared anew for other shapes: what was made floats is made from the file's bytes again. */
static void again_after_other_shapes(void **state)
{
    const struct session_options floats = {.mode = CPU_REFERENCE, .float_weights = true};
    const float twice[] = {x[0], x[1], x[2], x[0], x[1], x[2]};
    struct one o;
    struct err err;
    const float *y;

    (void)state;
    begin(&o, TYPE_INT8, bytes);
    run(&o, &floats);
    TEST_OK(session_resize_input(o.s, 0, SHAPE(2, 3), &err), err);
    TEST_OK(session_prepare(o.s, &err), err);
    memcpy(session_input(o.s, 0)->data, twice, sizeof twice);
    TEST_OK(session_run(o.s, &err), err);
    y = session_output(o.s, 0)->data;
    expect_floats(y);
    expect_floats(y + 2);
    end(&o);
}

/* What somebody else reads as integers stays so, and so do the nodes that a delegate has. */
static void what_others_read_is_left(void **state)
{
    const int32_t on_delegate[] = {0}, on_cpu[] = {-1};
    struct float_weights f = {0};
    struct loaded l;
    struct graph *g;
    struct one o;
    struct err err;

    (void)state;
    begin(&o, TYPE_INT8, bytes);
    l = load(&o.b);
    TEST_OK(graph_new(l.model, 0, &g, &err), err);
    assert_true(node_is_hybrid(&g->nodes[0]));
    TEST_OK(float_weights_make(&f, g, on_delegate, &err), err);
    assert_int_equal(g->tensors[o.w].type, TYPE_INT8);
    TEST_OK(float_weights_make(&f, g, on_cpu, &err), err);
    assert_int_equal(g->tensors[o.w].type, TYPE_FLOAT32);
    assert_int_equal(g->tensors[o.w].bytes, 24);
    assert_false(node_is_hybrid(&g->nodes[0]));
    float_weights_undo(&f);
    assert_int_equal(g->tensors[o.w].type, TYPE_INT8);
    assert_int_equal(g->tensors[o.w].bytes, 6);
    g->nodes[0].builtin = BUILTIN_DEQUANTIZE;
    assert_false(node_is_hybrid(&g->nodes[0]));
    TEST_OK(float_weights_make(&f, g, NULL, &err), err);
    assert_int_equal(g->tensors[o.w].type, TYPE_INT8);
    float_weights_undo(&f);
    graph_free(g);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_multiplied_as_they_are),
        cmocka_unit_test(four_bits),
        cmocka_unit_test(scales_for_blocks),
        cmocka_unit_test(again_after_other_shapes),
        cmocka_unit_test(what_others_read_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
