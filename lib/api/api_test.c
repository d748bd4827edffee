/* SPDX-License-Identifier: Apache-2.0 */
/* api_test.c - the public interface: what each call promises, and what it says when it is used wrongly. */
#include "bench/models/builder.h"
#include "lib/api/delegauge.h"
#include "lib/testing/test.h"

#include <math.h>
#include <stdlib.h>

#define DG_OK_OR_FAIL(call)                                                                                                        \
    do {                                                                                                                           \
        if ((call) != DG_OK)                                                                                                       \
            fail_msg("%s: %s", #call, err.message);                                                                                \
        assert_string_equal(err.message, "");                                                                                      \
    } while (0)

static struct dg_error err;
static uint8_t *file;

/* y = |-x|, x FLOAT32[1,4] */
static struct dg_model *open_model(void)
{
    struct builder b;
    struct dg_model *m;
    struct err e = {""};
    size_t bytes;
    int32_t x, h, y;

    builder_init(&b, "abs of neg");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 4));
    h = build_tensor(&b, "h", TYPE_FLOAT32, SHAPE(1, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 4));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(h));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(h), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    TEST_OK(model_serialize(&b.model, &file, &bytes, &e), e);
    builder_fini(&b);
    DG_OK_OR_FAIL(dg_model_parse(file, bytes, "abs", &m, &err));
    return m;
}

static void close_model(struct dg_model *m)
{
    dg_model_close(m);
    free(file);
}

static void expect_failure(enum dg_status st, enum dg_status want, const char *part)
{
    assert_int_equal(st, want);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, err.message);
}

static void runs_a_model(void **state)
{
    static const float x[4] = {1, -2, 3, -4}, wide[6] = {-1, 1, -2, 2, -3, 3};
    struct dg_model *m = open_model();
    struct dg_session *s;
    struct dg_tensor t;
    struct dg_assignment a;
    struct dg_node node;

    (void)state;
    DG_OK_OR_FAIL(dg_session_new(m, NULL, &s, &err));
    assert_int_equal(dg_session_n_inputs(s), 1);
    assert_int_equal(dg_session_n_outputs(s), 1);
    assert_true(dg_session_input(s, 0, &t));
    assert_string_equal(t.name, "x");
    assert_null(t.data);
    assert_false(dg_session_assignment(s, &a));
    expect_failure(dg_session_set_input(s, 0, x, sizeof x, &err), DG_USAGE, "not prepared");
    expect_failure(dg_session_run(s, &err), DG_USAGE, "not prepared");
    DG_OK_OR_FAIL(dg_session_prepare(s, &err));
    DG_OK_OR_FAIL(dg_session_set_input(s, 0, x, sizeof x, &err));
    DG_OK_OR_FAIL(dg_session_run(s, &err));
    assert_true(dg_session_output(s, 0, &t));
    assert_int_equal(t.type, DG_FLOAT32);
    assert_int_equal(t.rank, 2);
    assert_int_equal(t.dims[1], 4);
    assert_int_equal(t.bytes, 16);
    assert_int_equal(t.n_scales, 0);
    for (int i = 0; i < 4; i++)
        assert_float_equal(((const float *)t.data)[i], (float)(i + 1), 0);
    assert_true(dg_session_assignment(s, &a));
    assert_int_equal(a.n_nodes, 2);
    assert_int_equal(a.n_cpu, 2);
    assert_int_equal(a.n_delegated, 0);
    assert_true(dg_session_node(s, 1, &node));
    assert_string_equal(node.name, "ABS");
    assert_int_equal(node.partition, -1);
    assert_string_equal(node.reason, "");
    assert_false(dg_session_node(s, 2, &node));

    /* After a resize the old plan must not run. */
    DG_OK_OR_FAIL(dg_session_resize_input(s, 0, (const int32_t[]){2, 3}, 2, &err));
    expect_failure(dg_session_run(s, &err), DG_USAGE, "not prepared");
    DG_OK_OR_FAIL(dg_session_prepare(s, &err));
    expect_failure(dg_session_set_input(s, 0, x, sizeof x, &err), DG_USAGE, "16");
    DG_OK_OR_FAIL(dg_session_set_input(s, 0, wide, sizeof wide, &err));
    DG_OK_OR_FAIL(dg_session_run(s, &err));
    assert_true(dg_session_output(s, 0, &t));
    for (int i = 0; i < 6; i++)
        assert_float_equal(((const float *)t.data)[i], fabsf(wide[i]), 0);
    dg_session_free(s);
    close_model(m);
}

