/* SPDX-License-Identifier: Apache-2.0 */
/* labels_test.c - lines of a file, and a ZIP behind other bytes, whole and cut short. */
#include "cmd/tool/labels.h"
#include "lib/testing/test.h"
#include "lib/testing/test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct labels l;
static struct err err;

static size_t put(uint8_t *to, size_t at, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[at + (size_t)i] = (uint8_t)(v >> 8 * i);
    return at + (size_t)bytes;
}

static size_t put_text(uint8_t *to, size_t at, const char *text)
{
    for (; *text; text++)
        to[at++] = (uint8_t)*text;
    return at;
}

/* A stored file behind `before` bytes; offsets count them or not. Returns the length. */
static size_t make_zip(uint8_t *out, size_t before, const char *name, const char *text, bool counted)
{
    const uint32_t n = (uint32_t)strlen(name), size = (uint32_t)strlen(text);
    size_t at = before, directory;

    memset(out, 'm', before);
    at = put(out, at, 0x04034b50, 4);
    memset(out + at, 0, 22);
    at = put(out, at + 22, n, 2);
    at = put(out, at, 0, 2);
    at = put_text(out, put_text(out, at, name), text);
    directory = at;
    memset(out + at, 0, 46);
    put(out, at, 0x02014b50, 4);
    put(out, at + 20, size, 4);
    put(out, at + 24, size, 4);
    put(out, at + 28, n, 2);
    put(out, at + 42, counted ? (uint32_t)before : 0, 4);
    at = put_text(out, at + 46, name);
    memset(out + at, 0, 22);
    put(out, at, 0x06054b50, 4);
    put(out, at + 8, 1, 2);
    put(out, at + 10, 1, 2);
    put(out, at + 12, 46 + n, 4);
    put(out, at + 16, (uint32_t)(directory - (counted ? 0 : before)), 4);
    return at + 22;
}

static void lines_of_a_file(void **state)
{
    char dir[64], path[96];

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/labels.txt", dir);
    write_file(path, "cat\r\n1 dog\n2: big fox\n4 four", 28);
    TEST_OK(labels_read(path, &arena, &l, &err), err);
    assert_int_equal(l.n, 4);
    assert_string_equal(labels_name(&l, 4, 0), "cat");
    assert_string_equal(labels_name(&l, 4, 1), "dog");
    assert_string_equal(labels_name(&l, 4, 2), "big fox");
    assert_string_equal(labels_name(&l, 4, 3), "4 four");
    assert_string_equal(labels_name(&l, 9, 8), "-");
    assert_string_equal(labels_name(&l, 5, 0), "background");
    assert_string_equal(labels_name(&l, 5, 1), "cat");
    write_file(path, "", 0);
    assert_int_equal(labels_read(path, &arena, &l, &err), ST_USAGE);
    remove(path);
    remove(dir);
    arena_free(&arena);
}

static void of_a_model(void **state)
{
    uint8_t zip[512], copy[512];

    (void)state;
    for (int counted = 0; counted < 2; counted++) {
        const size_t n = make_zip(zip, 40, "labels.txt", "cat\ndog\nfox\n", counted);

        TEST_OK(labels_of_model(zip, n, NULL, 3, &arena, &l, &err), err);
        assert_int_equal(l.n, 3);
        assert_string_equal(l.list[2], "fox");
        assert_string_equal(l.from, "labels.txt");
        TEST_OK(labels_of_model(zip, n, NULL, 4, &arena, &l, &err), err);
        assert_string_equal(labels_name(&l, 4, 3), "fox");
        TEST_OK(labels_of_model(zip, n, NULL, 5, &arena, &l, &err), err);
        assert_int_equal(l.n, 0);
        /* Every byte wrong in turn, and every length: nothing is read outside. */
        for (size_t i = 0; i < n; i++) {
            uint8_t *cut = malloc(i + 1);

            memcpy(copy, zip, n);
            copy[i] ^= 0xff;
            TEST_OK(labels_of_model(copy, n, NULL, 3, &arena, &l, &err), err);
            memcpy(cut, zip, i);
            TEST_OK(labels_of_model(cut, i, NULL, 3, &arena, &l, &err), err);
            free(cut);
        }
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_of_a_file), cmocka_unit_test(of_a_model)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
