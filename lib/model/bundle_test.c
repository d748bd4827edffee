/* SPDX-License-Identifier: Apache-2.0 */
/* bundle_test.c - sections of .task and .litertlm files, choices among them, and every way to break one. */
#include "lib/model/bundle.h"

#include <stdlib.h>
#include <unistd.h>

#include "bench/models/bundle_writer.h"
#include "lib/testing/test_files.h"
#include "lib/testing/test_small_model.h"

static char dir[64], path[96];
static uint8_t *model;
static size_t model_bytes;
static struct err err;

static int setup(void **state)
{
    struct small s;

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/b", dir);
    small_init(&s);
    return model_serialize(&s.m, &model, &model_bytes, &err) != ST_OK;
}

static int teardown(void **state)
{
    (void)state;
    free(model);
    unlink(path);
    return rmdir(dir);
}

static void write_task(bool zip64)
{
    const struct bundle_part parts[] = {{.name = "detector.tflite", .data = model, .bytes = model_bytes},
                                        {.name = "TF_LITE_PREFILL_DECODE", .data = model, .bytes = model_bytes},
                                        {.name = "TOKENIZER_MODEL", .data = "words", .bytes = 5}};

    TEST_OK(bundle_write_task(path, parts, 3, zip64, &err), err);
}

static void write_litertlm(void)
{
    const struct bundle_part parts[] = {
        {.type = PART_LLM_METADATA, .data = "about", .bytes = 5},
        {.type = PART_TOKENIZER, .data = "words", .bytes = 5},
        {.type = PART_MODEL, .model_type = "tf_lite_embedder", .backend = "cpu", .data = model, .bytes = model_bytes},
        {.type = PART_MODEL, .model_type = "tf_lite_prefill_decode", .data = model, .bytes = model_bytes},
        {.type = PART_MODEL, .model_type = "tf_lite_embedder", .data = model, .bytes = model_bytes},
        {.type = PART_WEIGHTS, .model_type = "tf_lite_prefill_decode", .data = "weights", .bytes = 7},
        {.type = 42, .bytes = 9},
    };

    TEST_OK(bundle_write_litertlm(path, parts, 7, &err), err);
}

static struct bundle *open_bundle(void)
{
    struct bundle *b;

    TEST_OK(bundle_open(path, &b, &err), err);
    return b;
}

static void expect_choice(const struct bundle *b, const char *name, int section)
{
    const struct bundle_section *s;

    TEST_OK(bundle_choose(b, name, &s, &err), err);
    assert_int_equal(s - b->sections, section);
}

static void expect_none(const struct bundle *b, const char *name, const char *says)
{
    const struct bundle_section *s;

    assert_int_equal(bundle_choose(b, name, &s, &err), ST_USAGE);
    if (!strstr(err.msg, says))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
}

static void task(void **state)
{
    char number[BUNDLE_NAME_SIZE];

    (void)state;
    for (int zip64 = 0; zip64 < 2; zip64++) {
        struct bundle *b;

        write_task(zip64);
        b = open_bundle();
        assert_true(b->kind == BUNDLE_TASK && b->n == 3 && b->n_models == 2);
        assert_string_equal(b->sections[0].name, "detector.tflite");
        assert_string_equal(b->sections[0].type, "TFLiteModel");
        assert_string_equal(b->sections[2].type, "file");
        assert_true(b->sections[0].at % 4 == 0 && b->sections[2].bytes == 5);
        expect_choice(b, "detector.tflite", 0);
        expect_choice(b, "prefill_decode", 1);
        expect_choice(b, "1", 1);
        expect_none(b, "TOKENIZER_MODEL", "no model is named #TOKENIZER_MODEL");
        expect_none(b, "", "there are 2 models, choose one by #NAME: detector.tflite, TF_LITE_PREFILL_DECODE");
        assert_string_equal(bundle_name(b, &b->sections[1], number), "TF_LITE_PREFILL_DECODE");
        bundle_close(b);
    }
}