static void refuses_what_is_wrong(void **state)
{
    const struct dg_session_options odd = {.kernels = (enum dg_kernels)7};
    struct dg_model *m, *none = (struct dg_model *)&odd;
    struct dg_session *s = (struct dg_session *)&odd;
    struct dg_tensor t;
    float x = 0;

    (void)state;
    expect_failure(dg_model_open("/nonexistent.tflite", &none, &err), DG_IO, "/nonexistent.tflite");
    assert_null(none);
    expect_failure(dg_model_parse("no model", 8, "eight bytes", &none, &err), DG_BAD_MODEL, "eight bytes");
    assert_null(none);
    assert_int_equal(dg_model_open("/nonexistent.tflite", &none, NULL), DG_IO);
    m = open_model();
    expect_failure(dg_session_new(m, &odd, &s, &err), DG_USAGE, "7");
    assert_null(s);
    DG_OK_OR_FAIL(dg_session_new(m, &(struct dg_session_options){.kernels = DG_KERNELS_REFERENCE}, &s, &err));
    assert_false(dg_session_input(s, 1, &t));
    assert_false(dg_session_output(s, 1, &t));
    expect_failure(dg_session_set_input(s, 1, &x, 4, &err), DG_USAGE, "input 1");
    expect_failure(dg_session_resize_input(s, 1, (const int32_t[]){1}, 1, &err), DG_USAGE, "input 1");
    dg_session_free(s);
    dg_session_free(NULL);
    close_model(m);
    dg_model_close(NULL);
}

static void lists_delegates_and_their_options(void **state)
{
    const char *const unknown[] = {"no_such_option=1", NULL}, *const bare[] = {"gpu_precision_loss_allowed", NULL};
    const char *const bad[] = {"gpu_precision_loss_allowed=perhaps", NULL}, *const no_node[] = {"gpu_fp32_nodes=9-7", NULL};
    const char *const contrary[] = {"gpu_precision=fp32", "gpu_precision_loss_allowed=true", NULL};
    struct dg_delegate *d = (struct dg_delegate *)&err;
    struct dg_option option;
    bool found = false;

    (void)state;
    assert_string_equal(dg_delegate_name(0), "gpu");
    for (size_t i = 0; dg_delegate_option("gpu", i, &option); i++)
        if (!strcmp(option.name, "gpu_precision_loss_allowed")) {
            assert_string_equal(option.value, "false");
            assert_true(*option.help);
            found = true;
        }
    assert_true(found);
    found = false;
    for (size_t i = 0; dg_delegate_option("gpu", i, &option); i++)
        found |= !strcmp(option.name, "gpu_context"); /* no tool has it */
    assert_true(found);
    assert_false(dg_delegate_option("npu", 0, &option));
    expect_failure(dg_delegate_open("npu", NULL, &d, &err), DG_USAGE, "npu");
    assert_null(d);
    expect_failure(dg_delegate_open("gpu", unknown, &d, &err), DG_USAGE, "no_such_option");
    expect_failure(dg_delegate_open("gpu", bare, &d, &err), DG_USAGE, "name=value");
    expect_failure(dg_delegate_open("gpu", bad, &d, &err), DG_USAGE, "perhaps");
    expect_failure(dg_delegate_open("gpu", contrary, &d, &err), DG_USAGE, "gpu_precision=fp32, but");
    expect_failure(dg_delegate_open("gpu", no_node, &d, &err), DG_USAGE, "\"9-7\" is neither");
    assert_null(d);
    dg_delegate_close(NULL);
}

