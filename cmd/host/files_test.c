/* SPDX-License-Identifier: Apache-2.0 */
/* files_test.c - files of the right size in, whole files out. */
#include "cmd/host/files.h"
#include "lib/testing/test_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64], path[128];
static struct err err;

static int make_dir(void **state)
{
    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/f", dir);
    return 0;
}

static int remove_dir(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", dir);
    return system(command);
}

static void put(const char *text)
{
    struct file_piece piece = {text, strlen(text)};

    TEST_OK(file_write(path, &piece, 1, &err), err);
}

static uint32_t entries(void)
{
    DIR *d = opendir(dir);
    uint32_t n = 0;

    while (readdir(d))
        n++;
    closedir(d);
    return n - 2; /* without . and .. */
}

static void exact_size(void **state)
{
    char data[4], message[256];

    (void)state;
    put("abcd");
    TEST_OK(file_read_exact(path, data, 4, &err), err);
    assert_memory_equal(data, "abcd", 4);
    assert_int_equal(file_read_exact(path, data, 3, &err), ST_USAGE);
    snprintf(message, sizeof message, "%s has 4 bytes, the tensor needs 3", path);
    assert_string_equal(err.msg, message);
    assert_int_equal(file_read_exact("/nonexistent/f", data, 4, &err), ST_IO);
    assert_string_equal(err.msg, "/nonexistent/f: No such file or directory");
}

/* A pipe does not know its size. */
static void from_a_pipe(void **state)
{
    char data[4], name[64];
    int ends[2];

    (void)state;
    for (int sent = 3; sent <= 5; sent++) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], "abcde", (size_t)sent), sent);
        close(ends[1]);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        assert_int_equal(file_read_exact(name, data, 4, &err), sent == 4 ? ST_OK : ST_USAGE);
        close(ends[0]);
    }
}

static void whole_files(void **state)
{
    size_t bytes;
    void *data;

    (void)state;
    put("abcd");
    TEST_OK(file_read_all(path, 4, &data, &bytes, &err), err);
    assert_int_equal(bytes, 4);
    assert_memory_equal(data, "abcd", 4);
    free(data);
    assert_int_equal(file_read_all(path, 3, &data, &bytes, &err), ST_USAGE);
    assert_null(data);
    assert_int_equal(file_read_all(dir, 100, &data, &bytes, &err), ST_IO);
    assert_null(data);
}

static void writes_all_or_nothing(void **state)
{
    struct file_piece pieces[] = {{"ab", 2}, {"", 0}, {"cde", 3}};
    char data[5], missing[160];

    (void)state;
    put("a longer text that was there before");
    TEST_OK(file_write(path, pieces, 3, &err), err);
    TEST_OK(file_read_exact(path, data, 5, &err), err);
    assert_memory_equal(data, "abcde", 5);
    assert_int_equal(entries(), 1); /* no temporary file is left */
    snprintf(missing, sizeof missing, "%s/no/f", dir);
    assert_int_equal(file_write(missing, pieces, 3, &err), ST_IO);
    assert_int_equal(file_write(dir, pieces, 3, &err), ST_IO); /* a folder is no file */
    assert_int_equal(entries(), 1);
}

/* Says what writing would say, and leaves everything as it is. */
static void tries_to_write(void **state)
{
    char name[160];
    int ends[2];

    (void)state;
    TEST_OK(file_try_write(path, &err), err);
    assert_int_equal(entries(), 0);
    put("kept");
    TEST_OK(file_try_write(path, &err), err);
    TEST_OK(file_read_exact(path, name, 4, &err), err);
    assert_memory_equal(name, "kept", 4);
    assert_int_equal(entries(), 1);
    assert_int_equal(file_try_write(dir, &err), ST_IO); /* a folder is no file */
    snprintf(name, sizeof name, "%s/no/f", dir);
    assert_int_equal(file_try_write(name, &err), ST_IO);
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    TEST_OK(file_try_write(name, &err), err);
    close(ends[0]);
    close(ends[1]);
}

/* By whatever name, and before it is there. */
static void one_file_or_two(void **state)
{
    char other[200], link_path[160];

    (void)state;
    snprintf(other, sizeof other, "%s/./f", dir);
    snprintf(path, sizeof path, "%s/f", dir);
    assert_true(file_is_same(path, other));
    snprintf(other, sizeof other, "%s/g", dir);
    assert_false(file_is_same(path, other));
    snprintf(link_path, sizeof link_path, "%s/l", dir);
    assert_int_equal(symlink(".", link_path), 0);
    snprintf(other, sizeof other, "%s/f", link_path);
    assert_true(file_is_same(path, other));
    put("x");
    assert_true(file_is_same(path, other));
    snprintf(other, sizeof other, "%s/g", dir);
    assert_int_equal(symlink("f", other), 0);
    assert_true(file_is_same(path, other));
    assert_int_equal(unlink(other), 0);
    assert_true(file_is_same(dir, link_path) && !file_is_same(dir, path));
    assert_int_equal(unlink(link_path), 0);
    assert_true(file_ends_in("a.NPY", ".npy") && file_ends_in(".npy", ".npy") && !file_ends_in("npy", ".npy"));
    assert_true(file_is_same("nowhere/f", "nowhere/f") && !file_is_same("nowhere/f", "nowhere/g"));
    assert_false(file_is_same("/dev/null", "/dev/null")); /* anybody may write there */
}

static void folders(void **state)
{
    char deep[160];
    struct stat info;

    (void)state;
    snprintf(deep, sizeof deep, "%s/a/b/c", dir);
    TEST_OK(file_make_dir(deep, &err), err);
    TEST_OK(file_make_dir(deep, &err), err); /* it may be there */
    assert_true(!stat(deep, &info) && S_ISDIR(info.st_mode));
    put("x");
    assert_int_equal(file_make_dir(path, &err), ST_IO);
    assert_non_null(strstr(err.msg, "Not a directory"));
    snprintf(deep, sizeof deep, "%s/g", path);
    assert_int_equal(file_make_dir(deep, &err), ST_IO);
}

static void tried_where_they_block_or_are_folders(void **state)
{
    char inside[160];

    (void)state;
    put("abcd");
    snprintf(inside, sizeof inside, "%s/fifo", dir);
    assert_int_equal(mkfifo(inside, 0666), 0);
    TEST_OK(file_try_write(inside, &err), err); /* nobody reads it yet, and it does not wait */
    assert_int_equal(unlink(inside), 0);
    snprintf(inside, sizeof inside, "%s/new/folder", dir);
    TEST_OK(file_try_write_dir(inside, &err), err);
    assert_int_equal(access(inside, W_OK), 0);
    assert_int_equal(file_try_write_dir(path, &err), ST_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exact_size, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(from_a_pipe, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(whole_files, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(writes_all_or_nothing, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(tries_to_write, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(one_file_or_two, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(folders, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(tried_where_they_block_or_are_folders, make_dir, remove_dir),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
