/* SPDX-License-Identifier: Apache-2.0 */
/* intern_test.c - equal keys get the first one's number, and no others do, up to the last key that fits. */
#include "lib/base/intern.h"

#include "lib/testing/test.h"

#define MOST 3000

/* Keys of 1 to 16 bytes from a small alphabet, so that many are equal and many begin alike. */
static void as_a_search_finds(void **state)
{
    static uint8_t keys[MOST][16];
    static size_t bytes[MOST];
    struct arena arena = {0};
    struct intern t;
    uint64_t seed = 3;

    (void)state;
    assert_true(intern_init(&t, &arena, MOST));
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t first = 0;

        bytes[i] = 1 + test_random(&seed) % 16;
        for (size_t k = 0; k < bytes[i]; k++)
            keys[i][k] = test_random(&seed) % 2;
        while (bytes[first] != bytes[i] || memcmp(keys[first], keys[i], bytes[i]) != 0)
            first++;
        assert_int_equal(intern(&t, keys[i], bytes[i], i), first);
    }
    arena_free(&arena);
}

/* Zeros of every length: nothing but the length tells them apart. */
static void lengths_count(void **state)
{
    static const uint8_t zeros[4000];
    struct arena arena = {0};
    struct intern t;

    (void)state;
    assert_true(intern_init(&t, &arena, sizeof zeros));
    for (uint32_t i = sizeof zeros; i > 0; i--)
        assert_int_equal(intern(&t, zeros, i, i), i);
    arena_free(&arena);
}

static void holds_as_many_as_it_says(void **state)
{
    static uint32_t keys[257];
    const size_t sizes[] = {0, 1, 2, 3, 4, 255, 256, 257};

    (void)state;
    for (uint32_t i = 0; i < 257; i++)
        keys[i] = i;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct arena arena = {0};
        struct intern t;

        assert_true(intern_init(&t, &arena, sizes[s]));
        for (int again = 0; again < 2; again++)
            for (uint32_t i = 0; i < sizes[s]; i++)
                assert_int_equal(intern(&t, &keys[i], sizeof *keys, again ? 999 : 7 * i), 7 * i);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_search_finds),
        cmocka_unit_test(lengths_count),
        cmocka_unit_test(holds_as_many_as_it_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
