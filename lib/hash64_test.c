/* SPDX-License-Identifier: Apache-2.0 */
/* hash64_test.c - each bit counts, wherever it is, and so does each byte of zeros at the end. */
#include "hash64.h"

#include <stdlib.h>

#include "test.h"

#define BYTES 130

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void all_differ(uint64_t *h, size_t n)
{
    qsort(h, n, sizeof *h, by_value);
    for (size_t i = 1; i < n; i++)
        assert_true(h[i - 1] != h[i]);
}

static void each_bit_counts(void **state)
{
    static uint64_t h[8 * BYTES + 1];
    uint8_t data[BYTES];
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < BYTES; i++)
        data[i] = (uint8_t)test_random(&seed);
    for (int i = 0; i < 8 * BYTES; i++) {
        data[i / 8] ^= (uint8_t)(1 << i % 8);
        h[i] = hash64(data, BYTES);
        data[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    h[8 * BYTES] = hash64(data, BYTES);
    all_differ(h, 8 * BYTES + 1);
}

static void each_length_counts(void **state)
{
    static const uint8_t zeros[BYTES];
    uint64_t h[BYTES + 1];

    (void)state;
    for (size_t n = 0; n <= BYTES; n++)
        h[n] = hash64(zeros, n);
    all_differ(h, BYTES + 1);
    assert_true(hash64(NULL, 0) == hash64(zeros, 0));
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
        cmocka_unit_test(the_function_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
