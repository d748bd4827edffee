/* SPDX-License-Identifier: Apache-2.0 */
/* hash64_test.c - each bit counts, wherever it is, and so does each byte of zeros at the end. */
#include "lib/base/hash64.h"

#include <stdlib.h>

#include "lib/testing/test.h"

#define BYTES 130

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The second half of hash128, whose first is hash64. */
static uint64_t second(const void *data, size_t bytes)
{
    uint64_t h[2];

    hash128(data, bytes, h);
    assert_true(h[0] == hash64(data, bytes));
    assert_true(h[1] != h[0]);
    return h[1];
}

static void all_differ(uint64_t *h, size_t n)
{
    qsort(h, n, sizeof *h, by_value);
    for (size_t i = 1; i < n; i++)
        assert_true(h[i - 1] != h[i]);
}

static void each_bit_counts_in(uint64_t (*hash)(const void *data, size_t bytes))
{
    static uint64_t h[8 * BYTES + 1];
    uint8_t data[BYTES];
    uint64_t seed = 1;

    for (int i = 0; i < BYTES; i++)
        data[i] = (uint8_t)test_random(&seed);
    for (int i = 0; i < 8 * BYTES; i++) {
        data[i / 8] ^= (uint8_t)(1 << i % 8);
        h[i] = hash(data, BYTES);
        data[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    h[8 * BYTES] = hash(data, BYTES);
    all_differ(h, 8 * BYTES + 1);
}

static void each_bit_counts(void **state)
{
    (void)state;
    each_bit_counts_in(hash64);
    each_bit_counts_in(second);
}

static void each_length_counts_in(uint64_t (*hash)(const void *data, size_t bytes))
{
    static const uint8_t zeros[BYTES];
    uint64_t h[BYTES + 1];

    for (size_t n = 0; n <= BYTES; n++)
        h[n] = hash(zeros, n);
    all_differ(h, BYTES + 1);
    assert_true(hash(NULL, 0) == hash(zeros, 0));
}

static void each_length_counts(void **state)
{
    (void)state;
    each_length_counts_in(hash64);
    each_length_counts_in(second);
}

/* Changes that cancel in one function do not in the other: these keep lane 0 of the first. */
static void the_two_are_not_the_same(void **state)
{
    const uint64_t a = 0x9e3779b97f4a7c15u, b = 0xd6e8feb86659fd93u;
    uint64_t x[8] = {5, 0, 0, 0, 9}, y[8] = {6, 0, 0, 0, 9}, lane_x = 1 + x[0] * b, lane_y = 1 + y[0] * b, inverse = b;

    (void)state;
    lane_x = (lane_x << 31 | lane_x >> 33) * a;
    lane_y = (lane_y << 31 | lane_y >> 33) * a;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - b * inverse; /* doubles the bits in which b * inverse is 1 */
    y[4] = x[4] + (lane_x - lane_y) * inverse;
    assert_true(hash64(x, sizeof x) == hash64(y, sizeof y));
    assert_true(second(x, sizeof x) != second(y, sizeof y));
}

/* Stored files hold it: another function is another format. */
static void the_function_stays(void **state)
{
    (void)state;
    assert_true(hash64("", 0) == 0xd0bc3f9547f1841eu);
    assert_true(hash64("The quick brown fox jumps over the lazy dog", 43) == 0xdd827af12cc14f96u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_counts),
        cmocka_unit_test(each_length_counts),
        cmocka_unit_test(the_two_are_not_the_same),
        cmocka_unit_test(the_function_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