/* Some packers compress them, too. */
static void folders_are_no_sections(void **state)
{
    static uint8_t file[4096];
    const struct bundle_part parts[] = {{.name = "models/", .data = "", .bytes = 0},
                                        {.name = "models/a.tflite", .data = model, .bytes = model_bytes}};
    struct bundle *b;
    size_t bytes;

    (void)state;
    TEST_OK(bundle_write_task(path, parts, 2, false, &err), err);
    bytes = read_file(path, file, sizeof file);
    for (size_t i = 0; i + 4 < bytes; i++)
        if (!memcmp(file + i, "PK\1\2", 4)) {
            file[i + 10] = 8;
            break;
        }
    TEST_OK(bundle_parse(file, bytes, "f", &b, &err), err);
    assert_true(b->n == 1 && b->n_models == 1);
    assert_string_equal(b->sections[0].name, "models/a.tflite");
    bundle_close(b);
}

static void litertlm(void **state)
{
    char number[BUNDLE_NAME_SIZE];
    struct bundle *b;

    (void)state;
    write_litertlm();
    b = open_bundle();
    assert_true(b->kind == BUNDLE_LITERTLM && b->n == 7 && b->n_models == 3 && b->version[1] == 7);
    assert_string_equal(b->sections[0].type, "LlmMetadata");
    assert_string_equal(b->sections[1].type, "SP_Tokenizer");
    assert_string_equal(b->sections[6].type, "type 42");
    assert_string_equal(b->sections[2].backend, "cpu");
    assert_string_equal(b->sections[3].model_type, "prefill_decode");
    expect_choice(b, "PREFILL_DECODE", 3);
    expect_choice(b, "tf_lite_prefill_decode", 3);
    expect_choice(b, "4", 4);
    expect_none(b, "embedder", "names 2 models, choose one by its number: the first is 2");
    expect_none(b, "5", "no model is named #5, but there is: 2, prefill_decode, 4");
    assert_string_equal(bundle_name(b, &b->sections[4], number), "4");
    assert_true(bundle_weights(b, &b->sections[3], "tflite_weights") == &b->sections[5]);
    assert_true(bundle_weights(b, &b->sections[2], "tflite_weights") == &b->sections[5]);
    assert_null(bundle_weights(b, &b->sections[3], "other"));
    bundle_close(b);
}

/* As gesture_recognizer.task has hand_landmarker.task in it. */
static void nested(void **state)
{
    struct bundle_part outer = {.name = "hand.task"};
    static uint8_t inner[8192];
    struct bundle *b;

    (void)state;
    write_task(false);
    outer.bytes = read_file(path, inner, sizeof inner);
    outer.data = inner;
    TEST_OK(bundle_write_task(path, &outer, 1, false, &err), err);
    b = open_bundle();
    assert_true(b->n == 4 && b->n_models == 2);
    assert_string_equal(b->sections[0].type, "archive");
    assert_string_equal(b->sections[1].name, "hand.task/detector.tflite");
    expect_choice(b, "hand.task/detector.tflite", 1);
    expect_choice(b, "detector.tflite", 1);
    bundle_close(b);
}

static void parse(const uint8_t *file, size_t bytes, bool must_fail)
{
    uint8_t *copy = malloc(bytes + !bytes);
    struct bundle *b;

    memcpy(copy, file, bytes);
    if (bundle_parse(copy, bytes, "broken", &b, &err)) {
        assert_memory_equal(err.msg, "broken: ", 8);
        assert_null(strchr(err.msg, '\n'));
    } else if (must_fail) {
        fail_msg("%zu bytes were taken", bytes);
    }
    bundle_close(b);
    free(copy);
}

/* A cut file has lost its end record or a section; memory of the exact size shows sanitizers what is read behind it. */
static void damaged(void **state)
{
    static uint8_t file[160000];

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        size_t bytes, at;

        kind == 2 ? write_litertlm() : write_task(kind);
        bytes = read_file(path, file, sizeof file);
        for (size_t n = 8; n < bytes; n += kind == 2 && n > 1000 ? 997 : 1)
            parse(file, n, true);
        at = kind == 2 ? 0 : 2 * model_bytes;
        for (size_t i = at; i < bytes && i < at + 2000; i++)
            for (int bit = 0; bit < 8; bit += 1 + (kind == 2)) {
                file[i] ^= (uint8_t)(1 << bit);
                parse(file, bytes, false);
                file[i] ^= (uint8_t)(1 << bit);
            }
    }
}

/* The place of a mark in the file, from the end. */
static uint8_t *find_last(uint8_t *file, size_t bytes, const void *mark, size_t n)
{
    for (size_t i = bytes - n + 1; i-- > 0;)
        if (!memcmp(file + i, mark, n))
            return file + i;
    fail_msg("no such mark");
    return NULL;
}

