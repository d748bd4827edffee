/* SPDX-License-Identifier: Apache-2.0 */
/* store_test.c - what was written comes back or nothing does: damage at every byte, folders that cannot be written, processes that
 * share a folder and are killed.
 *
 * STORE_TEST_SECONDS=120 lets the processes run that long instead of one second. */
#include "lib/base/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/testing/test_files.h"

struct folder {
    char dir[64];
    struct store_id id;
};

static const char numbers[] = "some numbers",
                  bytes[] = "bytes that do not end where an aligned piece does, being more than one of them";
static const struct store_bound no_bound;
static const struct store_section three[] = {{1, numbers, sizeof numbers}, {7, NULL, 0}, {5, bytes, sizeof bytes}};

static int setup(void **state)
{
    struct folder *f = *state = calloc(1, sizeof *f);

    if (!f)
        return -1;
    make_temp_dir(f->dir);
    f->id = (struct store_id){.dir = f->dir, .token = "model"};
    sha256_hex("key", 3, f->id.key);
    return 0;
}

/* Calls visit(path) for each file; the number of them. */
static uint32_t each_file(const char *dir, void (*visit)(const char *path))
{
    DIR *d = opendir(dir);
    struct dirent *e;
    uint32_t n = 0;

    assert_non_null(d);
    while ((e = readdir(d))) {
        char path[512];

        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (visit)
            visit(path);
        n++;
    }
    closedir(d);
    return n;
}

static void remove_file(const char *path)
{
    unlink(path);
}

static int teardown(void **state)
{
    struct folder *f = *state;

    each_file(f->dir, remove_file);
    rmdir(f->dir);
    free(f);
    return 0;
}

static void entry_path(const struct folder *f, char path[256])
{
    snprintf(path, 256, "%s/model_%.32s.dgs", f->dir, f->id.key);
}

static size_t read_entry(const struct folder *f, uint8_t *data, size_t size)
{
    char path[256];

    entry_path(f, path);
    return read_file(path, data, size);
}

static void holds_three(const struct store_entry *e)
{
    assert_int_equal(e->n_sections, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct store_section *s = store_find(e, three[i].kind);

        assert_non_null(s);
        assert_int_equal(s->bytes, three[i].bytes);
        assert_int_equal((uintptr_t)s->data % STORE_ALIGN, 0);
        if (s->bytes)
            assert_memory_equal(s->data, three[i].data, s->bytes);
    }
    assert_null(store_find(e, 2));
}

static void what_is_written_comes_back(void **state)
{
    struct folder *f = *state;
    struct store_entry e;
    struct err err = {""};
    char other[SHA256_HEX_SIZE];

    TEST_OK(store_open(&f->id, &e, &err), err);
    assert_null(e.map);
    TEST_OK(store_write(&f->id, three, 3, &no_bound, &err), err);
    TEST_OK(store_open(&f->id, &e, &err), err);
    assert_non_null(e.map);
    holds_three(&e);
    TEST_OK(store_write(&f->id, three, 1, &no_bound, &err), err); /* in its place, while it is read */
    holds_three(&e);
    store_close(&e);
    assert_null(e.map);
    store_close(&e);
    TEST_OK(store_open(&f->id, &e, &err), err);
    assert_int_equal(e.n_sections, 1);
    store_close(&e);
    memcpy(other, f->id.key, sizeof other);
    sha256_hex("other", 5, f->id.key);
    TEST_OK(store_open(&f->id, &e, &err), err);
    assert_null(e.map);
    assert_int_equal(each_file(f->dir, NULL), 1);
    memcpy(f->id.key, other, sizeof other);
}

/* store_open of these bytes fails and leaves nothing. */
static void refused(struct folder *f, const uint8_t *data, size_t n, const char *why)
{
    struct store_entry e;
    struct err err = {""};
    char path[256];

    entry_path(f, path);
    write_file(path, data, n);
    if (store_open(&f->id, &e, &err) != ST_BAD_MODEL)
        fail_msg("%zu bytes accepted", n);
    assert_null(e.map);
    assert_int_equal(e.n_sections, 0);
    assert_ptr_equal(strstr(err.msg, path), err.msg);
    if (why && !strstr(err.msg, why))
        fail_msg("\"%s\" is not in \"%s\"", why, err.msg);
}

