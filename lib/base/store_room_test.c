/* SPDX-License-Identifier: Apache-2.0 */
/* store_room_test.c - a folder with a bound: what was used longest ago goes, what is in use or not ours stays. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/store_impl.h"
#include "lib/testing/test.h"

/* With head and table, an entry of this section takes ENTRY bytes. */
#define SECTION (ENTRY - 128)
#define ENTRY   1000

struct folder {
    char dir[64];
    time_t now;
};

static int setup(void **state)
{
    struct folder *f = *state = calloc(1, sizeof *f);

    if (!f)
        return -1;
    strcpy(f->dir, "/tmp/store_room_test.XXXXXX");
    f->now = time(NULL);
    return mkdtemp(f->dir) ? 0 : -1;
}

static int teardown(void **state)
{
    struct folder *f = *state;
    DIR *d = opendir(f->dir);
    struct dirent *e;

    while (d && (e = readdir(d)))
        if (unlinkat(dirfd(d), e->d_name, 0))
            unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    if (d)
        closedir(d);
    rmdir(f->dir);
    free(f);
    return 0;
}

static struct store_id name(const struct folder *f, const char *token, int key)
{
    struct store_id id = {.dir = f->dir, .token = token};

    sha256_hex(&key, sizeof key, id.key);
    return id;
}

static enum status write_one(const struct store_id *id, const struct store_bound *bound, struct err *err)
{
    static const char zeros[SECTION];

    return store_write(id, &(struct store_section){1, zeros, SECTION}, 1, bound, err);
}

/* Writes an entry that was last used so many seconds ago. */
static void write_old(const struct folder *f, const struct store_id *id, int seconds)
{
    const struct timespec used[2] = {{f->now - seconds, 0}, {f->now - seconds, 0}};
    char path[256];
    struct stat info;
    struct err err = {""};

    TEST_OK(write_one(id, &(struct store_bound){0}, &err), err);
    TEST_OK(store_path(id, path, sizeof path, &err), err);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, ENTRY);
    assert_int_equal(utimensat(AT_FDCWD, path, used, 0), 0);
}

static bool is_there(const struct store_id *id)
{
    char path[256];
    struct err err = {""};

    TEST_OK(store_path(id, path, sizeof path, &err), err);
    return access(path, F_OK) == 0;
}

static void what_was_used_longest_ago_goes(void **state)
{
    const struct folder *f = *state;
    const struct store_bound four = {4 * ENTRY, f->now - 1};
    struct store_id id[6];
    struct store_entry e;
    struct err err = {""};

    for (int i = 0; i < 6; i++)
        id[i] = name(f, i % 2 ? "one" : "two", i);
    for (int i = 0; i < 4; i++)
        write_old(f, &id[i], 100 - 10 * i);
    TEST_OK(store_open(&id[0], &e, &err), err); /* which is a use */
    assert_non_null(e.map);
    TEST_OK(write_one(&id[4], &four, &err), err);
    for (int i = 0; i < 5; i++)
        assert_int_equal(is_there(&id[i]), i != 1);
    /* In place of another no room is needed; the next needs that of two. */
    TEST_OK(write_one(&id[3], &four, &err), err);
    assert_true(is_there(&id[2]));
    store_close(&e);
}

/* What this start or one that goes on uses is not thrown out for another part of it: then nothing is. */
static void what_is_in_use_stays(void **state)
{
    const struct folder *f = *state;
    struct store_id old = name(f, "t", 1), used = name(f, "t", 2), last = name(f, "t", 3);
    struct err err = {""};

    write_old(f, &old, 100);
    write_old(f, &used, 0);
    assert_int_equal(write_one(&last, &(struct store_bound){2 * ENTRY - 1, f->now - 1}, &err), ST_IO);
    assert_non_null(strstr(err.msg, ": at most 1999 bytes may be kept there, and this start and those that go on need 2000"));
    assert_true(is_there(&old) && is_there(&used) && !is_there(&last));
    TEST_OK(write_one(&last, &(struct store_bound){2 * ENTRY, f->now - 1}, &err), err);
    assert_true(!is_there(&old) && is_there(&used) && is_there(&last));
    TEST_OK(write_one(&old, &(struct store_bound){ENTRY, INT64_MAX}, &err), err);
    assert_true(is_there(&old) && !is_there(&used) && !is_there(&last));
    assert_int_equal(write_one(&used, &(struct store_bound){ENTRY - 1, INT64_MAX}, &err), ST_IO);
    assert_true(is_there(&old));
}

/* Files and folders of other names, and links of ours, are neither counted nor removed. */
static void what_is_not_ours_stays(void **state)
{
    static const char *const names[] = {
        "model_0123456789abcdef0123456789abcdef.dgs.bak", "model_0123456789abcdef.dgs",
        "model.0123456789abcdef0123456789abcdef.dgs",     "_0123456789abcdef0123456789abcdef.dgs",
        ".model_0123456789abcdef0123456789abcdef.dgs",    "model_0123456789ABCDEF0123456789abcdef.dgs"};
    const struct folder *f = *state;
    struct store_id old = name(f, "t", 1), last = name(f, "t", 2);
    struct err err = {""};
    char path[256];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", f->dir, names[i]);
        assert_int_equal(close(open(path, O_WRONLY | O_CREAT, 0600)), 0);
        assert_int_equal(truncate(path, 2 * ENTRY), 0);
    }
    snprintf(path, sizeof path, "%s/folder_0123456789abcdef0123456789abcdef.dgs", f->dir);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/link_0123456789abcdef0123456789abcdef.dgs", f->dir);
    assert_int_equal(symlink("/dev/null", path), 0);
    write_old(f, &old, 100);
    TEST_OK(write_one(&last, &(struct store_bound){2 * ENTRY, f->now - 1}, &err), err);
    assert_true(is_there(&old));
    TEST_OK(write_one(&last, &(struct store_bound){ENTRY, f->now - 1}, &err), err);
    assert_false(is_there(&old));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", f->dir, names[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
    snprintf(path, sizeof path, "%s/folder_0123456789abcdef0123456789abcdef.dgs", f->dir);
    assert_int_equal(rmdir(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_used_longest_ago_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_in_use_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_ours_stays, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
