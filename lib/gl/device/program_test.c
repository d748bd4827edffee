/* SPDX-License-Identifier: Apache-2.0 */
/* program_test.c - equal sources are one program for all users, and a source that does not compile is told with its line. */
#include "lib/gl/device/program.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/base/arena.h"
#include "lib/gl/device/program_build.h"
#include "lib/gl/testing/test_gpu.h"
#include "lib/testing/test_files.h"

#define HEAD "#version 310 es\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Y { int y[]; };\n"

struct fixture {
    struct arena arena; /* of the sources */
    struct gl_programs programs;
    struct gl_program_set set;
};

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){0};
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    gl_programs_release(NULL, &f->set);
    gl_programs_fini(&f->programs);
    arena_free(&f->arena);
    return 0;
}

static uint32_t add(struct gl_programs *ps, struct gl_program_set *set, const char *text, const char *label)
{
    struct err err = {""};
    uint32_t index = 9999;

    TEST_OK(gl_programs_add(ps, set, text, label, &index, &err), err);
    assert_true(index < set->n);
    assert_true(set->list[index]->built || strcmp(set->list[index]->text, text) == 0);
    return index;
}

static const char *numbered(struct fixture *f, int i)
{
    return arena_printf(&f->arena, HEAD "void main() { y[0] = %d; }\n", i);
}

/* More than any table begins with; each again from other memory and under another label. */
static void equal_sources_are_one_program(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 100; i++)
        assert_int_equal(add(&f->programs, &f->set, numbered(f, i), "a"), i);
    for (int i = 99; i >= 0; i--)
        assert_int_equal(add(&f->programs, &f->set, numbered(f, i), "b"), i);
    assert_int_equal(f->programs.n, 100);
    assert_int_equal(f->set.n, 100);
    assert_int_equal(f->set.first, 100);
}

static void sources_are_compared_to_the_end(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(add(&f->programs, &f->set, "text", "a"), 0);
    assert_int_equal(add(&f->programs, &f->set, "text ", "a"), 1);
    assert_int_equal(add(&f->programs, &f->set, "tex", "a"), 2);
    assert_int_equal(add(&f->programs, &f->set, "", "a"), 3);
}

static void build(struct gl_program_set *set)
{
    struct err err = {""};

    TEST_OK(gl_programs_build(set, &(struct gl_building){.keep = true}, &err), err);
    for (uint32_t i = 0; i < set->n; i++) {
        assert_true(set->list[i]->built && glIsProgram(set->list[i]->program));
        assert_null(set->list[i]->text);
    }
}

static void programs_are_built_and_freed(void **state)
{
    struct fixture *f = *state;
    struct gl_context *c = test_open_context();
    uint32_t before = test_gl_objects();

    for (int i = 0; i < 5; i++)
        add(&c->programs, &f->set, numbered(f, i % 3), "number");
    build(&f->set);
    assert_int_equal(c->programs.n, 3);
    assert_int_equal(test_gl_objects(), before + 3); /* no shader is left beside its program */
    gl_programs_release(&c->programs, &f->set);
    assert_int_equal(c->programs.n, 0);
    assert_int_equal(test_gl_objects(), before);
    gl_programs_release(&c->programs, &f->set); /* and again */
    gl_context_close(c);
}

/* Indices are each user's own; a program is compiled for the first and goes with the last. */
static void users_share_programs(void **state)
{
    struct fixture *f = *state;
    struct gl_context *c = test_open_context();
    struct gl_program_set other = {0};
    uint32_t before = test_gl_objects();
    GLuint shared;

    add(&c->programs, &f->set, numbered(f, 0), "number");
    assert_int_equal(add(&c->programs, &f->set, numbered(f, 1), "number"), 1);
    build(&f->set);
    shared = f->set.list[1]->program;
    assert_int_equal(add(&c->programs, &other, numbered(f, 1), "number"), 0);
    add(&c->programs, &other, numbered(f, 2), "number");
    build(&other);
    assert_int_equal(other.list[0]->program, shared);
    assert_int_equal(f->set.first + other.first, 3);
    assert_int_equal(test_gl_objects(), before + 3);
    gl_programs_release(&c->programs, &f->set);
    assert_int_equal(test_gl_objects(), before + 2);
    assert_true(glIsProgram(shared));
    gl_programs_release(NULL, &other); /* as on another thread: they stay */
    assert_int_equal(test_gl_objects(), before + 2);
    assert_int_equal(c->programs.n, 2);
    gl_context_close(c);
}