static void damage_is_seen_at_every_byte(void **state)
{
    struct folder *f = *state;
    uint8_t data[2048], changed[2048];
    struct err err = {""};
    size_t n;

    TEST_OK(store_write(&f->id, three, 3, &no_bound, &err), err);
    n = read_entry(f, data, sizeof data);
    for (size_t i = 0; i < n; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(changed, data, n);
            changed[i] ^= (uint8_t)(1 << bit);
            refused(f, changed, n, NULL);
        }
    for (size_t i = 0; i < n; i++)
        refused(f, data, i, NULL);
    memset(changed, 0, sizeof changed);
    memcpy(changed, data, n);
    for (size_t i = n + 1; i < n + 70; i++)
        refused(f, changed, i, NULL);
    refused(f, data, 0, "empty");
    refused(f, data, n - 1, "bytes");
    refused(f, (const uint8_t *)"a text", 6, "ends within its head");
}

/* Tables that nobody wrote, hashes and all. */
static void nonsense_is_refused(void **state)
{
    struct folder *f = *state;
    const size_t head = 96, row = 32;
    uint8_t data[2048], changed[2048];
    struct err err = {""};
    char key[SHA256_HEX_SIZE];
    size_t n;

    TEST_OK(store_write(&f->id, three, 3, &no_bound, &err), err);
    n = read_entry(f, data, sizeof data);
    for (size_t i = 12; i < head + 3 * row; i++)
        for (int v = 0; v < 256; v++) {
            _Alignas(STORE_ALIGN) uint8_t sealed[2048];
            struct store_entry e;

            memcpy(sealed, data, n);
            sealed[i] = (uint8_t)v;
            store_seal(sealed, n, key);
            if (store_parse(sealed, n, f->id.key, &e, &err))
                continue;
            for (uint32_t k = 0; k < e.n_sections; k++)
                assert_true((const uint8_t *)e.sections[k].data + e.sections[k].bytes <= sealed + n);
        }
    memcpy(changed, data, n);
    changed[8] = 9;
    refused(f, changed, n, "another version: format 9");
    memcpy(changed, data, n);
    memcpy(changed + head + row, changed + head, 4); /* two sections of one kind */
    store_seal(changed, n, key);
    refused(f, changed, n, "makes no sense");
    memcpy(changed, data, n);
    changed[head + 4] = 1; /* what must be zero */
    store_seal(changed, n, key);
    refused(f, changed, n, "makes no sense");
    memcpy(changed, data, n);
    changed[32] ^= 1;
    store_seal(changed, n, key);
    refused(f, changed, n, "another key");
}

static void tokens_are_names_of_files(void **state)
{
    static const char *const good[] = {"a", "model-1.0_final", "A.b"}, *const bad[] = {"",    ".",   "..", ".a",
                                                                                       "a/b", "a b", "ä",  "a\n"};
    char long_one[66] = "";
    struct err err = {""};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        TEST_OK(store_check_token(good[i], &err), err);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(store_check_token(bad[i], &err), ST_USAGE);
    memset(long_one, 'x', 65);
    assert_int_equal(store_check_token(long_one, &err), ST_USAGE);
    TEST_OK(store_check_token(long_one + 1, &err), err);
}

static void write_fails(const struct store_id *id, const char *why)
{
    struct err err = {""};

    assert_int_equal(store_write(id, three, 3, &no_bound, &err), ST_IO);
    if (!strstr(err.msg, why))
        fail_msg("\"%s\" is not in \"%s\"", why, err.msg);
}

/* No file may grow beyond 200 bytes: to write() that is a full disk. */
static void with_little_room(const struct folder *f)
{
    struct rlimit before, little;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 200;
    setrlimit(RLIMIT_FSIZE, &little);
    write_fails(&f->id, "cannot be written: ");
    setrlimit(RLIMIT_FSIZE, &before);
}

