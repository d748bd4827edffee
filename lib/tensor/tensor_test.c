/* SPDX-License-Identifier: Apache-2.0 */
/* tensor_test.c - shapes, sizes, half floats. */
#include "lib/tensor/tensor.h"
#include "lib/testing/test.h"

#include <math.h>

static void shapes_are_bounded(void **state)
{
    struct tensor t = {.type = TYPE_FLOAT32};
    struct err err;

    (void)state;
    assert_int_equal(tensor_set_shape(&t, (int32_t[]){2, 3, 5}, 3, &err), ST_OK);
    assert_int_equal(t.bytes, 120);
    assert_int_equal(tensor_set_shape(&t, (int32_t[]){INT32_MAX, INT32_MAX, INT32_MAX}, 3, &err), ST_NOMEM);
    assert_int_equal(t.bytes, 120);
    assert_int_equal(tensor_set_shape(&t, (int32_t[]){4, -1}, 2, &err), ST_BAD_MODEL);
    assert_string_equal(err.msg, "shape [4,-1] has a negative dimension");
    assert_int_equal(tensor_set_shape(&t, (int32_t[]){INT32_MAX, 0, INT32_MAX}, 3, &err), ST_OK);
    assert_int_equal(t.bytes, 0);
    t.type = TYPE_INT4;
    assert_int_equal(tensor_set_shape(&t, (int32_t[]){5}, 1, &err), ST_OK);
    assert_int_equal(t.bytes, 3);
}

static void small_integers_share_bytes(void **state)
{
    uint8_t bytes[] = {0xf1, 0x28};
    struct tensor t = {.type = TYPE_INT4, .data = bytes};
    static const int64_t four[] = {1, -1, -8, 2}, two[] = {1, 0, -1, -1, 0, -2, -2, 0};

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(tensor_int(&t, i), four[i]);
    t.type = TYPE_UINT4;
    assert_int_equal(tensor_int(&t, 1), 15);
    t.type = TYPE_INT2;
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(tensor_int(&t, i), two[i]);
}

static void halves_round_trip(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        float f = half_to_float((uint16_t)h);

        if (isnan(f))
            assert_true(isnan(half_to_float(half_from_float(f))));
        else
            assert_int_equal(half_from_float(f), h);
    }
    assert_int_equal(half_from_float(65504.0f), 0x7bff);
    assert_int_equal(half_from_float(65519.9f), 0x7bff);
    assert_int_equal(half_from_float(65520.0f), 0x7c00);
    assert_int_equal(half_from_float(1.0f + 0x1p-11f), 0x3c00); /* half way: to even */
    assert_int_equal(half_from_float(1.0f + 3 * 0x1p-11f), 0x3c02);
    assert_int_equal(half_from_float(0x1p-25f), 0);
    assert_int_equal(half_from_float(0x1.8p-25f), 1);
}

static void texts(void **state)
{
    struct tensor t = {.type = TYPE_INT8, .rank = 2, .dim = {1, 7}};
    char small[8];

    (void)state;
    assert_string_equal(TENSOR_TEXT(&t), "INT8[1,7]");
    shape_text((int32_t[]){1000, 1000, 1000}, 3, small, sizeof small);
    assert_true(strlen(small) < sizeof small);
}

static void bools_are_zero_or_one(void **state)
{
    uint8_t v[] = {0, 1, 2};
    struct tensor t = {.type = TYPE_BOOL, .rank = 1, .dim = {3}, .bytes = 3, .data = v};
    struct err err;

    (void)state;
    assert_int_equal(tensor_check_bools(&t, &err), ST_BAD_MODEL);
    assert_string_equal(err.msg, "element 2 of BOOL[3] is 2, neither 0 nor 1");
    t.bytes = 2;
    assert_int_equal(tensor_check_bools(&t, &err), ST_OK);
    t.bytes = 3;
    t.type = TYPE_UINT8;
    assert_int_equal(tensor_check_bools(&t, &err), ST_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_bounded),    cmocka_unit_test(small_integers_share_bytes),
        cmocka_unit_test(halves_round_trip),     cmocka_unit_test(texts),
        cmocka_unit_test(bools_are_zero_or_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
