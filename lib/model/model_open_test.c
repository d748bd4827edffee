/* SPDX-License-Identifier: Apache-2.0 */
/* model_open_test.c - files that are no model, or damaged ones: always a message, never a byte read outside them. */
#include <stdlib.h>

#include "lib/testing/test_small_model.h"

static uint8_t *small_file(size_t *bytes)
{
    struct err err = {{0}};
    struct small s;
    uint8_t *file;

    small_init(&s);
    s.tensors[1].quant = (struct quant){.n = 4, .scale = s.scale, .zero_point = s.zero_point};
    if (model_serialize(&s.m, &file, bytes, &err))
        fail_msg("%s", err.msg);
    return file;
}

/* Whatever happens to the bytes: a model, or a message. The copy has the exact size, so that sanitizers see any byte read
 * past it. */
static void parse_any(const uint8_t *file, size_t bytes)
{
    uint8_t *copy = malloc(bytes + !bytes);
    struct err err = {{0}};
    struct model *m;

    assert_non_null(copy);
    memcpy(copy, file, bytes);
    if (model_parse(copy, bytes, "broken", &m, &err)) {
        assert_null(m);
        assert_memory_equal(err.msg, "broken: ", 8);
        assert_null(strchr(err.msg, '\n'));
    }
    model_close(m);
    free(copy);
}

static void test_truncation(void **state)
{
    uint8_t *file;
    size_t bytes;

    (void)state;
    file = small_file(&bytes);
    for (size_t n = 0; n <= bytes; n++)
        parse_any(file, n);
    free(file);
}

static void test_changed_bytes(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    uint8_t *file;
    size_t bytes;

    (void)state;
    file = small_file(&bytes);
    for (size_t i = 0; i < bytes; i++) {
        uint8_t was = file[i];

        for (size_t k = 0; k < sizeof values; k++) {
            file[i] = values[k];
            parse_any(file, bytes);
        }
        file[i] = was;
    }
    free(file);
}

static void test_unaligned(void **state)
{
    struct err err = {{0}};
    uint8_t *file, *moved;
    size_t bytes;

    (void)state;
    file = small_file(&bytes);
    assert_non_null(moved = malloc(bytes + 8));
    for (size_t shift = 1; shift < 8; shift++) {
        const struct tensor *w;
        struct model *m;

        memcpy(moved + shift, file, bytes);
        assert_int_equal(model_parse(moved + shift, bytes, "moved", &m, &err), ST_OK);
        w = &m->subgraphs[0].tensors[1];
        assert_int_equal((uintptr_t)w->data % 4, 0);
        assert_int_equal((uintptr_t)w->quant.zero_point % 8, 0);
        assert_int_equal(w->quant.n, 4);
        assert_int_equal(m->subgraphs[0].ops[0].inputs[2], -1);
        model_close(m);
    }
    free(moved);
    free(file);
}

static void test_other_files(void **state)
{
    static const struct {
        const char *content, *says;
    } files[] = {
        {"", "the file is empty"},
        {"TFL3", "4 bytes, too few"},
        {"version https://git-lfs.github.com/spec/v1\noid", "git-lfs pointer"},
        {"<!DOCTYPE html><html>", "web page"},
        {"{\"version\": 3}", "JSON"},
        {"PK\3\4 and more", "zip archive"},
        {"LITERTLM\1", "is a LiteRT-LM bundle"},
        {"0123456789", "bytes 4 to 7 are 0x34353637 instead of \"TFL3\""},
        {"\xff\xff\xff\xffTFL3", "the model needs 4 bytes at offset 4294967295, but the file ends at 8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct err err = {{0}};
        struct model *m;

        assert_int_equal(model_parse(files[i].content, strlen(files[i].content), "f", &m, &err), ST_BAD_MODEL);
        if (!strstr(err.msg, files[i].says))
            fail_msg("\"%s\" does not say \"%s\"", err.msg, files[i].says);
    }
}

static void test_open(void **state)
{
    struct err err = {{0}};
    struct model *m;

    (void)state;
    assert_int_equal(model_open("/nonexistent.tflite", &m, &err), ST_IO);
    assert_string_equal(err.msg, "/nonexistent.tflite: No such file or directory");
    assert_int_equal(model_open("/", &m, &err), ST_IO);
    assert_string_equal(err.msg, "/: is a directory, not a .tflite file");
    assert_int_equal(model_open("/dev/null", &m, &err), ST_IO);
    assert_null(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truncation),  cmocka_unit_test(test_changed_bytes), cmocka_unit_test(test_unaligned),
        cmocka_unit_test(test_other_files), cmocka_unit_test(test_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
