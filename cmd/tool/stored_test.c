/* SPDX-License-Identifier: Apache-2.0 */
/* stored_test.c - what goes into a folder comes out again, and folders that are not what they seem. */
#include "cmd/tool/stored.h"
#include "lib/testing/test_delegate.h"
#include "lib/testing/test_files.h"

#include <stdlib.h>
#include <unistd.h>

static struct loaded l;
static struct session *s;
static struct tool tool;
static struct err err;
static char dir[64];

/* NEG, and the places of what is not 0: a shape that the content decides. */
static int set_up(void **state)
{
    struct session_options opt = {.num_threads = 1};
    struct builder b;
    int32_t x, y, z;

    (void)state;
    builder_init(&b, "stored");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(4));
    z = build_tensor(&b, "z", TYPE_INT64, SHAPE(0, 1));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    build_op(&b, BUILTIN_WHERE, 1, NULL, INDICES(x), INDICES(z));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y, z));
    l = load(&b);
    tool = (struct tool){.cli.tool = "inference_diff", .model = l.model};
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    make_temp_dir(dir);
    return 0;
}

static int tear_down(void **state)
{
    char command[96];

    (void)state;
    session_free(s);
    unload(&l);
    snprintf(command, sizeof command, "rm -r %s", dir);
    return system(command);
}

static void run(const float x[4])
{
    memcpy(session_input(s, 0)->data, x, 16);
    TEST_OK(session_run(s, &err), err);
}

/* Two runs of inputs and outputs. */
static void store(enum stored_kind kind)
{
    static const float x[2][4] = {{1, 0, 3, 4}, {0, 0, 7, 0}};
    struct stored_writer w = {0};
    char hash[SHA256_HEX_SIZE];

    TEST_OK(stored_begin(&w, kind, dir, &tool, "here", &err), err);
    for (int i = 0; i < 2; i++) {
        run(x[i]);
        TEST_OK(stored_add(&w, s, stored_hash(s, hash), &err), err);
    }
    TEST_OK(stored_end(&w, &err), err);
}

static void outputs_come_back(void **state)
{
    struct stored_reader r = {0};
    char hash[SHA256_HEX_SIZE];
    const struct tensor *z;

    (void)state;
    store(STORED_OUTPUTS);
    TEST_OK(stored_open(&r, STORED_OUTPUTS, dir, l.model, &err), err);
    assert_int_equal(r.n_runs, 2);
    assert_string_equal(r.what, "here");
    assert_string_equal(r.inputs[1], stored_hash(s, hash));
    assert_string_not_equal(r.inputs[0], r.inputs[1]);
    TEST_OK(stored_load(&r, 0, s, &err), err);
    z = session_output(s, 1);
    assert_true(((float *)session_output(s, 0)->data)[3] == -4);
    assert_true(z->rank == 2 && z->dim[0] == 3 && z->bytes == 24 && ((int64_t *)z->data)[2] == 3);
    TEST_OK(stored_load(&r, 1, s, &err), err);
    assert_true(z->dim[0] == 1 && ((int64_t *)z->data)[0] == 2);
    stored_close(&r);
}

static void inputs_come_back(void **state)
{
    struct stored_reader r = {0};

    (void)state;
    store(STORED_INPUTS);
    TEST_OK(stored_open(&r, STORED_INPUTS, dir, l.model, &err), err);
    TEST_OK(stored_load(&r, 0, s, &err), err);
    assert_true(((float *)session_input(s, 0)->data)[2] == 3);
    stored_close(&r);
}

/* Until the manifest is there, the folder is none; the one of an older set goes before anything is written. */
static void half_a_folder(void **state)
{
    struct stored_writer w = {0};
    struct stored_reader r = {0};
    char hash[SHA256_HEX_SIZE];

    (void)state;
    store(STORED_OUTPUTS);
    TEST_OK(stored_begin(&w, STORED_OUTPUTS, dir, &tool, "here", &err), err);
    TEST_OK(stored_add(&w, s, stored_hash(s, hash), &err), err);
    stored_drop(&w);
    assert_int_equal(stored_open(&r, STORED_OUTPUTS, dir, l.model, &err), ST_IO);
    stored_close(&r);
}

static enum status open_text(const char *text)
{
    struct stored_reader r = {0};
    char path[96];
    enum status st;

    snprintf(path, sizeof path, "%s/manifest.json", dir);
    write_file(path, text, strlen(text));
    st = stored_open(&r, STORED_OUTPUTS, dir, l.model, &err);
    stored_close(&r);
    return st;
}

static void bad_folders(void **state)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"format\":\"delegauge tensors\",\"format_version\":1,\"kind\":\"outputs\",\"model\":{\"sha256\":3},\"runs\":[]}",
        "{\"format\":\"other\",\"format_version\":1,\"kind\":\"outputs\",\"model\":{\"sha256\":\"x\"},\"runs\":[]}",
    };
    struct stored_reader r = {0};
    char path[96];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(open_text(texts[i]), ST_USAGE);
    store(STORED_INPUTS);
    assert_int_equal(stored_open(&r, STORED_OUTPUTS, dir, l.model, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "\"kind\" is 'inputs', not 'outputs'"));
    stored_close(&r);
    store(STORED_OUTPUTS);
    snprintf(path, sizeof path, "%s/run_0/output_0.npy", dir);
    TEST_OK(stored_open(&r, STORED_OUTPUTS, dir, l.model, &err), err);
    write_file(path, "x", 1);
    assert_int_equal(stored_load(&r, 0, s, &err), ST_USAGE);
    unlink(path);
    assert_int_equal(stored_load(&r, 0, s, &err), ST_IO);
    stored_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(outputs_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inputs_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(half_a_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_folders, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
