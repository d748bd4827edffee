/* SPDX-License-Identifier: Apache-2.0 */
/* model_source_test.c - models from files, descriptors and pipes, and sources that are not well formed. */
#include "bench/models/builder.h"
#include "cmd/host/model_source.h"
#include "lib/testing/test.h"

#include <stdlib.h>
#include <unistd.h>

static uint8_t *file;
static size_t bytes;
static struct err err;

static int build(void **state)
{
    struct builder b;
    int32_t x, y;

    (void)state;
    builder_init(&b, "source");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 4));
    build_op(&b, BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    TEST_OK(model_serialize(&b.model, &file, &bytes, &err), err);
    builder_fini(&b);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    free(file);
    return 0;
}

/* Opens what `fd` has under the source that `fmt` makes of fd and size. */
static enum status open_fd(const char *fmt, int fd, size_t size, const char *name)
{
    char source[64];
    struct model *m;
    void *data;
    enum status st;

    snprintf(source, sizeof source, fmt, fd, size);
    st = model_source_open(source, NULL, &m, &data, &err);
    assert_int_equal(!st, m && data);
    if (!st)
        assert_string_equal(model_op_name(m, &m->subgraphs[0].ops[0]), name);
    model_close(m);
    free(data);
    return st;
}

static void from_a_descriptor(void **state)
{
    FILE *f = tmpfile();

    (void)state;
    assert_int_equal(fwrite("junk", 1, 4, f) + fwrite(file, 1, bytes, f), bytes + 4);
    assert_int_equal(fflush(f), 0);
    TEST_OK(open_fd("fd:%d:4:%zu", fileno(f), bytes, "RELU"), err);
    assert_int_equal(open_fd("fd:%d:0:%zu", fileno(f), bytes, ""), ST_BAD_MODEL);
    assert_int_equal(open_fd("fd:%d:4:%zu", fileno(f), bytes + 1, ""), ST_IO);
    assert_non_null(strstr(err.msg, "it ends after"));
    assert_int_equal(open_fd("fd:%d:4:%zu", fileno(f), 0, ""), ST_BAD_MODEL);
    fclose(f);
    assert_int_equal(open_fd("fd:%d:0:%zu", 1000, bytes, ""), ST_IO);
}

/* The writing end that is named is closed, so that a pipe which ends too soon does not block. */
static void from_a_pipe(void **state)
{
    char format[64];
    int ends[2];

    (void)state;
    for (size_t more = 0; more < 2; more++) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], file, bytes), bytes);
        snprintf(format, sizeof format, "pipe:%%d:%d:%%zu", ends[1]);
        assert_int_equal(open_fd(format, ends[0], bytes + more, "RELU"), more ? ST_IO : ST_OK);
        assert_int_not_equal(write(ends[1], "x", 1), 1);
        close(ends[0]);
    }
}

static void not_well_formed(void **state)
{
    static const char *const bad[] = {"fd:",
                                      "fd:1",
                                      "fd:1:2",
                                      "fd:1:2:3:4",
                                      "fd:-1:0:5",
                                      "fd:1:-1:5",
                                      "fd:a:0:5",
                                      "fd:1:0:5x",
                                      "pipe:1:-2:5",
                                      "pipe:1::5",
                                      "fd:1:0:-5",
                                      "buffer:1:2",
                                      "fd:1:0:99999999999999999999"};
    struct model *m;
    void *data;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(model_source_open(bad[i], NULL, &m, &data, &err), ST_USAGE);
        assert_null(m);
        assert_null(data);
    }
    assert_int_equal(model_source_open("nowhere:1", NULL, &m, &data, &err), ST_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_a_descriptor),
        cmocka_unit_test(from_a_pipe),
        cmocka_unit_test(not_well_formed),
    };

    return cmocka_run_group_tests(tests, build, drop);
}
