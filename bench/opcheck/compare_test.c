/* SPDX-License-Identifier: Apache-2.0 */
/* compare_test.c - what counts as the same output. */
#include "lib/testing/test.h"

#include <math.h>

#include "bench/opcheck/compare.h"

static struct case_output floats(float *v, int32_t n)
{
    return (struct case_output){TYPE_FLOAT32, 1, {n}, v, (size_t)n * sizeof *v};
}

static struct case_output bytes(int8_t *v, int32_t n)
{
    return (struct case_output){TYPE_INT8, 1, {n}, v, (size_t)n};
}

static bool same(struct case_output got, struct case_output want, struct tolerance tol)
{
    char text[256];

    return compare_output(&got, &want, tol, text, sizeof text);
}

static void a_tolerance_is_a_part_of_the_largest(void **state)
{
    float want[] = {100, 1, -50}, near[] = {100, 1.9f, -50}, far[] = {100, 2.1f, -50};

    (void)state;
    assert_true(same(floats(near, 3), floats(want, 3), (struct tolerance){.tol = .01}));
    assert_false(same(floats(far, 3), floats(want, 3), (struct tolerance){.tol = .01}));
}

static void small_outputs_have_no_floor(void **state)
{
    float want[] = {1e-6f, -3e-6f, 2e-6f}, zeros[3] = {0}, near[] = {1.01e-6f, -3e-6f, 2e-6f};

    (void)state;
    assert_false(same(floats(zeros, 3), floats(want, 3), (struct tolerance){.tol = 1e-4}));
    assert_true(same(floats(near, 3), floats(want, 3), (struct tolerance){.tol = 1e-2}));
}

/* ... but the one that the case states. */
static void what_is_left_of_terms_that_cancel_has_a_floor(void **state)
{
    float want[] = {1e-6f, -2e-6f, 3e-6f}, near[] = {1e-6f, -2e-6f, 3.5e-6f}, far[] = {1e-6f, -2e-6f, 1e-5f};

    (void)state;
    assert_false(same(floats(near, 3), floats(want, 3), (struct tolerance){.tol = 1e-4}));
    assert_true(same(floats(near, 3), floats(want, 3), (struct tolerance){.tol = 1e-4, .typical = 1e-2}));
    assert_false(same(floats(far, 3), floats(want, 3), (struct tolerance){.tol = 1e-4, .typical = 1e-2}));
    assert_false(
        same(floats(want, 3), floats(want, 3), (struct tolerance){.tol = 1e-4, .typical = 1})); /* zeros would do as well */
    assert_true(same(floats(want, 3), floats(want, 3), (struct tolerance){.tol = 1e-4, .typical = 1, .any_content = true}));
}

static void sixteen_bit_floats_are_a_step_apart(void **state)
{
    uint16_t want[] = {half_from_float(1.0f), half_from_float(65504)},
             next[] = {half_from_float(1.0009765625f), half_from_float(65536)}, far[] = {half_from_float(1.002f), want[1]};
    const struct case_output w = {TYPE_FLOAT16, 1, {2}, want, sizeof want}, n = {TYPE_FLOAT16, 1, {2}, next, sizeof next},
                             f = {TYPE_FLOAT16, 1, {2}, far, sizeof far};
    const struct tolerance tol = {.tol = 1e-9, .rounded = true, .infinite_from = 1e38};

    (void)state;
    assert_true(same(n, w, tol));
    assert_false(same(f, w, tol));
    assert_false(same(n, w, (struct tolerance){.tol = 1e-9}));
    assert_false(same(n, w, (struct tolerance){.rounded = true}));
}

static void zeros_are_only_like_zeros(void **state)
{
    float want[3] = {0}, got[] = {0, 1e-30f, 0}, minus[] = {0, -0.0f, 0};

    (void)state;
    assert_false(same(floats(got, 3), floats(want, 3), (struct tolerance){.tol = 1e-2}));
    assert_true(same(floats(minus, 3), floats(want, 3), (struct tolerance){.tol = 1e-2}));
}

static void huge_values_do_not_cover_small_ones(void **state)
{
    float want[] = {1e30f, 1, 2, 3, 4}, got[] = {1e30f, 1, 2, 3, 5}, beside[] = {1.000001e30f, 1, 2, 3, 4};

    (void)state;
    assert_true(same(floats(got, 5), floats(want, 5), (struct tolerance){.tol = 1e-5}));
    assert_false(same(floats(got, 5), floats(want, 5), (struct tolerance){.tol = 1e-5, .per_element = true}));
    assert_true(same(floats(beside, 5), floats(want, 5), (struct tolerance){.tol = 1e-5, .per_element = true}));
}