/* One level, for nobody else to write into. */
static void a_folder_that_is_not_there_is_made(void **state)
{
    struct folder *f = *state;
    struct store_id id = f->id;
    char dir[256];
    struct store_entry e;
    struct stat info;
    struct err err = {""};

    snprintf(dir, sizeof dir, "%s/new", f->dir);
    id.dir = dir;
    TEST_OK(store_write(&id, three, 3, &no_bound, &err), err);
    assert_int_equal(stat(dir, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    TEST_OK(store_open(&id, &e, &err), err);
    holds_three(&e);
    store_close(&e);
    assert_int_equal(each_file(dir, remove_file), 1);
    assert_int_equal(rmdir(dir), 0);
}

static void what_cannot_be_written_leaves_the_folder_as_it_was(void **state)
{
    struct folder *f = *state;
    struct store_id elsewhere = f->id;
    char path[256], long_dir[5000] = "";
    struct store_entry e;
    struct err err = {""};

    TEST_OK(store_write(&f->id, three, 3, &no_bound, &err), err);
    with_little_room(f);
    assert_int_equal(each_file(f->dir, NULL), 1);
    TEST_OK(store_open(&f->id, &e, &err), err);
    holds_three(&e);
    store_close(&e);
    elsewhere.dir = "/dev/null/folder"; /* what kept it from being made, and not that it is not there */
    write_fails(&elsewhere, mkdir(elsewhere.dir, 0700) ? strerror(errno) : "cannot be made");
    elsewhere.dir = "/nonexistent/dir";
    write_fails(&elsewhere, "/nonexistent/dir: the folder cannot be made: No such file or directory");
    TEST_OK(store_open(&elsewhere, &e, &err), err);
    assert_null(e.map);
    elsewhere.dir = "/dev/null";
    write_fails(&elsewhere, "/dev/null: ");
    assert_int_equal(store_open(&elsewhere, &e, &err), ST_IO);
    memset(long_dir, 'd', sizeof long_dir - 1);
    elsewhere.dir = long_dir;
    write_fails(&elsewhere, "too long");
    assert_int_equal(store_open(&elsewhere, &e, &err), ST_IO);
    entry_path(f, path);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(store_open(&f->id, &e, &err), ST_IO);
    write_fails(&f->id, "cannot be put in place");
    assert_int_equal(each_file(f->dir, NULL), 1);
    assert_int_equal(rmdir(path), 0);
}

/* ---- what killed processes leave ---- */

static void make_old(const char *path)
{
    const struct timespec then[2] = {{time(NULL) - STORE_STALE_S - 60, 0}, {time(NULL) - STORE_STALE_S - 60, 0}};

    assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
}

static void leftovers_go_when_they_are_old(void **state)
{
    static const char *const names[] = {STORE_TEMPORARY "1-0", STORE_TEMPORARY "2-0", "mine"};
    struct folder *f = *state;
    struct err err = {""};
    char path[3][256];

    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s", f->dir, names[i]);
        write_file(path[i], "x", 1);
        if (i != 1)
            make_old(path[i]);
    }
    TEST_OK(store_write(&f->id, three, 3, &no_bound, &err), err);
    assert_int_equal(access(path[0], F_OK), -1);
    assert_int_equal(access(path[1], F_OK), 0);
    assert_int_equal(access(path[2], F_OK), 0);
    assert_int_equal(each_file(f->dir, NULL), 3);
}

/* ---- processes ---- */

#define PROCESSES 8
#define KEYS      3
#define WORDS     20000

/* What all processes count together. */
struct tally {
    unsigned written, read;
    char wrong[512];
};

/* Content by a seed that is part of it, so that any mixture of two contents is seen. */
static bool is_whole(const struct store_entry *e)
{
    const struct store_section *seed = store_find(e, 1), *words = store_find(e, 2);
    uint64_t state, word;

    if (!seed || !words || seed->bytes != sizeof state)
        return false;
    memcpy(&state, seed->data, sizeof state);
    if (words->bytes != (WORDS + state % 100) * sizeof word)
        return false;
    for (size_t i = 0; i < words->bytes / sizeof word; i++)
        if (((const uint64_t *)words->data)[i] != test_random(&state))
            return false;
    return true;
}

static enum status write_seed(const struct store_id *id, uint64_t seed, struct err *err)
{
    static uint64_t words[WORDS + 100];
    struct store_section s[] = {{1, &seed, sizeof seed}, {2, words, (WORDS + seed % 100) * sizeof *words}};
    uint64_t state = seed;

    for (size_t i = 0; i < WORDS + seed % 100; i++)
        words[i] = test_random(&state);
    /* Room for two of three keys, whoever uses what: entries go while others read them. */
    return store_write(id, s, 2, &(struct store_bound){5 * sizeof words / 2, INT64_MAX}, err);
}

/* Until it is killed: reads an entry, now and then writes it. */
_Noreturn static void work(const struct folder *f, uint64_t seed, struct tally *all)
{
    for (;;) {
        struct store_id id = f->id;
        struct store_entry e;
        struct err err = {""};
        char name = (char)('a' + test_random(&seed) % KEYS);
        enum status st;

        sha256_hex(&name, 1, id.key);
        if (!(st = store_open(&id, &e, &err)) && e.map && !is_whole(&e))
            st = err_set(&err, ST_FAILED, "not what was written");
        if (!st)
            __atomic_add_fetch(&all->read, e.map != NULL, __ATOMIC_RELAXED);
        if (!st && (!e.map || test_random(&seed) % 4 == 0) && !(st = write_seed(&id, test_random(&seed), &err)))
            __atomic_add_fetch(&all->written, 1, __ATOMIC_RELAXED);
        store_close(&e);
        if (st) {
            memcpy(all->wrong, err.msg, sizeof all->wrong);
            _exit(1);
        }
    }
}

static pid_t begin(const struct folder *f, uint64_t seed, struct tally *all)
{
    pid_t p = fork();

    if (p == 0)
        work(f, seed, all);
    assert_true(p > 0);
    return p;
}

/* Kills one after the other at random moments and lets others begin; how many it killed. */
static uint32_t kill_at_random(const struct folder *f, struct tally *all, double seconds)
{
    uint64_t end = clock_ns() + (uint64_t)(seconds * 1e9), seed = 8;
    pid_t p[PROCESSES];
    uint32_t killed = 0;

    for (int i = 0; i < PROCESSES; i++)
        p[i] = begin(f, test_random(&seed), all);
    while (clock_ns() < end) {
        int i = (int)(test_random(&seed) % PROCESSES), status;

        usleep(1000 + (useconds_t)(test_random(&seed) % 20000));
        kill(p[i], SIGKILL);
        waitpid(p[i], &status, 0);
        killed += WIFSIGNALED(status);
        p[i] = begin(f, test_random(&seed), all);
    }
    for (int i = 0; i < PROCESSES; i++) {
        kill(p[i], SIGKILL);
        waitpid(p[i], NULL, 0);
    }
    return killed;
}

static void killed_processes_do_no_harm(void **state)
{
    struct folder *f = *state;
    const char *seconds = getenv("STORE_TEST_SECONDS");
    struct tally *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct err err = {""};
    uint32_t killed;

    assert_true(all != MAP_FAILED);
    killed = kill_at_random(f, all, seconds ? atof(seconds) : 1);
    print_message("%u written, %u read, %u processes killed, %u files left\n", all->written, all->read, killed,
                  each_file(f->dir, NULL));
    if (*all->wrong)
        fail_msg("%s", all->wrong);
    assert_true(all->written > KEYS && all->read > 10 && killed > 5);
    for (int i = 0; i < KEYS; i++) {
        char name = (char)('a' + i);
        struct store_id id = f->id;
        struct store_entry e;

        sha256_hex(&name, 1, id.key);
        TEST_OK(store_open(&id, &e, &err), err);
        assert_true(!e.map || is_whole(&e));
        store_close(&e);
    }
    each_file(f->dir, make_old);
    TEST_OK(write_seed(&f->id, 1, &err), err);
    assert_in_range(each_file(f->dir, NULL), 1, 2); /* one more, and what it leaves room for */
    munmap(all, sizeof *all);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_comes_back),
        TEST(damage_is_seen_at_every_byte),
        TEST(nonsense_is_refused),
        cmocka_unit_test(tokens_are_names_of_files),
        TEST(a_folder_that_is_not_there_is_made),
        TEST(what_cannot_be_written_leaves_the_folder_as_it_was),
        TEST(leftovers_go_when_they_are_old),
        TEST(killed_processes_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