static void expect_error(const uint8_t *file, size_t bytes, enum status st, const char *says)
{
    struct bundle *b;

    assert_int_equal(bundle_parse(file, bytes, "f", &b, &err), st);
    if (!strstr(err.msg, says))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
}

static void refused_archives(void **state)
{
    static uint8_t file[8192], changed[8192];
    size_t bytes;
    uint8_t *entry, *twin;

    (void)state;
    write_task(false);
    bytes = read_file(path, file, sizeof file);
    entry = find_last(file, bytes, "TOKENIZER_MODEL", 15) - 46;
    entry[10] = 8;
    expect_error(file, bytes, ST_UNSUPPORTED, "\"TOKENIZER_MODEL\" is compressed (method 8), and only files stored as they are");
    entry[10] = 0;
    entry[8] = 1;
    expect_error(file, bytes, ST_UNSUPPORTED, "\"TOKENIZER_MODEL\" is encrypted");
    entry[8] = 0;
    entry[20] = 4;
    expect_error(file, bytes, ST_BAD_MODEL, "has 5 bytes, and 4 are stored");
    entry[20] = 5;
    memcpy(changed, file, bytes);
    twin = find_last(changed, bytes, "detector.tflite", 15);
    for (size_t i = 0; i < 15; i++)
        twin[i] = (uint8_t) "TOKENIZER_MODEL"[i];
    expect_error(changed, bytes, ST_BAD_MODEL, "the archive has two files \"TOKENIZER_MODEL\"");
    memcpy(changed, file, bytes);
    memcpy(find_last(changed, bytes, "detector.tflite", 15) - 4, find_last(file, bytes, "TF_LITE_PREFILL_DECODE", 22) - 4, 4);
    expect_error(changed, bytes, ST_BAD_MODEL, "overlap");
    entry[42] ^= 1;
    expect_error(file, bytes, ST_BAD_MODEL, "\"TOKENIZER_MODEL\" has no header at");
    expect_error(file, 200, ST_BAD_MODEL, "no end record");
}

static void refused_litertlm(void **state)
{
    static uint8_t file[160000];
    const uint64_t begin = 49152, header = 100;
    size_t bytes;
    uint8_t *at;

    (void)state;
    write_litertlm();
    bytes = read_file(path, file, sizeof file);
    expect_error(file, 20, ST_BAD_MODEL, "20 bytes, too few for the header");
    expect_error(file, 100, ST_BAD_MODEL, "its header ends at");
    expect_error(file, bytes - 1, ST_BAD_MODEL, "section 6: it lies from");
    at = find_last(file, 16384, &begin, 8);
    memcpy(at, &header, 8);
    expect_error(file, bytes, ST_BAD_MODEL, "section 2: it begins at 100, in the header");
    memcpy(at, &(uint64_t){32769}, 8);
    expect_error(file, bytes, ST_BAD_MODEL, "sections 1 and 2 overlap");
    file[8] = 2;
    expect_error(file, bytes, ST_UNSUPPORTED, "version 2.7.0, only 1 is known");
}

/* Behind 4 GiB, without a byte of it on the disk. */
static void beyond_4_gib(void **state)
{
    const struct bundle_part parts[] = {
        {.name = "w", .type = PART_WEIGHTS, .bytes = (uint64_t)5 << 30},
        {.name = "m", .type = PART_MODEL, .model_type = "tf_lite_aux", .data = model, .bytes = model_bytes}};
    struct bundle *b;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        if (kind)
            TEST_OK(bundle_write_litertlm(path, parts, 2, &err), err);
        else
            TEST_OK(bundle_write_task(path, parts, 2, false, &err), err);
        b = open_bundle();
        assert_true(b->sections[0].bytes == (uint64_t)5 << 30 && b->sections[1].at > (uint64_t)5 << 30);
        assert_true(b->sections[1].kind == SECTION_MODEL);
        bundle_close(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(task),
        cmocka_unit_test(folders_are_no_sections),
        cmocka_unit_test(litertlm),
        cmocka_unit_test(nested),
        cmocka_unit_test(damaged),
        cmocka_unit_test(refused_archives),
        cmocka_unit_test(refused_litertlm),
        cmocka_unit_test(beyond_4_gib),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
