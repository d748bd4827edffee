/* SPDX-License-Identifier: Apache-2.0 */
/* diff_test.c - distances, and what is no distance. */
#include "lib/compare/diff.h"
#include "lib/testing/test.h"

#include <math.h>

static struct tensor tensor(enum tensor_type type, void *data, int32_t n)
{
    size_t bytes = type_bytes(type, (size_t)n);

    return (struct tensor){.type = type, .rank = 2, .dim = {1, n}, .data = data, .bytes = bytes, .name = "t"};
}

static void finite_values(void **state)
{
    float a[] = {1, 2, -4, 8}, b[] = {1, 2.5f, -4, 7};
    struct tensor ta = tensor(TYPE_FLOAT32, a, 4), tb = tensor(TYPE_FLOAT32, b, 4);
    struct diff d = {0};
    char at[64];

    (void)state;
    assert_true(diff_add(&d, &ta, &ta, false) == 0);
    assert_true(isinf(diff_snr_db(&d)) && diff_cosine(&d) > 0.999999);
    assert_true(diff_add(&d, &ta, &tb, false) == 0.375);
    assert_int_equal(d.elems, 8);
    assert_int_equal(d.different, 2);
    assert_true(d.max_abs == 1 && d.worst == 3 && d.worst_reference == 8 && d.worst_test == 7 && d.worst_comparison == 1);
    assert_true(diff_relative(&d) == 0.125 && diff_relative_bound(&d) == 0.125);
    assert_string_equal(diff_index_text(&ta, d.worst, at, sizeof at), "[0,3]");
    assert_false(diff_exceeds(&d, -1));
    assert_false(diff_exceeds(&d, 1));
    assert_true(diff_exceeds(&d, 0.99));
}

static void not_finite(void **state)
{
    float a[] = {NAN, INFINITY, 1, 2, INFINITY}, b[] = {NAN, INFINITY, NAN, 2, 3};
    struct tensor ta = tensor(TYPE_FLOAT32, a, 5), tb = tensor(TYPE_FLOAT32, b, 5);
    struct diff d = {0};

    (void)state;
    assert_true(isnan(diff_add(&d, &ta, &tb, false)));
    assert_int_equal(d.elems, 1);
    assert_int_equal(d.nan_reference, 1);
    assert_int_equal(d.nan_test, 2);
    assert_int_equal(d.inf_reference, 2);
    assert_int_equal(d.inf_test, 1);
    assert_int_equal(d.broken, 1);
    assert_int_equal(d.unequal, 2);
    assert_true(diff_exceeds(&d, -1));
    assert_true(isnan(diff_mean_abs(&d)) && isnan(diff_max_abs(&d)) && isnan(diff_rms(&d)));
    assert_true(isnan(diff_relative(&d)) && isinf(diff_relative_bound(&d)) && isnan(diff_cosine(&d)) && isnan(diff_snr_db(&d)));
    assert_true(diff_add(&d, &tb, &tb, false) == 0); /* of this comparison */
}

/* A reference that is not finite is no licence for the test side. */
static void not_finite_reference(void **state)
{
    float a[] = {NAN, INFINITY}, b[] = {1, -INFINITY};
    struct tensor ta = tensor(TYPE_FLOAT32, a, 2), tb = tensor(TYPE_FLOAT32, b, 2);
    struct diff d = {0}, same = {0};

    (void)state;
    assert_true(isnan(diff_add(&d, &ta, &tb, false)));
    assert_true(d.unequal == 2 && d.broken == 0 && diff_exceeds(&d, -1));
    assert_true(isnan(diff_add(&same, &ta, &ta, false)));
    assert_true(same.unequal == 0 && !diff_exceeds(&same, 0) && isinf(diff_relative_bound(&d)) && diff_relative_bound(&same) == 0);
}

static void integers(void **state)
{
    int64_t a[] = {INT64_MIN, 5}, b[] = {INT64_MAX, 4};
    uint8_t nibbles_a[] = {0x8f}, nibbles_b[] = {0x7f};
    struct tensor ta = tensor(TYPE_INT64, a, 2), tb = tensor(TYPE_INT64, b, 2);
    struct diff d = {0};

    (void)state;
    diff_add(&d, &ta, &tb, false);
    assert_true(d.max_abs == 0x1p64 && d.worst == 0);
    ta = tensor(TYPE_INT4, nibbles_a, 2);
    tb = tensor(TYPE_INT4, nibbles_b, 2);
    d = (struct diff){0};
    diff_add(&d, &ta, &tb, false);
    assert_true(d.max_abs == 15 && d.worst == 1 && d.worst_reference == -8 && d.worst_test == 7);
}

static void quantized(void **state)
{
    static const float scale[] = {0.5f, 0.25f};
    static const int64_t zero[] = {1, -3};
    int8_t a[] = {10, 20}, b[] = {12, 28};
    struct tensor ta = tensor(TYPE_INT8, a, 2), tb = tensor(TYPE_INT8, b, 2);
    struct diff raw = {0}, real = {0};

    (void)state;
    ta.quant = tb.quant = (struct quant){.n = 2, .dim = 1, .scale = scale, .zero_point = zero};
    diff_add(&raw, &ta, &tb, false);
    diff_add(&real, &ta, &tb, true);
    assert_true(raw.max_abs == 8);
    assert_true(real.max_abs == 2 && real.worst_reference == 5.75 && real.worst_test == 7.75);
}

static void shapes(void **state)
{
    float a[4] = {0};
    struct tensor ta = tensor(TYPE_FLOAT32, a, 4), tb = tensor(TYPE_FLOAT32, a, 3);
    struct diff d = {0};

    (void)state;
    assert_true(isnan(diff_add(&d, &ta, &tb, false)));
    assert_int_equal(d.shapes_differ, 1);
    assert_true(diff_exceeds(&d, -1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_values), cmocka_unit_test(not_finite), cmocka_unit_test(not_finite_reference),
        cmocka_unit_test(integers),      cmocka_unit_test(quantized),  cmocka_unit_test(shapes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