static void nan_is_only_like_nan(void **state)
{
    float want[] = {1, NAN, 3}, got[] = {1, 2, 3}, other[] = {NAN, NAN, 3};

    (void)state;
    assert_true(same(floats(want, 3), floats(want, 3), (struct tolerance){.tol = 1e-5}));
    assert_false(same(floats(got, 3), floats(want, 3), (struct tolerance){.tol = .5}));
    assert_false(same(floats(want, 3), floats(got, 3), (struct tolerance){.tol = .5}));
    assert_false(same(floats(other, 3), floats(want, 3), (struct tolerance){.tol = .5}));
}

static void infinities_have_a_sign(void **state)
{
    float want[] = {INFINITY, 1, 2}, got[] = {-INFINITY, 1, 2}, large[] = {3e38f, 1, 2};

    (void)state;
    assert_true(same(floats(want, 3), floats(want, 3), (struct tolerance){.tol = 1e-5}));
    assert_false(same(floats(got, 3), floats(want, 3), (struct tolerance){.tol = 1e-5}));
    assert_false(same(floats(large, 3), floats(want, 3), (struct tolerance){.tol = 1e-5}));
}

/* 1 is within 100 % of everything here. */
static void a_tolerance_that_anything_meets_fails(void **state)
{
    float want[] = {.5f, -1, .25f}, flat[] = {.99f, 1, 1.01f};
    int8_t small[] = {0, 1, 2, 1};

    (void)state;
    assert_false(same(floats(want, 3), floats(want, 3), (struct tolerance){.tol = 1}));
    assert_false(same(floats(flat, 3), floats(flat, 3), (struct tolerance){.tol = .02}));
    assert_true(same(floats(flat, 3), floats(flat, 3), (struct tolerance){.tol = .001}));
    assert_false(same(bytes(small, 4), bytes(small, 4), (struct tolerance){.steps = 1}));
    assert_true(same(bytes(small, 4), bytes(small, 4), (struct tolerance){0}));
}

static void quantized_values_may_be_steps_off(void **state)
{
    int8_t want[] = {-128, 0, 127}, near[] = {-127, 1, 126}, far[] = {-126, 0, 127};

    (void)state;
    assert_true(same(bytes(near, 3), bytes(want, 3), (struct tolerance){.steps = 1}));
    assert_false(same(bytes(far, 3), bytes(want, 3), (struct tolerance){.steps = 1}));
    assert_false(same(bytes(near, 3), bytes(want, 3), (struct tolerance){.tol = 1}));
}

static void integers_of_32_bits_are_exact(void **state)
{
    int32_t want[] = {5, 7}, got[] = {5, 8};
    struct case_output w = {TYPE_INT32, 1, {2}, want, sizeof want}, g = {TYPE_INT32, 1, {2}, got, sizeof got};

    (void)state;
    assert_true(same(w, w, (struct tolerance){.steps = 1}));
    assert_false(same(g, w, (struct tolerance){.steps = 1}));
}

static void types_and_shapes_count(void **state)
{
    float v[] = {1, 2, 3, 4};
    struct case_output line = {TYPE_FLOAT32, 1, {4}, v, sizeof v}, square = {TYPE_FLOAT32, 2, {2, 2}, v, sizeof v};
    struct case_output ints = {TYPE_INT32, 1, {4}, v, sizeof v};
    char text[256];

    (void)state;
    assert_false(same(line, square, (struct tolerance){.tol = .1}));
    assert_false(same(line, ints, (struct tolerance){.tol = .1}));
    v[3] = 9;
    line.data = (float[]){1, 2, 3, 4};
    assert_false(compare_output(&square, &(struct case_output){TYPE_FLOAT32, 2, {2, 2}, line.data, sizeof v},
                                (struct tolerance){.tol = .1}, text, sizeof text));
    assert_non_null(strstr(text, "at [1,1] is 9, expected 4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tolerance_is_a_part_of_the_largest),
        cmocka_unit_test(small_outputs_have_no_floor),
        cmocka_unit_test(what_is_left_of_terms_that_cancel_has_a_floor),
        cmocka_unit_test(sixteen_bit_floats_are_a_step_apart),
        cmocka_unit_test(zeros_are_only_like_zeros),
        cmocka_unit_test(huge_values_do_not_cover_small_ones),
        cmocka_unit_test(nan_is_only_like_nan),
        cmocka_unit_test(infinities_have_a_sign),
        cmocka_unit_test(a_tolerance_that_anything_meets_fails),
        cmocka_unit_test(quantized_values_may_be_steps_off),
        cmocka_unit_test(integers_of_32_bits_are_exact),
        cmocka_unit_test(types_and_shapes_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
