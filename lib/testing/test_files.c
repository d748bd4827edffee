/* SPDX-License-Identifier: Apache-2.0 */
/* test_files.c - folders and files of tests. */
#include "lib/testing/test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void make_temp_dir(char path[64])
{
    snprintf(path, 64, "/tmp/delegauge_test.XXXXXX");
    assert_non_null(mkdtemp(path));
}

size_t read_file(const char *path, void *data, size_t size)
{
    FILE *file = fopen(path, "rb");
    size_t n;

    assert_non_null(file);
    n = fread(data, 1, size, file);
    fclose(file);
    assert_true(n < size);
    return n;
}

void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file;

    unlink(path);
    assert_non_null(file = fopen(path, "wb"));
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

void write_below(const char *root, const char *path, const char *text)
{
    char full[256];

    assert_in_range(snprintf(full, sizeof full, "%s%s", root, path), 1, sizeof full - 1);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    write_file(full, text, strlen(text));
}

void remove_tree(const char *root)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", root);
    assert_int_equal(system(command), 0);
}
