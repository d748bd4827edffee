/* SPDX-License-Identifier: Apache-2.0 */
/* tar_test.c - an archive as scripts/reference/conformance.py writes it, and what must not pass for one. */
#include "bench/opcheck/tar.h"
#include "lib/testing/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 512

/* Two members of 3 and 512 bytes and two blocks of zeros: headers at 0 and 1024. */
enum { SECOND = 2 * BLOCK, END = 4 * BLOCK, BYTES = 6 * BLOCK };

static void sign(uint8_t *header)
{
    unsigned sum = 0;

    memset(header + 148, ' ', 8);
    for (int i = 0; i < BLOCK; i++)
        sum += header[i];
    snprintf((char *)header + 148, 8, "%06o", sum);
    header[155] = ' ';
}

static void member(uint8_t *at, const char *name, unsigned bytes)
{
    snprintf((char *)at, 100, "%s", name);
    snprintf((char *)at + 124, 12, "%011o", bytes);
    at[156] = '0';
    memcpy(at + 257, "ustar\00000", 8); /* NOLINT(bugprone-not-null-terminated-result): a field of eight bytes */
    sign(at);
    memset(at + BLOCK, 'x', bytes);
}

static uint8_t *archive(void)
{
    uint8_t *a = calloc(1, BYTES); /* of the exact size: sanitizers see any byte read past it */

    assert_non_null(a);
    member(a, "golden.txt", 3);
    member(a + SECOND, "f32.4.tflite", BLOCK);
    return a;
}

/* Walks all of it; the name of the last member stays in *last. */
static enum status walk(const uint8_t *a, size_t bytes, struct tar_member *last, struct err *err)
{
    uint8_t *exact = calloc(1, bytes ? bytes : 1);
    struct tar t = tar_open("a.tar", exact, bytes);
    struct tar_member m;
    enum status st;

    assert_non_null(exact);
    memcpy(exact, a, bytes);
    *last = (struct tar_member){.bytes = 0};
    while (!(st = tar_next(&t, &m, err)) && *m.name) {
        assert_true(m.data >= exact && m.bytes <= bytes && m.data + m.bytes <= exact + bytes);
        *last = m;
    }
    assert_true(!*m.name && !m.data && !m.bytes);
    free(exact);
    return st;
}

static void two_members(void **state)
{
    uint8_t *a = archive();
    struct tar t = tar_open("a.tar", a, BYTES);
    struct tar_member m;
    struct err err;

    (void)state;
    TEST_OK(tar_next(&t, &m, &err), err);
    assert_string_equal(m.name, "golden.txt");
    assert_true(m.bytes == 3 && m.data == a + BLOCK);
    TEST_OK(tar_next(&t, &m, &err), err);
    assert_string_equal(m.name, "f32.4.tflite");
    assert_true(m.bytes == BLOCK && m.data == a + SECOND + BLOCK);
    TEST_OK(tar_next(&t, &m, &err), err);
    assert_string_equal(m.name, "");
    TEST_OK(tar_next(&t, &m, &err), err); /* the end stays the end */
    free(a);
}

static void refused(void **state)
{
    static const struct {
        int at;
        const char *bytes, *says;
        bool sign; /* the header again, so that the checksum is right */
    } changes[] = {
        {0, "h", "checksum", false},        {0, "../x", "name", true},
        {0, "a/b", "name", true},           {0, ".hidden", "name", true},
        {124, "0000000000x", "size", true}, {124, "77777777777", "longer than the archive", true},

        {156, "5", "regular file", true},   {156, "L", "regular file", true},
        {257, "gnutar", "ustar", true},     {345, "folder", "regular file", true},
    };
    struct tar_member last;
    struct err err = {{0}};

    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t *a = archive();

        memcpy(a + changes[i].at, changes[i].bytes, strlen(changes[i].bytes));
        if (changes[i].sign)
            sign(a);
        assert_int_equal(walk(a, BYTES, &last, &err), ST_BAD_MODEL);
        if (!strstr(err.msg, changes[i].says))
            fail_msg("change %zu: %s", i, err.msg);
        free(a);
    }
}

static void cut_short(void **state)
{
    uint8_t *a = archive();
    struct tar_member last;
    struct err err;

    (void)state;
    for (size_t bytes = 0; bytes < BYTES; bytes++)
        assert_int_equal(walk(a, bytes, &last, &err), ST_BAD_MODEL);
    assert_int_equal(walk(a, BYTES, &last, &err), ST_OK);
    a[BYTES - 1] = 1;
    assert_int_equal(walk(a, BYTES, &last, &err), ST_BAD_MODEL);
    free(a);
}

static void any_bytes(void **state)
{
    uint64_t seed = 1;
    struct tar_member last;
    struct err err;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint8_t *a = archive();
        size_t header = test_random(&seed) % 2 * SECOND;

        for (uint64_t n = test_random(&seed) % 4; n-- > 0;)
            a[header + test_random(&seed) % BLOCK] = (uint8_t)test_random(&seed);
        if (test_random(&seed) % 2)
            sign(a + header);
        walk(a, test_random(&seed) % (BYTES + 1), &last, &err);
        free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_members),
        cmocka_unit_test(refused),
        cmocka_unit_test(cut_short),
        cmocka_unit_test(any_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
