/* SPDX-License-Identifier: Apache-2.0 */
/* serialization_cache_test.c - a stored start gives the same results with less work; what is wrong with one is told once and made
 * anew. */
#define _GNU_SOURCE
#include "lib/gl/cache/serialization_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/hash64.h"
#include "lib/gl/device/binaries.h"
#include "lib/gl/testing/test_session.h"
#include "lib/testing/test_files.h"

enum { MOST = 40 }; /* entries of a folder */

struct fixture {
    char dir[64];
    struct loaded l;
    struct session *cpu;
    int32_t most;  /* partitions; 0: all */
    bool software; /* of the last start's device */
    int told;      /* warnings since the last start */
    char text[512];
};

/* Two partitions that share programs, a convolution in the first. */
static struct loaded network(uint64_t seed)
{
    struct builder b;
    int32_t x, y[5];

    builder_init(&b, "network");
    x = test_image(&b, "x");
    for (int i = 0; i < 5; i++)
        y[i] = test_image(&b, "y");
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), seed), test_weights(&b, SHAPE(C), 2)), INDICES(y[0]));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(y[0]), INDICES(y[1]));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(y[1], test_weights(&b, SHAPE(C), 3)), INDICES(y[2]));
    test_on_cpu(&b, y[2], y[3]);
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(y[3], test_weights(&b, SHAPE(C), 4)), INDICES(y[4]));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y[4]));
    return load(&b);
}

static int setup(void **state)
{
    struct fixture *f = *state = calloc(1, sizeof *f);

    if (!f)
        return -1;
    make_temp_dir(f->dir);
    f->l = network(1);
    f->cpu = test_start(&f->l, NULL);
    return 0;
}

/* The paths of the entries, at most MOST; how many there are. */
static int entries(const struct fixture *f, char path[MOST][320])
{
    DIR *d = opendir(f->dir);
    struct dirent *e;
    int n = 0;

    assert_non_null(d);
    while ((e = readdir(d)))
        if (*e->d_name != '.')
            snprintf(path[n++ % MOST], sizeof path[0], "%s/%s", f->dir, e->d_name);
    assert_true(n <= MOST);
    closedir(d);
    return n;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    char path[MOST][320];
    int n = entries(f, path);

    for (int i = 0; i < n; i++)
        unlink(path[i]);
    rmdir(f->dir);
    session_free(f->cpu);
    unload(&f->l);
    free(f);
    return 0;
}

static void hear(void *arg, const char *text)
{
    struct fixture *f = arg;

    f->told++;
    snprintf(f->text, sizeof f->text, "%s", text);
}

/* A start, two runs held against the CPU's, and what the start took. */
static struct delegate_facts run(struct fixture *f, struct gpu_options o)
{
    struct session_options so = {.mode = CPU_REFERENCE, .partition = {.max_partitions = f->most}};
    struct delegate_facts m;
    struct err err = {""};
    struct delegate *d;
    struct session *s;

