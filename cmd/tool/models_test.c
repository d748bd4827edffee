/* SPDX-License-Identifier: Apache-2.0 */
/* models_test.c - files as they are named, folders in order, and a folder whose name is a pattern. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_folders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
