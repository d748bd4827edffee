/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid_test.c - how floats become 8 bits; the numbers are TensorFlow Lite's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernels_cpu/quant/hybrid.h"

static const enum cpu_mode modes[] = {CPU_REFERENCE, CPU_FAST};

#define BELOW_HALF 0x1.fffffep-2f

/* The product rounds before the zero point is added: -128 + 60.5 is -67 here, not -68. */
static void asymmetric_rounds_before_the_zero_point(enum cpu_mode mode)
{
    const float x[] = {0, 2.7435265f, 0.65091515f, 0, 0, 0, 0, 0, 0.65091515f};
    int16_t q[9];
    int32_t zero;
    float scale = hybrid_quantize(mode, x, 9, true, q, &zero);

    assert_int_equal(zero, -128);
    assert_true(scale == 2.7435265f / 255);
    assert_int_equal(q[1] + zero, 127);
    assert_int_equal(q[2] + zero, -67);
    assert_int_equal(q[8] + zero, -67);
}

/* Eight at a time, the float below one half becomes 1; alone, 0. */
static void eights_round_otherwise_than_the_rest(enum cpu_mode mode)
{
    float x[17] = {127};
    int16_t q[17];

    for (size_t i = 1; i < 17; i++)
        x[i] = i % 2 ? BELOW_HALF : -BELOW_HALF;
    for (size_t n = 1; n <= 17; n++) {
        assert_true(hybrid_quantize(mode, x, n, false, q, NULL) == 1);
        assert_int_equal(q[0], 127);
        for (size_t i = 1; i < n; i++)
            assert_int_equal(q[i], i >= n / 8 * 8 ? 0 : i % 2 ? 1 : -1);
    }
}

static void nothing_but_zeros(enum cpu_mode mode)
{
    const float x[9] = {0};
    int16_t q[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
    int32_t zero = 7;

    assert_true(hybrid_quantize(mode, x, 9, true, q, &zero) == 1);
    assert_int_equal(zero, 0);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(q[i], 0);
}

/* The largest value may lie anywhere. */
static void range_of_any_length(enum cpu_mode mode)
{
    float x[67] = {0};
    int16_t q[67];

    for (size_t n = 1; n <= 67; n++)
        for (size_t at = 0; at < n; at++) {
            int32_t zero;

            x[at] = -127;
            assert_true(hybrid_quantize(mode, x, n, false, q, NULL) == 1);
            assert_int_equal(q[at], -127);
            assert_true(hybrid_quantize(mode, x, n, true, q, &zero) == 127.0f / 255);
            assert_int_equal(zero, 127);
            assert_int_equal(q[at] + zero, -128);
            x[at] = 0;
        }
}

static void in_each_mode(void (*check)(enum cpu_mode))
{
    for (size_t i = 0; i < 2; i++)
        check(modes[i]);
}

static void test_asymmetric(void **state)
{
    (void)state;
    in_each_mode(asymmetric_rounds_before_the_zero_point);
}

static void test_eights(void **state)
{
    (void)state;
    in_each_mode(eights_round_otherwise_than_the_rest);
}

static void test_zeros(void **state)
{
    (void)state;
    in_each_mode(nothing_but_zeros);
}

static void test_range(void **state)
{
    (void)state;
    in_each_mode(range_of_any_length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asymmetric),
        cmocka_unit_test(test_eights),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