    o.device = -1;
    o.serialize_token = "test";
    o.serialize_dir = o.serialize_dir ? o.serialize_dir : f->dir;
    d = test_open_gpu(o);
    if (!gl_binaries_can()) {
        delegate_close(d);
        skip();
    }
    d->warn = hear;
    d->warn_arg = f;
    f->told = 0;
    f->software = d->software;
    so.delegates[0] = d;
    TEST_OK(session_new(f->l.model, &so, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    if (o.precision <= GPU_PRECISION_FP32 && !o.precision_loss_allowed)
        for (int i = 0; i < 2; i++)
            test_compare(s, f->cpu, i);
    session_facts(s, NULL, &m);
    session_free(s);
    delegate_close(d);
    return m;
}

static uint64_t lowered(struct fixture *f)
{
    const struct delegate_facts m = run(f, (struct gpu_options){0});

    return fact_value(&m, "start.nodes_lowered");
}

static void the_second_start_makes_nothing(void **state)
{
    static const struct gl_policy staged = {.timer = true}; /* transfers go through staging: one set, and two */
    struct fixture *f = *state;
    struct delegate_facts cold = run(f, (struct gpu_options){0}), warm;

    assert_int_equal(fact_value(&cold, "start.programs_compiled"), fact_value(&cold, "work.programs"));
    assert_int_equal(fact_value(&cold, "start.programs_loaded"), 0);
    assert_int_equal(fact_value(&cold, "start.nodes_lowered"),
                     8); /* two nodes that are claimed and lowered again, and likewise two */
    assert_true(fact_value(&cold, "start.packed_bytes") > 0 &&
                fact_value(&cold, "memory.weights.float32") > 0); /* the second start has them from the plan */
    assert_int_equal(f->told, 0);
    warm = run(f, (struct gpu_options){0});
    assert_int_equal(fact_value(&warm, "start.programs_compiled"), 0);
    assert_int_equal(fact_value(&warm, "start.programs_loaded"), fact_value(&cold, "work.programs"));
    assert_int_equal(fact_value(&warm, "start.nodes_lowered"), 0);
    assert_int_equal(fact_value(&warm, "start.packed_bytes"), 0);
    assert_int_equal(f->told, 0);
    assert_true(fact_value(&cold, "compile") > 0 && !fact_value(&cold, "load") && fact_value(&cold, "pack") > 0);
    assert_true(!fact_value(&warm, "compile") && fact_value(&warm, "load") > 0 && fact_value(&warm, "pack") > 0);
    assert_int_equal(warm.n, cold.n);
    for (size_t i = 0; i < cold.n; i++)
        if (strncmp(cold.list[i].name, "start.", 6) && strcmp(cold.list[i].unit, "ns"))
            assert_int_equal(fact_value(&warm, cold.list[i].name), cold.list[i].value);
    cold = run(f, (struct gpu_options){.policy = &staged});
    warm = run(f, (struct gpu_options){.policy = &staged, .wait = GPU_WAIT_NONE});
    assert_true(!fact_value(&warm, "start.nodes_lowered") &&
                fact_value(&warm, "memory.staging") == 2 * fact_value(&cold, "memory.staging"));
}

/* Then the sources are. */
static void drivers_may_keep_their_programs_to_themselves(void **state)
{
    const struct gpu_options none = {.no_binaries = true};
    struct fixture *f = *state;
    struct delegate_facts cold = run(f, none), warm, again;

    assert_int_equal(f->told, 1);
    assert_non_null(strstr(f->text, "the driver does not give its programs to be stored"));
    warm = run(f, none);
    assert_int_equal(f->told, 0);
    assert_int_equal(fact_value(&warm, "start.programs_compiled"), fact_value(&cold, "work.programs"));
    assert_int_equal(fact_value(&warm, "start.programs_loaded"), 0);
    assert_int_equal(fact_value(&warm, "start.nodes_lowered"), 0);
    assert_int_equal(fact_value(&warm, "start.packed_bytes"), 0);
    assert_true(lowered(f) > 0); /* sources are no reason to compile where it does */
    again = run(f, (struct gpu_options){0});
    assert_int_equal(fact_value(&again, "start.programs_compiled"), 0);
}

/* With other weights a model is another, under the same token too. */
static void other_models_are_other_entries(void **state)
{
    struct fixture *f = *state;
    struct delegate_facts m;

    run(f, (struct gpu_options){0});
    session_free(f->cpu);
    unload(&f->l);
    f->l = network(9);
    f->cpu = test_start(&f->l, NULL);
    m = run(f, (struct gpu_options){0});
    assert_int_equal(fact_value(&m, "start.nodes_lowered"), 8);
    assert_int_equal(f->told, 0);
}

/* Partitions of one graph share memory: one without the others is not what was stored. */
static void partitions_are_restored_together(void **state)
{
    struct fixture *f = *state;
    char path[MOST][320];
    int n;

    run(f, (struct gpu_options){0});
    assert_int_equal(n = entries(f, path), 3); /* claims and two partitions */
    for (int i = 0; i < n; i++) {
        unlink(path[i]);
        assert_true(lowered(f) > 0);
        assert_int_equal(lowered(f), 0);
    }
    f->most = 1;
    assert_true(lowered(f) > 0);
    assert_int_equal(lowered(f), 0);
    f->most = 0;
    assert_true(lowered(f) > 0);
    assert_int_equal(f->told, 0);
}

/* What an option or a device changes is another entry. */
static void other_circumstances_are_other_entries(void **state)
{
    static const struct gl_policy textures = {.textures = true, .iterations = GL_FEW_ITERATIONS};
    const struct gpu_options other[] = {{.precision = GPU_PRECISION_FP16_STORAGE},
                                        {.precision = GPU_PRECISION_FP16_STORAGE, .fp32_nodes = "0"},
                                        {.precision = GPU_PRECISION_FP16_SUM32, .fp32_nodes = "0"},
                                        {.pick = {.variant = 1}},
                                        {.objects = GPU_OBJECTS_TEXTURE},
                                        {.objects = GPU_OBJECTS_BUFFER},
                                        {.objects = GPU_OBJECTS_FASTEST, .tuning = GPU_TUNING_FAST},
                                        {.objects = GPU_OBJECTS_IMAGE, .tuning = GPU_TUNING_FAST},
                                        {.objects = GPU_OBJECTS_FASTEST, .tuning = GPU_TUNING_FAST, .policy = &textures},
                                        {.objects = GPU_OBJECTS_TEXTURE, .tuning = GPU_TUNING_FAST, .policy = &textures}};
    struct fixture *f = *state;

    run(f, (struct gpu_options){.objects = GPU_OBJECTS_FASTEST});
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        struct delegate_facts m = run(f, other[i]);

        /* Where the device prefers buffers, the last is no other. */
        assert_true(fact_value(&m, "start.nodes_lowered") > 0 || other[i].objects == GPU_OBJECTS_BUFFER);
        assert_true(other[i].tuning || (fact_value(&m, "textures") > 0) == (other[i].objects == GPU_OBJECTS_TEXTURE));
        for (uint32_t starts = 0; fact_value(&m, "tuning_goes_on") && starts < 100; starts++)
            m = run(f, other[i]);
        m = run(f, other[i]);
        assert_int_equal(fact_value(&m, "start.nodes_lowered"), 0);
        assert_int_equal(f->told, 0);
    }
}

/* As with taskset: where processors are the device, what was made for several is not for one. */
static void another_number_of_processors_is_another_start(void **state)
{
    struct fixture *f = *state;
    cpu_set_t all, one;

    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        skip();
    CPU_ZERO(&one);
    for (int i = 0; !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    run(f, (struct gpu_options){0});
    for (int i = 0; i < 4; i++) {
        const cpu_set_t *now = i % 2 ? &all : &one;
        struct delegate_facts m;

        assert_int_equal(sched_setaffinity(0, sizeof *now, now), 0);
        m = run(f, (struct gpu_options){0});
        assert_int_equal(fact_value(&m, "start.nodes_lowered") > 0, i == 0 && f->software);
        assert_int_equal(f->told, 0);
    }
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* One warning, the right results, and a whole entry afterwards. */
static void is_made_anew(struct fixture *f, const char *path, const uint8_t *data, size_t n, const char *why)
{
    struct delegate_facts m;

    write_file(path, data, n);
    m = run(f, (struct gpu_options){0});
    assert_true(fact_value(&m, "start.nodes_lowered") > 0);
    assert_int_equal(f->told, 1);
    if (!strstr(f->text, why))
        fail_msg("\"%s\" is not in \"%s\"", why, f->text);
    m = run(f, (struct gpu_options){0});
    assert_int_equal(fact_value(&m, "start.nodes_lowered"), 0);
    assert_int_equal(f->told, 0);
}

/* store_test does this to every byte. */
static void damaged_entries_are_made_anew(void **state)
{
    static uint8_t data[1 << 18], changed[1 << 18];
    struct fixture *f = *state;
    char path[MOST][320];
    size_t n;

    run(f, (struct gpu_options){0});
    assert_true(entries(f, path) > 0);
    n = read_file(path[0], data, sizeof data);
    for (size_t i = 0; i < n; i += n / 7) {
        memcpy(changed, data, n);
        changed[i] ^= 1;
        is_made_anew(f, path[0], changed, n, path[0]);
        is_made_anew(f, path[0], data, i, "is damaged");
    }
}

/* Whole by its hashes, and yet no plan. */
static void foreign_plans_are_made_anew(void **state)
{
    static uint8_t data[1 << 18];
    struct fixture *f = *state;
    const struct store_section *plan = NULL;
    char path[MOST][320], key[SHA256_HEX_SIZE];
    size_t n = 0, count;

    run(f, (struct gpu_options){0});
    count = entries(f, path);
    for (size_t i = 0; i < count && !plan; i++) {
        struct store_entry e;

        n = read_file(path[i], data, sizeof data);
        store_seal(data, n, key);
        assert_int_equal(store_parse(data, n, key, &e, NULL), ST_OK);
        if ((plan = store_find(&e, 1))) {
            data[(const uint8_t *)plan->data - data] ^= 1;
            store_seal(data, n, key);
            is_made_anew(f, path[i], data, n, "a stored partition is not this one");
        }
    }
    assert_non_null(plan);
}

/* Changes every binary of an entry that has some; false: it has none. */
static bool spoil_binaries(uint8_t *data, size_t n)
{
    const struct store_section *s;
    char key[SHA256_HEX_SIZE];
    struct store_entry e;
    struct gl_binary b;

    store_seal(data, n, key);
    assert_int_equal(store_parse(data, n, key, &e, NULL), ST_OK);
    if (!(s = store_find(&e, 3)))
        return false;
    for (size_t at = 0; at + sizeof b <= s->bytes; at += sizeof b + (b.bytes + 7) / 8 * 8) {
        uint8_t *record = data + ((const uint8_t *)s->data - data) + at;

        memcpy(&b, record, sizeof b);
        memset(record + sizeof b + b.bytes / 2, 0x55, b.bytes / 4);
    }
    store_seal(data, n, key);
    return true;
}

/* The driver, not the hash, has the last word about what is in a program. */
static void refused_programs_are_compiled(void **state)
{
    static _Alignas(STORE_ALIGN) uint8_t data[1 << 18];
    struct fixture *f = *state;
    char path[MOST][320];
    int files, spoilt = 0;

    run(f, (struct gpu_options){0});
    files = entries(f, path);
    for (int i = 0; i < files; i++) {
        size_t n = read_file(path[i], data, sizeof data);

        if (spoil_binaries(data, n) && ++spoilt)
            is_made_anew(f, path[i], data, n, "the driver does not take");
    }
    assert_int_equal(spoilt, 2); /* partitions */
}

static void folders_that_cannot_be_written_are_no_trouble(void **state)
{
    struct fixture *f = *state;

    run(f, (struct gpu_options){.serialize_dir = "/nonexistent/dir"});
    assert_int_equal(f->told, 1);
    assert_non_null(strstr(f->text, "not stored for the next: /nonexistent/dir: the folder cannot be made: No such file"));
    run(f, (struct gpu_options){.serialize_dir = "/dev/null"});
    assert_int_equal(f->told, 1);
    assert_non_null(strstr(f->text, "no start can be stored there: /dev/null"));
}

static void a_folder_in_place_of_an_entry_is_told_once(void **state)
{
    struct fixture *f = *state;
    char path[MOST][320];
    int n;

    run(f, (struct gpu_options){0});
    n = entries(f, path);
    for (int i = 0; i < n; i++) {
        unlink(path[i]);
        assert_int_equal(mkdir(path[i], 0700), 0);
        run(f, (struct gpu_options){0});
        assert_int_equal(f->told, 1);
        assert_non_null(strstr(f->text, path[i]));
        assert_true(strstr(f->text, "no start can be stored there: ") && strstr(f->text, "is no file"));
        assert_int_equal(rmdir(path[i]), 0);
        run(f, (struct gpu_options){0});
    }
}

/* What nobody used for longest makes room. */
static void folders_have_a_bound(void **state)
{
    const struct timespec then[2] = {{1000000, 0}, {1000000, 0}};
    struct fixture *f = *state;
    char old[128], path[MOST][320];

    snprintf(old, sizeof old, "%s/old_0123456789abcdef0123456789abcdef.dgs", f->dir);
    for (int32_t max_mb = 2; max_mb >= 1; max_mb--) {
        write_file(old, (const uint8_t *)"", 0);
        assert_int_equal(truncate(old, 1000000), 0);
        assert_int_equal(utimensat(AT_FDCWD, old, then, 0), 0);
        run(f, (struct gpu_options){.serialize_max_mb = max_mb, .precision_loss_allowed = max_mb == 1});
        assert_int_equal(f->told, 0);
        assert_int_equal(access(old, F_OK), max_mb == 2 ? 0 : -1);
    }
    assert_int_equal(entries(f, path), 6);
}

/* Two files whose hash64 is the same, as in hash64_test. */
static void all_of_a_model_is_hashed_well(void **state)
{
    const uint64_t a = 0x9e3779b97f4a7c15u, b = 0xd6e8feb86659fd93u;
    uint64_t file[2][8] = {{5, 0, 0, 0, 9}, {6, 0, 0, 0, 9}}, lane[2], inverse = b;
    char key[2][SHA256_HEX_SIZE];

    (void)state;
    for (int i = 0; i < 2; i++) {
        lane[i] = 1 + file[i][0] * b;
        lane[i] = (lane[i] << 31 | lane[i] >> 33) * a;
    }
    for (int i = 0; i < 6; i++)
        inverse *= 2 - b * inverse;
    file[1][4] += (lane[0] - lane[1]) * inverse;
    assert_true(hash64(file[0], sizeof file[0]) == hash64(file[1], sizeof file[1]));
    for (int i = 0; i < 2; i++) {
        struct gl_cache s = {.dir = "dir", .device = "device"};
        struct model m = {.file = (uint8_t *)file[i], .file_bytes = sizeof file[i]};

        gl_cache_see(&s, &(struct graph){.model = &m});
        memcpy(key[i], s.graph, sizeof key[i]);
    }
    assert_string_not_equal(key[0], key[1]);
}

/* One file, and other weights outside of it. */
static void weights_outside_are_hashed(void **state)
{
    static const uint8_t file[8] = "a model", weights[2][4] = {{1}, {2}};
    char key[2][SHA256_HEX_SIZE];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct gl_cache s = {.dir = "dir", .device = "device"};
        struct model_group group = {.range = {.data = weights[i], .bytes = 4}};
        struct model m = {.file = file, .file_bytes = sizeof file, .groups = &group, .n_groups = 1};

        gl_cache_see(&s, &(struct graph){.model = &m});
        memcpy(key[i], s.graph, sizeof key[i]);
    }
    assert_string_not_equal(key[0], key[1]);
}

static void both_options_or_none(void **state)
{
    static const char *const wrong[][2] = {{"dir", ""},     {"dir", NULL},  {"", "token"},
                                           {NULL, "token"}, {"dir", "a/b"}, {"dir", ".a"}};
    struct gl_cache s;
    struct err err = {""};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(gl_cache_init(&s, NULL, wrong[i][0], wrong[i][1], 0, &err), ST_USAGE);
        assert_non_null(strstr(err.msg, "--delegate_serialize_token"));
        assert_null(s.dir);
    }
    TEST_OK(gl_cache_init(&s, NULL, "", NULL, 0, &err), err);
    assert_null(s.dir);
    TEST_OK(gl_cache_init(&s, NULL, "dir", "token", 0, &err), err);
    assert_non_null(s.dir);
    for (int i = 0; i < 2; i++)
        gl_cache_fini(&s);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_second_start_makes_nothing),
        TEST(drivers_may_keep_their_programs_to_themselves),
        TEST(other_models_are_other_entries),
        TEST(partitions_are_restored_together),
        TEST(other_circumstances_are_other_entries),
        TEST(another_number_of_processors_is_another_start),
        TEST(damaged_entries_are_made_anew),
        TEST(foreign_plans_are_made_anew),
        TEST(refused_programs_are_compiled),
        TEST(folders_that_cannot_be_written_are_no_trouble),
        TEST(folders_have_a_bound),
        TEST(a_folder_in_place_of_an_entry_is_told_once),
        cmocka_unit_test(both_options_or_none),
        cmocka_unit_test(all_of_a_model_is_hashed_well),
        cmocka_unit_test(weights_outside_are_hashed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
