/* SPDX-License-Identifier: Apache-2.0 */
/* models_test.c - files as they are named, folders in order, a folder whose name is a pattern, and models within bundles. */
#include "bench/models/bundle_writer.h"
#include "cmd/tool/models.h"
#include "lib/testing/test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void put(const char *dir, const char *name)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    write_file(path, "x", 1);
}

static void files_and_folders(void **state)
{
    char dir[64], odd[128], command[160], expected[160];
    struct cli c = {.operands = {"one.tflite", odd}, .n_operands = 2};
    struct arena arena = {0};
    const char **paths;
    struct err err;
    uint32_t n;

    (void)state;
    make_temp_dir(dir);
    snprintf(odd, sizeof odd, "%s/a[b]*", dir);
    assert_int_equal(mkdir(odd, 0700), 0);
    assert_true(models_is_folder(odd) && !models_is_folder("no such thing"));
    assert_int_equal(models_find(&c, "", &arena, &paths, &n, &err), ST_USAGE);
    for (int i = 0; i < 40; i++) {
        char name[32];

        snprintf(name, sizeof name, "%02d.tflite", 39 - i);
        put(odd, name);
    }
    put(odd, "text");
    TEST_OK(models_find(&c, "first.tflite", &arena, &paths, &n, &err), err);
    assert_int_equal(n, 42);
    assert_string_equal(paths[0], "first.tflite");
    assert_string_equal(paths[1], "one.tflite");
    snprintf(expected, sizeof expected, "%s/39.tflite", odd);
    assert_string_equal(paths[41], expected);
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    assert_int_equal(system(command), 0);
}

/* Each of its models by the shortest name; one that cannot be read is left to whoever opens it. */
static void bundles(void **state)
{
    static const uint8_t model[16] = {16, 0, 0, 0, 'T', 'F', 'L', '3'};
    const struct bundle_part parts[] = {{.name = "a", .type = PART_MODEL, .model_type = "tf_lite_aux", .data = model, .bytes = 16},
                                        {.name = "b", .type = PART_TOKENIZER, .data = "b", .bytes = 1},
                                        {.name = "c", .type = PART_MODEL, .data = model, .bytes = 16}};
    char dir[64], path[96], expected[160];
    struct cli c = {.operands = {path}, .n_operands = 1};
    struct arena arena = {0};
    const char **paths;
    struct err err;
    uint32_t n;

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/x.litertlm", dir);
    TEST_OK(bundle_write_litertlm(path, parts, 3, &err), err);
    assert_true(models_are_several(&c, ""));
    for (int folder = 0; folder < 2; folder++) {
        c.operands[0] = folder ? dir : path;
        TEST_OK(models_find(&c, "", &arena, &paths, &n, &err), err);
        assert_int_equal(n, 2);
        snprintf(expected, sizeof expected, "%s#aux", path);
        assert_string_equal(paths[0], expected);
        snprintf(expected, sizeof expected, "%s#2", path);
        assert_string_equal(paths[1], expected);
    }
    c.operands[0] = path;
    TEST_OK(bundle_write_litertlm(path, parts, 2, &err), err);
    assert_false(models_are_several(&c, ""));
    write_file(path, "LITERTLM", 8);
    assert_false(models_are_several(&c, ""));
    TEST_OK(models_find(&c, "", &arena, &paths, &n, &err), err);
    assert_true(n == 1 && !strcmp(paths[0], path));
    arena_free(&arena);
    remove(path);
    remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_folders),
        cmocka_unit_test(bundles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
