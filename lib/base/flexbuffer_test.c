/* SPDX-License-Identifier: Apache-2.0 */
/* flexbuffer_test.c - numbers and strings out of maps; damaged maps give errors or fallbacks, never more. */
#include "lib/base/flexbuffer.h"
#include "lib/testing/test.h"

#include <stdlib.h>

/* {"count": -7, "half": 0.5, "ids": [3, -1, 40000], "yes": true} as FlexBuffers' own library writes it. */
static const uint8_t options[] = {99, 111, 117, 110, 116, 0, 104, 97, 108, 102, 0,   121, 101, 115, 0,  105, 100, 115, 0,   0,
                                  3,  0,   0,   0,   3,   0, 0,   0,  255, 255, 255, 255, 64,  156, 0,  0,   4,   37,  32,  24,
                                  29, 0,   0,   0,   7,   0, 0,   0,  1,   0,   0,   0,   4,   0,   0,  0,   249, 255, 255, 255,
                                  0,  0,   0,   63,  40,  0, 0,   0,  1,   0,   0,   0,   6,   14,  46, 106, 20,  38,  1};

static void numbers(void **state)
{
    struct flex_map m;
    struct flex_ints ids;
    struct err err;

    (void)state;
    TEST_OK(flex_open(options, sizeof options, &m, &err), err);
    assert_int_equal(flex_int(&m, "count", 1), -7);
    assert_true(flex_number(&m, "half", 0) == 0.5);
    assert_true(flex_number(&m, "yes", 0) == 1);
    assert_true(flex_number(&m, "ye", 3) == 3);
    assert_int_equal(flex_int(&m, "ids", 5), 5);
    ids = flex_vector(&m, "ids");
    assert_int_equal(ids.n, 3);
    assert_int_equal(flex_vector_int(&ids, 1), -1);
    assert_int_equal(flex_vector_int(&ids, 2), 40000);
    assert_int_equal(flex_vector(&m, "half").n, 0);
}

/* {"mode": "SAME", "n": 3} */
static const uint8_t named[] = {109, 111, 100, 101, 0, 4, 83, 65, 77, 69, 0, 110, 0, 2, 14, 4, 2, 1, 2, 13, 3, 20, 4, 4, 36, 1};

static void strings(void **state)
{
    struct flex_map m;
    struct err err;

    (void)state;
    TEST_OK(flex_open(named, sizeof named, &m, &err), err);
    assert_true(flex_string_is(&m, "mode", "SAME"));
    assert_false(flex_string_is(&m, "mode", "SAM"));
    assert_false(flex_string_is(&m, "mode", "VALID"));
    assert_false(flex_string_is(&m, "n", "3"));
    assert_false(flex_string_is(&m, "m", "SAME"));
}

static void refusals(void **state)
{
    struct flex_map m;
    struct err err;

    (void)state;
    assert_int_equal(flex_open(options, 2, &m, &err), ST_BAD_MODEL);
    assert_int_equal(flex_open("\1\4\1", 3, &m, &err), ST_BAD_MODEL); /* a number */
}

/* Reads all there is from a copy that sanitizers guard. */
static void read_all(const uint8_t *data, size_t bytes)
{
    uint8_t *copy = malloc(bytes);
    struct flex_map m;
    struct flex_ints ids;
    struct err err;

    assert_non_null(copy);
    memcpy(copy, data, bytes);
    if (!flex_open(copy, bytes, &m, &err)) {
        flex_int(&m, "count", 0);
        flex_number(&m, "half", 0);
        flex_number(&m, "yes", 0);
        flex_string_is(&m, "mode", "SAME");
        ids = flex_vector(&m, "ids");
        for (size_t i = 0; i < ids.n; i++)
            flex_vector_int(&ids, i);
    }
    free(copy);
}

static void damage_one(const uint8_t *data, size_t size)
{
    uint8_t copy[sizeof options];
    uint64_t random = 1;

    for (size_t bytes = 1; bytes < size; bytes++)
        read_all(data + size - bytes, bytes);
    for (int i = 0; i < 20000; i++) {
        memcpy(copy, data, size);
        for (int k = 0; k <= i % 3; k++)
            copy[test_random(&random) % size] = (uint8_t)test_random(&random);
        read_all(copy, size);
    }
}

static void damage(void **state)
{
    (void)state;
    damage_one(options, sizeof options);
    damage_one(named, sizeof named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(strings), cmocka_unit_test(refusals),
                                       cmocka_unit_test(damage)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