static void runs_on_the_gpu(void **state)
{
    static const float x[4] = {1, -2, 3, -4};
    const char *const options[] = {"gpu_precision_loss_allowed=true", "gpu_precision_loss_allowed=false", NULL};
    struct dg_session_options o = {0};
    struct dg_model *m;
    struct dg_session *s;
    struct dg_tensor t;
    struct dg_assignment a;
    struct dg_node node;
    struct err why;
    enum dg_status st = dg_delegate_open("gpu", options, &o.delegate, &err);

    (void)state;
    if (st == DG_NO_GPU) {
        err_set(&why, ST_NO_GPU, "%s", err.message);
        test_no_gpu(&why);
    }
    assert_int_equal(st, DG_OK);
    assert_true(*dg_delegate_device(o.delegate));
    dg_delegate_is_software(o.delegate);
    m = open_model();
    DG_OK_OR_FAIL(dg_session_new(m, &o, &s, &err));
    DG_OK_OR_FAIL(dg_session_prepare(s, &err));
    assert_true(dg_session_assignment(s, &a));
    assert_int_equal(a.n_delegated, 2);
    assert_int_equal(a.n_partitions, 1);
    DG_OK_OR_FAIL(dg_session_set_input(s, 0, x, sizeof x, &err));
    DG_OK_OR_FAIL(dg_session_run(s, &err));
    assert_true(dg_session_output(s, 0, &t));
    for (int i = 0; i < 4; i++)
        assert_float_equal(((const float *)t.data)[i], (float)(i + 1), 0);
    dg_session_free(s);

    /* Two nodes make no partition of three, and each says so. */
    o.min_nodes_per_partition = 3;
    DG_OK_OR_FAIL(dg_session_new(m, &o, &s, &err));
    DG_OK_OR_FAIL(dg_session_prepare(s, &err));
    assert_true(dg_session_node(s, 0, &node));
    assert_string_equal(node.reason, "PARTITION_TOO_SMALL");
    assert_true(strstr(node.detail, "3"));
    dg_session_free(s);
    dg_delegate_close(o.delegate);
    close_model(m);
}

/* h = RELU(x + h), a variable: counts up until it is reset. */
static void state_lasts_until_it_is_reset(void **state)
{
    static const float one = 1, zero;
    struct builder b;
    struct dg_model *m;
    struct dg_session *s;
    struct dg_tensor t;
    struct err e = {""};
    size_t bytes;
    int32_t x, w, bias, h, y;

    (void)state;
    builder_init(&b, "counter");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 1));
    w = build_const(&b, "w", TYPE_FLOAT32, SHAPE(1, 1), &one);
    bias = build_const(&b, "bias", TYPE_FLOAT32, SHAPE(1), &zero);
    h = build_tensor(&b, "h", TYPE_FLOAT32, SHAPE(1, 1));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_at(&b, h)->is_variable = true;
    build_op(&b, BUILTIN_RNN, 1, &(struct opt_rnn){.activation = ACT_RELU}, INDICES(x, w, w, bias, h), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    TEST_OK(builder_serialize(&b, &file, &bytes, &e), e);
    builder_fini(&b);
    DG_OK_OR_FAIL(dg_model_parse(file, bytes, "counter", &m, &err));
    DG_OK_OR_FAIL(dg_session_new(m, NULL, &s, &err));
    DG_OK_OR_FAIL(dg_session_prepare(s, &err));
    DG_OK_OR_FAIL(dg_session_set_input(s, 0, &one, sizeof one, &err));
    for (int round = 0; round < 2; round++) {
        for (int i = 1; i <= 3; i++) {
            DG_OK_OR_FAIL(dg_session_run(s, &err));
            assert_true(dg_session_output(s, 0, &t));
            assert_float_equal(*(const float *)t.data, (float)i, 0);
        }
        dg_session_reset_state(s);
    }
    dg_session_free(s);
    close_model(m);
}

static void names_its_version_and_types(void **state)
{
    char text[32];

    (void)state;
    assert_int_equal(dg_version(), DG_VERSION);
    snprintf(text, sizeof text, "%d.%d.%d", DG_VERSION_MAJOR, DG_VERSION_MINOR, DG_VERSION_PATCH);
    assert_string_equal(text, DG_VERSION_STRING);
    assert_string_equal(dg_type_name(DG_INT8), "INT8");
    assert_string_equal(dg_type_name(DG_FLOAT8_E5M2), "FLOAT8_E5M2");
    assert_string_equal(dg_type_name((enum dg_type)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_a_model),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(lists_delegates_and_their_options),
        cmocka_unit_test(runs_on_the_gpu),
        cmocka_unit_test(state_lasts_until_it_is_reset),
        cmocka_unit_test(names_its_version_and_types),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
