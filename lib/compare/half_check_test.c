/* SPDX-License-Identifier: Apache-2.0 */
/* half_check_test.c - each thing that half precision cannot hold, found in the node that has it and in no other. */
#include "lib/compare/half_check.h"
#include "lib/compare/half_terms.h"
#include "lib/testing/test.h"
#include "lib/testing/test_delegate.h"

#include <math.h>
#include <stdlib.h>

/* A model of one input, x [1,3], a session on it that is watched, and what was seen of its one run. */
struct watched {
    struct builder b;
    struct loaded l;
    struct session *s;
    struct half_check check;
    int32_t x;
};

static void begin(struct watched *w)
{
    *w = (struct watched){0};
    builder_init(&w->b, "watched");
    w->x = build_tensor(&w->b, "x", TYPE_FLOAT32, SHAPE(1, 3));
    build_inputs(&w->b, INDICES(w->x));
}

static int32_t value(struct watched *w, const char *name)
{
    return build_tensor(&w->b, name, TYPE_FLOAT32, SHAPE(1, 3));
}

static int32_t constant(struct watched *w, float a, float b, float c)
{
    return build_const(&w->b, "c", TYPE_FLOAT32, SHAPE(1, 3), (float[]){a, b, c});
}

static void run(struct watched *w, int32_t output, const float *x)
{
    const struct session_options opt = {
        .mode = CPU_REFERENCE, .after_node = half_check_node, .after_node_arg = &w->check, .keep_intermediates = true};
    struct err err;

    build_outputs(&w->b, INDICES(output));
    w->s = load_and_prepare(&w->b, &opt, &w->l);
    memcpy(session_input(w->s, 0)->data, x, 3 * sizeof *x);
    TEST_OK(half_check_init(&w->check, w->s, &err), err);
    half_check_inputs(&w->check);
    TEST_OK(session_run(w->s, &err), err);
    TEST_OK(w->check.status, w->check.err);
}

static void end(struct watched *w)
{
    half_check_free(&w->check);
    half_check_free(&w->check);
    session_free(w->s);
    unload(&w->l);
}

static void counts_are_those_of_the_format(void **state)
{
    const float f[] = {0,        -0.0f, 1,        65504,        -65519,   65520,    1e30f,
                       INFINITY, NAN,   0x1p-14f, 0x1.fffp-15f, 0x1p-24f, 0x1p-25f, -1e-12f};
    struct half_counts c = {0};

    (void)state;
    half_count(&c, f, sizeof f / sizeof *f);
    half_count(&c, f, 1);
    assert_int_equal(c.values, 15);
    assert_int_equal(c.beyond, 2);    /* 65520, 1e30 */
    assert_int_equal(c.subnormal, 2); /* 2^-24, and what rounds to 2^-14 but is below it */
    assert_int_equal(c.vanishing, 2); /* 2^-25 is halfway to the least, and goes to the even one */
    assert_int_equal(c.not_finite, 2);
    assert_float_equal(c.max_abs, 1e30f, 0);
}

/* x * 1000 -> big (beyond), big + 1e-12 -> y (a constant that vanishes), y * 1e6 -> z (a constant that does not fit) */
static void ranges(void **state)
{
    struct watched w;
    int32_t big, y, z;

    (void)state;
    begin(&w);
    big = value(&w, "big");
    y = value(&w, "y");
    z = value(&w, "z");
    build_op(&w.b, BUILTIN_MUL, 1, NULL, INDICES(w.x, constant(&w, 1000, 1000, 1000)), INDICES(big));
    build_op(&w.b, BUILTIN_MUL, 1, NULL, INDICES(big, constant(&w, 1e-12f, 1, 0)), INDICES(y));
    build_op(&w.b, BUILTIN_MUL, 1, NULL, INDICES(y, constant(&w, 1e6f, 1e-3f, 1)), INDICES(z));
    run(&w, z, (const float[]){66, 65, 3e-9f});
    assert_int_equal(w.check.n, 3);
    assert_int_equal(w.check.inputs[0].values, 3);
    assert_int_equal(w.check.inputs[0].vanishing, 1);
    assert_int_equal(half_findings(&w.check.rows[0]), HALF_BEYOND | HALF_SMALL); /* 66000; 3e-6 */
    assert_int_equal(w.check.rows[0].out.beyond, 1);
    assert_int_equal(w.check.rows[0].constants.values, 3);
    assert_true(isinf(w.check.rows[0].own_error));
    assert_int_equal(half_findings(&w.check.rows[1]), HALF_CONSTANT_VANISHES | HALF_SMALL);
    assert_int_equal(half_findings(&w.check.rows[2]), HALF_CONSTANT_BEYOND);
    assert_int_equal(w.check.rows[2].constants.beyond, 1);
    end(&w);
}