static void bad_sources_are_told_with_their_line(void **state)
{
    struct fixture *f = *state;
    struct gl_context *c = test_open_context();
    struct gl_program_set other = {0};
    uint32_t before = test_gl_objects();
    struct err err = {""};

    add(&c->programs, &f->set, HEAD "void main() { y[0] = 1; }\n", "good");
    add(&c->programs, &f->set, HEAD "void main()\n{\n    y[0] = nonsense;\n}\n", "conv 4x2 +RELU");
    add(&c->programs, &f->set, HEAD "void main() { y[0] = 2; }\n", "after");
    add(&c->programs, &other, HEAD "void main() { y[0] = 2; }\n", "after");
    assert_int_equal(gl_programs_build(&f->set, &(struct gl_building){.parallel = c->parallel_compile}, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "the driver does not compile shader \"conv 4x2 +RELU\""));
    assert_non_null(strstr(err.msg, "line 6 is \"    y[0] = nonsense;\""));
    assert_non_null(strstr(strstr(err.msg, "shader"), "nonsense")); /* the driver's own words */
    assert_null(strchr(err.msg, '\n'));
    assert_int_equal(test_gl_objects(), before + 2); /* the good ones */
    assert_true(f->set.list[0]->built && f->set.list[2]->built);
    assert_string_equal(f->set.list[1]->refusal, err.msg);
    gl_programs_release(&c->programs, &f->set);
    assert_int_equal(test_gl_objects(), before + 1); /* what the other holds */
    build(&other);                                   /* the failure of one user is not that of another */
    gl_programs_release(&c->programs, &other);
    TEST_OK(gl_context_check(c, "testing", &err), err); /* the failure left no GL error behind */
    gl_context_close(c);
}

static void dumped(const char *dir, const char *name, const char *text)
{
    char path[256], hash[SHA256_HEX_SIZE], got[512] = "";

    snprintf(path, sizeof path, "%s/%s-%.12s.comp", dir, name, sha256_hex(text, strlen(text), hash));
    assert_int_equal(read_file(path, got, sizeof got), strlen(text));
    unlink(path);
    assert_string_equal(got, text);
}

static void dump_fails(struct gl_program_set *set, const char *dir, const char *why)
{
    struct err err = {""};

    assert_int_equal(gl_programs_build(set, &(struct gl_building){.dump_dir = dir}, &err), ST_IO);
    if (!strstr(err.msg, why))
        fail_msg("%s", err.msg);
}

/* No file may grow beyond 100 bytes: to who writes, a full disk. */
static void nothing_is_left_half_written(struct gl_program_set *set, const char *dir)
{
    struct rlimit before, little;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &little);
    dump_fails(set, dir, dir);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(rmdir(dir), 0);
}

/* Before it is compiled, so that one that fails is there to read; programs of one label have files of their own, and one that is
 * there already is not written again. */
static void sources_are_dumped(void **state)
{
    static const char good[] = HEAD "void main() { y[0] = 1; }\n", second[] = HEAD "void main() { y[0] = 2; }\n",
                      bad[] = HEAD "void main() { nonsense; }\n";
    struct fixture *f = *state;
    struct gl_context *c = test_open_context();
    char dir[64], long_dir[5000] = "", long_label[1000] = "";
    struct err err = {""};

    make_temp_dir(dir);
    add(&c->programs, &f->set, good, "conv 4x1/2 +RELU6");
    add(&c->programs, &f->set, second, "conv 4x1/2 +RELU6");
    TEST_OK(gl_programs_build(&f->set, &(struct gl_building){.dump_dir = dir}, &err), err);
    dumped(dir, "conv_4x1_2_+RELU6", good);
    dumped(dir, "conv_4x1_2_+RELU6", second);
    add(&c->programs, &f->set, bad, "bad");
    assert_int_equal(gl_programs_build(&f->set, &(struct gl_building){.dump_dir = dir}, &err), ST_FAILED);
    dumped(dir, "bad", bad);
    memset(long_label, 'l', sizeof long_label - 1);
    add(&c->programs, &f->set, bad + 1, long_label);
    assert_int_equal(gl_programs_build(&f->set, &(struct gl_building){.dump_dir = dir}, &err), ST_FAILED);
    long_label[200] = 0;
    dumped(dir, long_label, bad + 1);
    add(&c->programs, &f->set, bad + 2, "bad");
    nothing_is_left_half_written(&f->set, dir);
    dump_fails(&f->set, "/nonexistent/dir", "/nonexistent/dir/bad-");
    dump_fails(&f->set, "/dev/null", "/dev/null/bad-");
    memset(long_dir, 'd', sizeof long_dir - 1);
    dump_fails(&f->set, long_dir, "too long");
    gl_programs_release(&c->programs, &f->set);
    gl_context_close(c);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_sources_are_one_program), TEST(sources_are_compared_to_the_end),      TEST(programs_are_built_and_freed),
        TEST(users_share_programs),          TEST(bad_sources_are_told_with_their_line), TEST(sources_are_dumped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
