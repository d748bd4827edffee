/* SPDX-License-Identifier: Apache-2.0 */
/* driver_cache_test.c - which variables are asked for, and when none are. */
#include "lib/gl/device/driver_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/gl/gpu/gpu.h"
#include "lib/testing/test.h"

/* What the environment holds in a test, and what was asked for: "NAME=value ". */
static struct {
    const char *name, *value;
} has;
static char asked[4096];

static char *get(const char *name)
{
    return has.name && !strcmp(name, has.name) ? (char *)has.value : NULL;
}

static void set(void *arg, const char *name, const char *value)
{
    size_t n = strlen(asked);

    assert_ptr_equal(arg, &has);
    snprintf(asked + n, sizeof asked - n, "%s=%s ", name, value);
}

/* What is asked for in an environment with NAME=value. */
static const char *ask(const char *dir, int32_t max_mb, const char *name, const char *value)
{
    const struct delegate_environment env = {get, set, &has};

    has.name = name;
    has.value = value;
    asked[0] = '\0';
    gl_driver_cache(dir, max_mb, &env);
    return asked;
}

static void a_folder_of_the_folder(void **state)
{
    char dir[] = "/tmp/driver_cache_test.XXXXXX", want[512];

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(want, sizeof want, "MESA_SHADER_CACHE_DIR=%s/mesa MESA_SHADER_CACHE_DISABLE=false MESA_SHADER_CACHE_MAX_SIZE=20M ",
             dir);
    assert_string_equal(ask(dir, 20, NULL, NULL), want);
    assert_string_equal(ask(dir, 20, "MESA_SHADER_CACHE_DISABLE", "true"), want);
    assert_string_equal(ask(dir, 20, "LP_NATIVE_VECTOR_WIDTH", "../x"), want);
    *strstr(want, "MESA_SHADER_CACHE_MAX") = '\0';
    assert_string_equal(ask(dir, 0, NULL, NULL), want);
    assert_string_equal(ask(dir, 20, "MESA_SHADER_CACHE_MAX_SIZE", "1G"), want);
    snprintf(want, sizeof want, "MESA_SHADER_CACHE_DIR=%s/mesa-512 MESA_SHADER_CACHE_DISABLE=false ", dir);
    assert_string_equal(ask(dir, 0, "LP_NATIVE_VECTOR_WIDTH", "512"), want);
    rmdir(dir);
}

static void none_where_the_user_has_chosen(void **state)
{
    (void)state;
    assert_string_equal(ask("/tmp", 20, "MESA_SHADER_CACHE_DIR", "/elsewhere"), "");
    assert_string_equal(ask("/tmp", 20, "MESA_GLSL_CACHE_DIR", "/elsewhere"), "");
}

/* In the place of the C library's. */
static bool full;

int statvfs(const char *restrict path, struct statvfs *restrict disk)
{
    assert_non_null(path);
    *disk = (struct statvfs){.f_frsize = 4096, .f_bavail = full ? 400 : 4000};
    return 0;
}

static void none_on_a_full_disk(void **state)
{
    (void)state;
    full = true;
    assert_string_equal(ask("/tmp", 20, NULL, NULL), "");
    full = false;
    assert_string_not_equal(ask("/tmp", 20, NULL, NULL), "");
}

/* The first start has its cache in it, too. */
static void a_folder_that_is_not_there_yet(void **state)
{
    char parent[] = "/tmp/driver_cache_test.XXXXXX", dir[64], want[128];
    struct stat info;

    (void)state;
    assert_non_null(mkdtemp(parent));
    snprintf(dir, sizeof dir, "%s/new", parent);
    snprintf(want, sizeof want, "MESA_SHADER_CACHE_DIR=%s/mesa ", dir);
    assert_non_null(strstr(ask(dir, 20, NULL, NULL), want));
    assert_int_equal(stat(dir, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    rmdir(dir);
    rmdir(parent);
}

static void none_where_there_is_no_folder(void **state)
{
    (void)state;
    assert_string_equal(ask("/nonexistent/dir", 20, NULL, NULL), "");
    assert_string_equal(ask("/dev/null", 20, NULL, NULL), "");
}

/* The delegate asks where starts are stored, and not otherwise. */
static void the_delegate_passes_it_on(void **state)
{
    const struct delegate_environment env = {get, set, &has};
    struct {
        const char *dir;
        bool any;
    } cases[] = {{NULL, false}, {"", false}, {"/tmp", true}};

    (void)state;
    has.name = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gpu_options o = {.serialize_dir = cases[i].dir, .serialize_token = "t"};

        asked[0] = '\0';
        delegate_gpu.environment(&o, &env);
        assert_int_equal(asked[0] != '\0', cases[i].any);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_of_the_folder),    cmocka_unit_test(none_where_the_user_has_chosen),
        cmocka_unit_test(none_on_a_full_disk),       cmocka_unit_test(none_where_there_is_no_folder),
        cmocka_unit_test(the_delegate_passes_it_on), cmocka_unit_test(a_folder_that_is_not_there_yet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
