/* SPDX-License-Identifier: Apache-2.0 */
/* program_test.c - equal sources are one program, and a source that does not compile is told with its line. */
#include "program.h"

#include <stdio.h>
#include <unistd.h>

#include "test_gpu.h"

#define HEAD "#version 310 es\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Y { int y[]; };\n"

struct fixture {
    struct arena arena;
    struct gl_programs programs;
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
    arena_free(&((struct fixture *)*state)->arena);
    return 0;
}

static uint32_t add(struct fixture *f, const char *text, const char *label)
{
    struct err err = {""};
    uint32_t index = 9999;

    TEST_OK(gl_programs_add(&f->programs, &f->arena, text, label, &index, &err), err);
    assert_true(index < f->programs.n);
    assert_string_equal(f->programs.list[index].text, text);
    return index;
}

/* More than any table begins with; each again from other memory and under another label. */
static void equal_sources_are_one_program(void **state)
{
    struct fixture *f = *state;
    uint32_t index[100];

    for (int i = 0; i < 100; i++) {
        index[i] = add(f, arena_printf(&f->arena, "source %d", i), "a");
        assert_int_equal(index[i], i);
    }
    for (int i = 99; i >= 0; i--)
        assert_int_equal(add(f, arena_printf(&f->arena, "source %d", i), "b"), index[i]);
    assert_int_equal(f->programs.n, 100);
}

/* Sources that one hash stands for are still different ones. */
static void sources_are_compared_to_the_end(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(add(f, "text", "a"), 0);
    assert_int_equal(add(f, "text ", "a"), 1);
    assert_int_equal(add(f, "tex", "a"), 2);
    assert_int_equal(add(f, "", "a"), 3);
    f->programs.list[0].hash = f->programs.list[1].hash;
    assert_int_equal(add(f, "text ", "a"), 1);
}

static void programs_are_built_and_freed(void **state)
{
    struct fixture *f = *state;
    struct gl_context *c = test_open_context();
    uint32_t before = test_gl_objects();
    struct err err = {""};

    for (int i = 0; i < 5; i++)
        add(f, arena_printf(&f->arena, HEAD "void main() { y[0] = %d; }\n", i % 3), "number");
    TEST_OK(gl_programs_build(&f->programs, c, NULL, &err), err);
    assert_int_equal(f->programs.n, 3);
    assert_int_equal(test_gl_objects(), before + 3); /* no shader is left beside its program */
    for (uint32_t i = 0; i < 3; i++)
        assert_true(glIsProgram(f->programs.list[i].program));
    gl_programs_free(&f->programs);
    assert_int_equal(test_gl_objects(), before);
    gl_programs_free(&f->programs); /* and again */
    gl_context_close(c);
}

static void bad_sources_are_told_with_their_line(void **state)
{
    struct fixture *f = *state;
    struct gl_context *c = test_open_context();
    uint32_t before = test_gl_objects();
    struct err err = {""};

    add(f, HEAD "void main() { y[0] = 1; }\n", "good");
    add(f, HEAD "void main()\n{\n    y[0] = nonsense;\n}\n", "conv 4x2 +RELU");
    add(f, HEAD "void main() { y[0] = 2; }\n", "after");
    assert_int_equal(gl_programs_build(&f->programs, c, NULL, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "the driver does not compile shader \"conv 4x2 +RELU\""));
    assert_non_null(strstr(err.msg, "line 6 is \"    y[0] = nonsense;\""));
    assert_non_null(strstr(strstr(err.msg, "shader"), "nonsense")); /* the driver's own words */
    assert_null(strchr(err.msg, '\n'));
    gl_programs_free(&f->programs);
    assert_int_equal(test_gl_objects(), before);
    TEST_OK(gl_context_check(c, "testing", &err), err); /* the failure left no GL error behind */
    gl_context_close(c);
}

static void dumped(const char *dir, const char *name, const char *text)
{
    char path[256], got[512] = "";
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_non_null(file = fopen(path, "r"));
    assert_int_equal(fread(got, 1, sizeof got - 1, file), strlen(text));
    fclose(file);
    unlink(path);
    assert_string_equal(got, text);
}

/* Before it is compiled, so that one that fails is there to read. */
static void sources_are_dumped(void **state)
{
    static const char good[] = HEAD "void main() { y[0] = 1; }\n", bad[] = HEAD "void main() { nonsense; }\n";
    struct fixture *f = *state;
    struct gl_context *c = test_open_context();
    char dir[] = "/tmp/program_test.XXXXXX", long_dir[5000] = "";
    struct err err = {""};

    assert_non_null(mkdtemp(dir));
    add(f, good, "conv 4x1/2 +RELU6");
    add(f, bad, "bad");
    assert_int_equal(gl_programs_build(&f->programs, c, dir, &err), ST_FAILED);
    dumped(dir, "000_conv_4x1_2_+RELU6.comp", good);
    dumped(dir, "001_bad.comp", bad);
    assert_int_equal(rmdir(dir), 0);
    gl_programs_free(&f->programs);
    f->programs = (struct gl_programs){0};
    add(f, good, "good");
    assert_int_equal(gl_programs_build(&f->programs, c, "/nonexistent/dir", &err), ST_IO);
    assert_non_null(strstr(err.msg, "/nonexistent/dir/000_good.comp: "));
    memset(long_dir, 'd', sizeof long_dir - 1);
    assert_int_equal(gl_programs_build(&f->programs, c, long_dir, &err), ST_IO);
    assert_non_null(strstr(err.msg, "too long"));
    gl_programs_free(&f->programs);
    gl_context_close(c);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_sources_are_one_program),
        TEST(sources_are_compared_to_the_end),
        TEST(programs_are_built_and_freed),
        TEST(bad_sources_are_told_with_their_line),
        TEST(sources_are_dumped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
