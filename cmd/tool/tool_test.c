/* SPDX-License-Identifier: Apache-2.0 */
/* tool_test.c - what every tool does before its own work: --help, --version, bad flags, delegates by name, the model. */
#include "cmd/testing/test_capture.h"
#include "cmd/tool/help.h"
#include "cmd/tool/tool.h"
#include "lib/api/delegauge.h"

static struct tool t;
static struct capture out;
static struct err err;

/* tool_begin with one argument; what it prints on `fd` is in out.text. */
static int begin(const char *arg, int fd)
{
    char *argv[] = {"test_tool", (char *)arg, NULL};
    int code;

    delegates_fini(&t.delegates);
    t = (struct tool){.cli = {.tool = "test_tool", .summary = "tests"}, .delegate_types = delegate_types};
    capture_begin(&out, fd);
    code = tool_begin(&t, arg ? 2 : 1, argv);
    capture_end(&out);
    return code;
}

static void goes_on(void **state)
{
    (void)state;
    assert_int_equal(begin(NULL, 1), TOOL_GO_ON);
    assert_string_equal(out.text, "");
    assert_int_equal(begin("--verbose", 1), TOOL_GO_ON);
    assert_true(t.verbose);
}

static void answers_itself(void **state)
{
    (void)state;
    assert_int_equal(begin("--version", 1), 0);
    assert_string_equal(out.text, "test_tool (delegauge) " DG_VERSION_STRING "\n");
    assert_int_equal(begin("--help", 1), 0);
    assert_int_equal(strncmp(out.text, "test_tool: tests\n\nusage: test_tool <flags>\n", 43), 0);
    assert_non_null(strstr(out.text, "  --json=  (text)\n"));
    assert_non_null(strstr(out.text, "  --use_gpu=false  (bool)\n"));
    assert_non_null(strstr(out.text, "(word, passive, active or none)\n"));
    assert_non_null(strstr(out.text, "\ngpu: precision and device of the GPU\n"));
    assert_non_null(strstr(out.text, "Exit status: 0 fine;"));
}

static void helps_with_a_group(void **state)
{
    (void)state;
    assert_int_equal(begin("--help=start", 1), 0);
    assert_non_null(strstr(out.text, "  --gpu_tuning=off  (word, off, fast or exhaustive)\n"));
    assert_null(strstr(out.text, "--json"));
    assert_int_equal(begin("--help=profile", 1), 0);
    assert_int_equal(strncmp(out.text, "test_tool has no flags of the group profile\n", 44), 0);
    assert_int_equal(begin("--help=false", 1), TOOL_GO_ON);
    assert_int_equal(begin("--help=no_group", 2), 2);
}

/* The words of --help name the groups in their order. */
static void words_are_groups(void **state)
{
    (void)state;
    for (int g = GROUP_RUN; g < FLAG_GROUPS; g++)
        assert_string_equal(help_words[HELP_GROUP + g - GROUP_RUN], flag_group_name((enum flag_group)g));
    assert_null(help_words[HELP_GROUP + FLAG_GROUPS - GROUP_RUN]);
}

/* Not even a delegate's. */
static void flags_have_groups(void **state)
{
    (void)state;
    assert_int_equal(begin(NULL, 1), TOOL_GO_ON);
    for (uint32_t i = 0; i < t.cli.n_rows; i++)
        if (!*flag_group_name(t.cli.rows[i].flag->group))
            fail_msg("--%s has no group", t.cli.rows[i].flag->name);
}

static void bad_flags(void **state)
{
    (void)state;
    assert_int_equal(begin("--nonsense", 2), 2);
    assert_string_equal(out.text, "ERROR: unknown flag --nonsense; test_tool --help=all lists them\n");
}

/* Before any work. */
static void outputs_are_tried(void **state)
{
    (void)state;
    assert_int_equal(begin("--json=/nonexistent/r.json", 2), 2);
    assert_string_equal(out.text, "ERROR: --json: /nonexistent/r.json: No such file or directory\n");
    assert_int_equal(begin("--json=/dev/null", 1), TOOL_GO_ON);
}

static void echo(void **state)
{
    (void)state;
    assert_int_equal(begin("--gpu_wait_type=active", 1), TOOL_GO_ON);
    capture_begin(&out, 1);
    tool_echo(&t);
    assert_string_equal(capture_end(&out), "INFO: Log parameter values verbosely: [0]\nINFO: GPU delegate wait type: [active]\n");
}

static void delegates_by_name(void **state)
{
    (void)state;
    assert_int_equal(begin(NULL, 1), TOOL_GO_ON);
    TEST_OK(delegates_choose(&t.delegates, "", &err), err);
    TEST_OK(delegates_choose(&t.delegates, "none", &err), err);
    TEST_OK(delegates_open(&t.delegates, &err), err);
    assert_null(t.delegates.opened);
    assert_int_equal(delegates_choose(&t.delegates, "tpu", &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "--delegate=tpu: this build knows none, gpu"));
    TEST_OK(delegates_choose(&t.delegates, "gpu", &err), err);
    assert_true(delegates_uses(&t.delegates.choices[0]));
    TEST_OK(delegates_check_one(&t.delegates, "--that", &err), err);
    for (int i = 0; i < MAX_DELEGATES; i++) /* as if there were as many more to choose from */
        t.delegates.choices[t.delegates.n_choices++] = t.delegates.choices[0];
    assert_int_equal(delegates_check_one(&t.delegates, "--that", &err), ST_USAGE);
    assert_string_equal(err.msg, "--that is for one delegate, and --use_gpu and --use_gpu ask for two");
    assert_int_equal(delegates_open(&t.delegates, &err), ST_USAGE);
    assert_string_equal(err.msg, "5 delegates are asked for: 4 at most");
    t.delegates.n_choices -= MAX_DELEGATES;
}

static void the_model(void **state)
{
    (void)state;
    assert_int_equal(begin(NULL, 1), TOOL_GO_ON);
    assert_int_equal(tool_open_model(&t, "graph", "", &err), ST_USAGE);
    assert_string_equal(err.msg, "--graph=FILE is needed: the .tflite model");
    assert_int_equal(tool_open_model(&t, "graph", "/nonexistent", &err), ST_IO);
    assert_null(t.model);
    assert_int_equal(tool_end(&t, 4), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on),
        cmocka_unit_test(answers_itself),
        cmocka_unit_test(bad_flags),
        cmocka_unit_test(outputs_are_tried),
        cmocka_unit_test(echo),
        cmocka_unit_test(delegates_by_name),
        cmocka_unit_test(the_model),
        cmocka_unit_test(helps_with_a_group),
        cmocka_unit_test(words_are_groups),
        cmocka_unit_test(flags_have_groups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