static void nothing_is_said_of_ordinary_values(void **state)
{
    struct watched w;
    int32_t y;

    (void)state;
    begin(&w);
    y = value(&w, "y");
    build_op(&w.b, BUILTIN_ADD, 1, NULL, INDICES(w.x, constant(&w, 1, 0.25f, 0)), INDICES(y));
    run(&w, y, (const float[]){1, -2, 0});
    assert_int_equal(half_findings(&w.check.rows[0]), 0);
    assert_float_equal(w.check.rows[0].max_sum, 2, 0);
    assert_float_equal(w.check.rows[0].max_terms, 2.25, 0); /* |-2| + |0.25| */
    end(&w);
}

/* A sum of 1 whose terms are a thousand times that: x w, w = (1, 1, 1). The activation would hide it. */
static void terms_that_cancel(void **state)
{
    const struct opt_fully_connected relu = {.activation = ACT_RELU};
    struct watched w;
    int32_t y;

    (void)state;
    begin(&w);
    y = build_tensor(&w.b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_op(&w.b, BUILTIN_FULLY_CONNECTED, 1, &relu, INDICES(w.x, constant(&w, 1, 1, 1), -1), INDICES(y));
    run(&w, y, (const float[]){500, -1, -500});
    assert_float_equal(*(const float *)session_output(w.s, 0)->data, 0, 0);
    assert_float_equal(w.check.rows[0].max_sum, 1, 0);
    assert_float_equal(w.check.rows[0].max_terms, 1001, 0);
    assert_int_equal(half_findings(&w.check.rows[0]), HALF_CANCELLING);
    assert_float_equal(w.check.rows[0].own_error, 0, 0); /* halves hold all of these */
    end(&w);
}

/* 1000.3 - 1000 is 0.3, and 0.5 of what halves hold of the two. */
static void errors_of_a_node_alone(void **state)
{
    struct watched w;
    int32_t y;

    (void)state;
    begin(&w);
    y = value(&w, "y");
    build_op(&w.b, BUILTIN_SUB, 1, NULL, INDICES(w.x, constant(&w, 1000, 0, 0)), INDICES(y));
    run(&w, y, (const float[]){1000.3f, 0.1f, 0});
    assert_float_equal(w.check.rows[0].own_error, 0.2 / 0.3, 1e-3);
    end(&w);
}

static void differences_are_sums(void **state)
{
    struct watched w;
    int32_t y;

    (void)state;
    begin(&w);
    y = value(&w, "y");
    build_op(&w.b, BUILTIN_SUB, 1, NULL, INDICES(w.x, constant(&w, 1000, 1000, -1)), INDICES(y));
    run(&w, y, (const float[]){1001, 1001, 0});
    assert_float_equal(w.check.rows[0].max_terms, 2001, 0);
    assert_int_equal(half_findings(&w.check.rows[0]), HALF_CANCELLING);
    end(&w);
}

static void quantized_values_at_their_limits(void **state)
{
    struct watched w;
    int32_t q, r;

    (void)state;
    begin(&w);
    q = build_tensor(&w.b, "q", TYPE_INT8, SHAPE(1, 3));
    r = build_tensor(&w.b, "r", TYPE_INT8, SHAPE(1, 3));
    build_quant(&w.b, q, 1, 0);
    build_quant(&w.b, r, 1, -128);
    build_op(&w.b, BUILTIN_QUANTIZE, 1, NULL, INDICES(w.x), INDICES(q));
    build_op(&w.b, BUILTIN_QUANTIZE, 1, NULL, INDICES(w.x), INDICES(r));
    build_op(&w.b, BUILTIN_DEQUANTIZE, 1, NULL, INDICES(q), INDICES(value(&w, "y")));
    run(&w, r, (const float[]){-500, 5, -200});
    assert_int_equal(w.check.rows[0].elems, 3);
    assert_int_equal(w.check.rows[0].at_low, 2);
    assert_int_equal(w.check.rows[0].at_high, 0);
    assert_int_equal(half_findings(&w.check.rows[0]), HALF_SATURATED);
    assert_int_equal(w.check.rows[1].at_low, 2); /* -128 stands for 0: what RELU leaves */
    assert_int_equal(half_findings(&w.check.rows[1]), 0);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_format),
        cmocka_unit_test(ranges),
        cmocka_unit_test(nothing_is_said_of_ordinary_values),
        cmocka_unit_test(terms_that_cancel),
        cmocka_unit_test(errors_of_a_node_alone),
        cmocka_unit_test(differences_are_sums),
        cmocka_unit_test(quantized_values_at_their_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
