/* SPDX-License-Identifier: Apache-2.0 */
/* real_values_test.c - real numbers through types and back. */
#include "lib/tensor/real_values.h"
#include "lib/testing/test.h"

#include <math.h>
#include <string.h>

static struct err err;
static size_t cut;
static float scale = 0.5f;
static int64_t zero_point = -1;

static struct tensor tensor_of(enum tensor_type type, void *data, int32_t n, bool quantized)
{
    struct tensor t = {.name = "t", .type = type, .data = data};

    TEST_OK(tensor_set_shape(&t, &n, 1, &err), err);
    if (quantized)
        t.quant = (struct quant){.n = 1, .scale = &scale, .zero_point = &zero_point};
    return t;
}

static void float_to_quantized(void **state)
{
    float from[6] = {0, 0.25f, -0.25f, 63.75f, 64.3f, NAN};
    int8_t to[6];
    struct tensor a = tensor_of(TYPE_FLOAT32, from, 6, false), b = tensor_of(TYPE_INT8, to, 6, true);

    (void)state;
    TEST_OK(real_convert(&a, &b, &cut, &err), err);
    assert_memory_equal(to, ((int8_t[]){-1, 0, -2, 127, 127, -1}), 6); /* halves away from zero; 128.6 and NaN are cut */
    assert_int_equal(cut, 2);
}

static void quantized_to_float(void **state)
{
    int8_t from[3] = {-128, -1, 127};
    uint8_t four[2] = {0x8f, 0x07};
    float to[3];
    uint16_t half[3];
    struct tensor a = tensor_of(TYPE_INT8, from, 3, true), b = tensor_of(TYPE_FLOAT32, to, 3, false),
                  c = tensor_of(TYPE_INT4, four, 3, true), d = tensor_of(TYPE_FLOAT16, half, 3, false);

    (void)state;
    TEST_OK(real_convert(&a, &b, &cut, &err), err);
    assert_true(to[0] == -63.5f && to[1] == 0 && to[2] == 64);
    TEST_OK(real_convert(&c, &b, &cut, &err), err);
    assert_true(to[0] == 0 && to[1] == -3.5f && to[2] == 4);
    TEST_OK(real_convert(&a, &d, &cut, &err), err);
    assert_true(half_to_float(half[0]) == -63.5f);
    memset(four, 0xff, 2);
    TEST_OK(real_convert(&b, &c, &cut, &err), err);
    assert_true(four[0] == 0x8f && (four[1] & 15) == 7);
}

static void same_and_other_kinds(void **state)
{
    int32_t from[2] = {7, -7}, to[2];
    float f[2];
    struct tensor a = tensor_of(TYPE_INT32, from, 2, false), b = tensor_of(TYPE_INT32, to, 2, false),
                  c = tensor_of(TYPE_FLOAT32, f, 2, false), d = tensor_of(TYPE_FLOAT32, f, 1, false);

    (void)state;
    TEST_OK(real_convert(&a, &b, &cut, &err), err);
    assert_memory_equal(from, to, 8);
    assert_int_equal(real_convert(&a, &c, &cut, &err), ST_USAGE);
    assert_string_equal(err.msg, "'t' INT32[2] and 't' FLOAT32[2]: not both are real numbers (floating-point, or quantized)");
    assert_int_equal(real_convert(&a, &d, &cut, &err), ST_USAGE);
    assert_string_equal(err.msg, "'t' is INT32[2], 't' FLOAT32[1]");
    a.quant = (struct quant){.n = 1, .scale = &scale, .zero_point = &zero_point};
    TEST_OK(real_convert(&a, &c, &cut, &err), err);
    assert_true(f[0] == 4 && f[1] == -3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float_to_quantized),
        cmocka_unit_test(quantized_to_float),
        cmocka_unit_test(same_and_other_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
