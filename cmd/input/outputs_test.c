/* SPDX-License-Identifier: Apache-2.0 */
/* outputs_test.c - the bytes of a model's outputs in files. */
#include "cmd/host/files.h"
#include "cmd/input/outputs.h"
#include "cmd/testing/test_capture.h"
#include "lib/testing/test_delegate.h"
#include "lib/testing/test_files.h"

/* NEG and ABS of the input, each an output. */
static struct session *two_outputs(struct loaded *l)
{
    struct session_options opt = {.num_threads = 1};
    struct session *s;
    struct builder b;
    struct err err;
    int32_t x, y0, y1;

    builder_init(&b, "two");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2));
    y0 = build_tensor(&b, "y0", TYPE_FLOAT32, SHAPE(2));
    y1 = build_tensor(&b, "y1", TYPE_FLOAT32, SHAPE(2));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y0));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(y1));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y0, y1));
    *l = load(&b);
    TEST_OK(session_new(l->model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    memcpy(session_input(s, 0)->data, (float[]){-1, 2}, 8);
    TEST_OK(session_run(s, &err), err);
    return s;
}

static void in_a_folder_and_in_one_file(void **state)
{
    char dir[64], sub[96], path[128], command[128];
    struct session *s;
    struct loaded l;
    struct err err;
    float y[4];

    (void)state;
    make_temp_dir(dir);
    s = two_outputs(&l);
    snprintf(sub, sizeof sub, "%s/new/deep", dir);
    TEST_OK(outputs_write_dir(s, sub, &err), err);
    snprintf(path, sizeof path, "%s/output_0.bin", sub);
    TEST_OK(file_read_exact(path, y, 8, &err), err);
    assert_true(y[0] == 1 && y[1] == -2);
    snprintf(path, sizeof path, "%s/output_1.bin", sub);
    TEST_OK(file_read_exact(path, y, 8, &err), err);
    assert_true(y[0] == 1 && y[1] == 2);
    snprintf(path, sizeof path, "%s/all", dir);
    TEST_OK(outputs_write_file(s, path, &err), err);
    TEST_OK(file_read_exact(path, y, 16, &err), err);
    assert_true(y[0] == 1 && y[1] == -2 && y[2] == 1 && y[3] == 2);
    assert_int_equal(outputs_write_dir(s, path, &err), ST_IO);
    session_free(s);
    unload(&l);
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
}

/* Outputs "a", FLOAT32, "b", INT32, and "c", BOOL, for which there is no list. */
static struct session *three_types(struct loaded *l)
{
    struct session_options opt = {.num_threads = 1};
    struct session *s;
    struct builder b;
    struct err err;
    int32_t x, i, y, z, c;

    builder_init(&b, "types");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2));
    i = build_tensor(&b, "i", TYPE_INT32, SHAPE(2));
    y = build_tensor(&b, "a", TYPE_FLOAT32, SHAPE(2));
    z = build_tensor(&b, "b", TYPE_INT32, SHAPE(2));
    c = build_tensor(&b, "c", TYPE_BOOL, SHAPE(2));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(i), INDICES(z));
    build_op(&b, BUILTIN_LESS, 1, NULL, INDICES(x, y), INDICES(c));
    build_inputs(&b, INDICES(x, i));
    build_outputs(&b, INDICES(y, z, c));
    *l = load(&b);
    TEST_OK(session_new(l->model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    memcpy(session_input(s, 0)->data, (float[]){-1, 2}, 8);
    memcpy(session_input(s, 1)->data, (int32_t[]){1, -300}, 8);
    TEST_OK(session_run(s, &err), err);
    return s;
}

/* Read by hand with the field numbers of example.proto and feature.proto; scripts/test/profile_test.py has the readers of others.
 */
static void as_an_example(void **state)
{
    static const unsigned char wanted[] = {
        10, 42,                                                                                              /* features */
        10, 17, 10, 1, 'a', 18, 12, 18, 10, 10, 8,  0,   0,   128, 63,  0,   0,   0,   192,                  /* a: floats 1, -2 */
        10, 21, 10, 1, 'b', 18, 16, 26, 14, 10, 12, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 172, 2}; /* b: -1, 300 */
    unsigned char got[sizeof wanted];
    char dir[64], path[96], command[128];
    struct capture warned;
    struct session *s;
    struct loaded l;
    struct err err;

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/e", dir);
    s = three_types(&l);
    capture_begin(&warned, 2);
    TEST_OK(outputs_write_example(s, path, &err), err);
    assert_string_equal(capture_end(&warned),
                        "WARN: --output_proto_filepath: output 'c' is left out: tf.Example has no list for BOOL\n");
    TEST_OK(file_read_exact(path, got, sizeof got, &err), err);
    assert_memory_equal(got, wanted, sizeof got);
    session_free(s);
    unload(&l);
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_a_folder_and_in_one_file), cmocka_unit_test(as_an_example)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
