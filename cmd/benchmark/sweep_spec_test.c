/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_spec_test.c - cases in their order, and what is no sweep. */
#include "cmd/benchmark/sweep_spec.h"
#include "lib/testing/test.h"

static struct sweep_cases cases;

static void clear(void)
{
    arena_free(&cases.arena);
    cases = (struct sweep_cases){0};
}

static void combinations(void **state)
{
    static const char *const labels[] = {"num_threads=1 use_gpu=0", "num_threads=1 use_gpu=1", "num_threads=2 use_gpu=0",
                                         "num_threads=2 use_gpu=1"};
    static const char *const models[] = {"a.tflite", "b.tflite"};
    struct err err;

    (void)state;
    TEST_OK(sweep_combine("sweep", "num_threads:1,2;use_gpu:0,1", NULL, 0, &cases, &err), err);
    assert_int_equal(cases.n, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(cases.list[i].label, labels[i]);
        assert_int_equal(cases.list[i].n_settings, 2);
        assert_null(cases.list[i].graph);
    }
    assert_string_equal(cases.list[3].settings[0].name, "num_threads");
    assert_string_equal(cases.list[3].settings[0].value, "2");
    clear();
    TEST_OK(sweep_combine("sweep", "num_threads:1,2", models, 2, &cases, &err), err);
    assert_int_equal(cases.n, 4);
    assert_string_equal(cases.list[2].label, "b.tflite num_threads=1");
    assert_string_equal(cases.list[2].graph, "b.tflite");
    assert_int_equal(cases.list[2].n_settings, 1);
    clear();
    TEST_OK(sweep_combine("sweep", "", models, 2, &cases, &err), err);
    assert_int_equal(cases.n, 2);
    assert_string_equal(cases.list[1].label, "b.tflite");
    clear();
    TEST_OK(sweep_combine("sweep", "num_threads:1,2", models, 1, &cases, &err), err);
    assert_string_equal(cases.list[1].label, "num_threads=2");
    assert_string_equal(cases.list[1].graph, "a.tflite");
    clear();
    TEST_OK(sweep_combine("sweep", "", models, 1, &cases, &err), err);
    assert_string_equal(cases.list[0].label, "as given");
    clear();
    TEST_OK(sweep_combine("sweep", "input_layer_shape:1,96|1,48,2", NULL, 0, &cases, &err), err);
    assert_int_equal(cases.n, 2);
    assert_string_equal(cases.list[1].settings[0].value, "1,48,2");
    clear();
}

static void no_sweeps(void **state)
{
    static const char *const bad[] = {"num_threads", "num_threads:",   "num_threads:1,", ":1",
                                      ";",           "num_threads:1;", "num_threads:,1", "a:1;;b:2",
                                      "json:a,b",    "sweep:1",        "a:1;b:1;a:2",    "a:1;b:1;c:1;d:1;e:1;f:1;g:1;h:1;i:1"};
    const char *const models[1] = {"a"};
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (sweep_combine("sweep", bad[i], models, 1, &cases, &err) != ST_USAGE)
            fail_msg("'%s' is taken", bad[i]);
        clear();
    }
    assert_int_equal(sweep_combine("sweep", "a:1,2,3,4;b:1,2,3,4;c:1,2,3,4", NULL, 0, &cases, &err), ST_OK);
    assert_int_equal(cases.n, SWEEP_MAX_CASES);
    clear();
    assert_int_equal(sweep_combine("sweep", "a:1,2,3,4;b:1,2,3,4;c:1,2,3,4,5", NULL, 0, &cases, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "80 cases"));
    clear();
}

static void performance_options(void **state)
{
    static const char *const labels[] = {"cpu w/ 1 threads", "cpu w/ 2 threads", "cpu w/ 4 threads", "gpu-fp16", "gpu-default"};
    static const char *const bad[] = {"nnapi", "cpu,dsp", "xcpu", "cpux", "", ",", "all,,", "none,cpu"};
    struct err err;

    (void)state;
    TEST_OK(sweep_perf_options("all", &cases, &err), err);
    assert_int_equal(cases.n, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(cases.list[i].label, labels[i]);
    assert_string_equal(cases.list[3].settings[2].value, "true");
    clear();
    TEST_OK(sweep_perf_options("gpu,cpu", &cases, &err), err);
    assert_int_equal(cases.n, 5);
    clear();
    TEST_OK(sweep_perf_options("gpu", &cases, &err), err);
    assert_int_equal(cases.n, 2);
    clear();
    TEST_OK(sweep_perf_options("none", &cases, &err), err);
    assert_true(cases.n == 1 && cases.list[0].n_settings == 0);
    clear();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (sweep_perf_options(bad[i], &cases, &err) != ST_USAGE)
            fail_msg("'%s' is taken", bad[i]);
        clear();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combinations),
        cmocka_unit_test(no_sweeps),
        cmocka_unit_test(performance_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
