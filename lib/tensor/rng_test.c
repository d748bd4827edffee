/* SPDX-License-Identifier: Apache-2.0 */
/* rng_test.c - the same bytes everywhere, within the bounds. */
#include "lib/tensor/rng.h"
#include "lib/testing/test.h"

#include <math.h>

static void known_numbers(void **state)
{
    struct rng r = {0};

    (void)state;
    /* splitmix64 from state 0, as its authors publish it. */
    assert_true(rng_next(&r) == 0xe220a8397b1dcdafu);
    assert_true(rng_next(&r) == 0x6e789e6aa1b965f4u);
    r = rng_seed(1, 0);
    assert_true(rng_seed(1, 1).state != r.state && rng_seed(2, 0).state != r.state);
}

static void distributions(void **state)
{
    struct rng r = rng_seed(3, 0);
    double sum = 0, squares = 0, lo = 1, hi = 0;
    uint32_t hits[7] = {0};

    (void)state;
    for (int i = 0; i < 20000; i++) {
        double v = rng_gauss(&r);

        assert_true(v >= 0 && v < 1);
        sum += v;
        squares += v * v;
        lo = fmin(lo, v);
        hi = fmax(hi, v);
        hits[rng_below(&r, 7)]++;
    }
    assert_true(fabs(sum / 20000 - 0.5) < 0.01);
    /* A Gaussian of deviation 1/3 cut at 1.5 deviations keeps 0.742 of it. */
    assert_true(fabs(sqrt(squares / 20000 - 0.25) - 0.742 / 3) < 0.01);
    assert_true(lo < 0.01 && hi > 0.99);
    for (int i = 0; i < 7; i++)
        assert_true(hits[i] > 2600 && hits[i] < 3120);
}

static void fills(void **state)
{
    static const enum tensor_type ints[] = {TYPE_INT4,   TYPE_INT8,  TYPE_UINT8, TYPE_INT16,
                                            TYPE_UINT16, TYPE_INT32, TYPE_INT64, TYPE_BOOL};
    uint64_t data[512];
    struct err err;

    (void)state;
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        struct tensor t = {.type = ints[k], .rank = 1, .dim = {401}, .data = data, .name = "t"};
        struct rng r = rng_seed(5, k);
        struct rng_range range;
        bool varied = false;

        t.bytes = type_bytes(t.type, 401);
        for (enum rng_shape shape = RNG_UNIFORM; shape <= RNG_GAUSS; shape++) {
            assert_true(rng_default_range(t.type, shape, &range));
            memset(data, 0, sizeof data);
            assert_int_equal(rng_fill(&r, &t, shape, &range, &err), ST_OK);
            for (size_t i = 0; i < 400 && type_bits(t.type) >= 8; i++) {
                int64_t v = t.type == TYPE_UINT16 ? ((uint16_t *)data)[i]
                            : t.type == TYPE_BOOL ? ((uint8_t *)data)[i]
                                                  : tensor_int(&t, i);

                assert_true(v >= range.int_lo && v <= range.int_hi);
                varied |= v != range.int_lo;
            }
            assert_true(varied || type_bits(t.type) < 8);
            assert_int_equal(((uint8_t *)data)[t.bytes], 0);
        }
    }
}

static void floats_and_others(void **state)
{
    float data[64];
    struct tensor t = {.type = TYPE_FLOAT32, .rank = 1, .dim = {64}, .data = data, .bytes = sizeof data, .name = "t"};
    struct rng r = rng_seed(1, 0), again = rng_seed(1, 0);
    struct rng_range range;
    struct err err;
    float first[64];

    (void)state;
    assert_true(rng_default_range(t.type, RNG_UNIFORM, &range));
    assert_int_equal(rng_fill(&r, &t, RNG_UNIFORM, &range, &err), ST_OK);
    memcpy(first, data, sizeof data);
    for (int i = 0; i < 64; i++)
        assert_true(data[i] >= -0.5f && data[i] <= 0.5f);
    assert_int_equal(rng_fill(&again, &t, RNG_UNIFORM, &range, &err), ST_OK);
    assert_memory_equal(first, data, sizeof data);
    range = (struct rng_range){-1e308, 1e308, 0, 0};
    t.type = TYPE_FLOAT64;
    t.dim[0] = 32;
    assert_int_equal(rng_fill(&r, &t, RNG_UNIFORM, &range, &err), ST_OK);
    for (int i = 0; i < 32; i++)
        assert_true(isfinite(((double *)(void *)data)[i]));
    t.type = TYPE_STRING;
    assert_false(rng_default_range(t.type, RNG_UNIFORM, &range));
    assert_int_equal(rng_fill(&r, &t, RNG_UNIFORM, &range, &err), ST_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(distributions),
        cmocka_unit_test(fills),
        cmocka_unit_test(floats_and_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
