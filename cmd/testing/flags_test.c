/* SPDX-License-Identifier: Apache-2.0 */
/* flags_test.c - every flag of every tool: with good values, without one, with a bad one, and out of its bounds. */
#include "cmd/benchmark/benchmark.h"
#include "cmd/classification/eval_classification.h"
#include "cmd/coverage/op_coverage.h"
#include "cmd/diff/inference_diff.h"
#include "cmd/segmentation/eval_segmentation.h"
#include "cmd/tool/partition_check.h"
#include "lib/testing/test.h"

#include <math.h>
#include <strings.h>

static struct benchmark benchmark;
static struct comparison comparison;
static struct coverage_run coverage;
static struct classification evaluation;
static struct segmentation segmentation;
static struct tool compare_tool;
static struct err err;

/* The tool under test, its flags as its main puts them together. */
static struct tool *tool;

static void put_together(const struct flag *own, void *options, struct partition_flags *partition, struct input_flags *inputs,
                         struct tflite_delegate_flags *tflite_delegates)
{
    tool->cli = (struct cli){.tool = "tool", .summary = "test"};
    cli_add(&tool->cli, own, options);
    cli_add(&tool->cli, partition_flag_table, partition);
    if (inputs)
        cli_add(&tool->cli, input_flag_table, inputs);
    if (tflite_delegates)
        cli_add(&tool->cli, tflite_delegate_flag_table, tflite_delegates);
    tool->delegate_types = delegate_types;
    TEST_OK(tool_add_common_flags(tool, &err), err);
}

static enum status parse(const char *arg, const char *next)
{
    char *argv[] = {"tool", (char *)arg, (char *)next, NULL};

    err.msg[0] = '\0';
    for (uint32_t i = 0; i < tool->cli.n_rows; i++)
        tool->cli.rows[i].n_turns = 0; /* each is a command line of its own */
    return cli_parse(&tool->cli, next ? 3 : 2, argv, &err);
}

/* --name=value is taken and has the value `echo`. */
static void takes(const struct cli_row *row, const char *value, const char *echo)
{
    char arg[256], buf[CLI_VALUE_SIZE];

    snprintf(arg, sizeof arg, "--%s=%s", row->flag->name, value);
    if (parse(arg, NULL))
        fail_msg("%s: %s", arg, err.msg);
    assert_string_equal(cli_value(row, buf), echo);
    if (row->flag->bare && row->flag->type == FLAG_STRING)
        return; /* the next argument is no value */
    snprintf(arg, sizeof arg, "--%s", row->flag->name);
    if (parse(arg, value))
        fail_msg("%s %s: %s", arg, value, err.msg);
    assert_string_equal(cli_value(row, buf), echo);
}

/* --name=value is refused, with what was expected. */
static void refuses(const struct cli_row *row, const char *value)
{
    static const char *const kind[] = {
        [FLAG_BOOL] = "true, false, 1 or 0", [FLAG_INT] = "a whole number ", [FLAG_DOUBLE] = "a number ", [FLAG_WORD] = ""};
    char arg[128], message[512], bounds[FLAG_BOUNDS_SIZE], before[CLI_VALUE_SIZE], after[CLI_VALUE_SIZE];
    const char *was = cli_value(row, before);

    snprintf(arg, sizeof arg, "--%s=%s", row->flag->name, value);
    snprintf(message, sizeof message, "%s: expected %s%s%s", arg, kind[row->flag->type], row->flag->name_offset ? " or a name" : "",
             flag_bounds(row->flag, bounds));
    if (row->flag->refused)
        snprintf(message, sizeof message, "%s: %s is taken here, since %s", arg, flag_bounds(row->flag, bounds),
                 row->flag->refused);
    assert_int_equal(parse(arg, NULL), ST_USAGE);
    assert_string_equal(err.msg, message);
    assert_string_equal(cli_value(row, after), was);
}

static void needs_a_value(const struct cli_row *row)
{
    char arg[128], message[512], buf[CLI_VALUE_SIZE];

    snprintf(arg, sizeof arg, "--%s", row->flag->name);
    if (row->flag->bare) {
        TEST_OK(parse(arg, NULL), err);
        assert_string_equal(cli_value(row, buf), row->flag->bare);
        return;
    }
    snprintf(message, sizeof message, "%s needs a value: %s=VALUE", arg, arg);
    assert_int_equal(parse(arg, NULL), ST_USAGE);
    assert_string_equal(err.msg, message);
}

/* Its default is all that it takes, in any spelling. */
static void walk_fixed(const struct cli_row *row)
{
    const struct flag *f = row->flag;
    bool is_bool = f->type == FLAG_BOOL, yes = is_bool && !strcmp(f->value, "true");

    takes(row, f->value, is_bool ? (yes ? "1" : "0") : f->value);
    if (is_bool)
        takes(row, yes ? "1" : "0", yes ? "1" : "0");
    else
        needs_a_value(row);
    refuses(row, is_bool ? (yes ? "false" : "true") : "7");
    refuses(row, "perhaps");
    if (f->type != FLAG_STRING)
        refuses(row, "");
}

static void walk_bool(const struct cli_row *row)
{
    char arg[256], buf[CLI_VALUE_SIZE];

    takes(row, "true", "1");
    takes(row, "0", "0");
    snprintf(arg, sizeof arg, "--%s", row->flag->name);
    TEST_OK(parse(arg, NULL), err);
    assert_string_equal(cli_value(row, buf), "1");
    snprintf(arg, sizeof arg, "--no-%s", row->flag->name);
    TEST_OK(parse(arg, NULL), err);
    assert_string_equal(cli_value(row, buf), "0");
    snprintf(arg, sizeof arg, "--no-%s=1", row->flag->name);
    assert_int_equal(parse(arg, NULL), ST_USAGE);
    refuses(row, "");
    if (!row->flag->name_offset) {
        refuses(row, "yes");
        return;
    }
    snprintf(arg, sizeof arg, "--%s=yes", row->flag->name);
    TEST_OK(parse(arg, NULL), err);
    assert_string_equal(cli_value(row, buf), "yes");
    assert_true(*(bool *)((char *)row->options + row->flag->offset));
    takes(row, "0", "0");
    assert_string_equal(flag_name_given(row->flag, row->options), "");
}

static void walk_number(const struct cli_row *row)
{
    const struct flag *f = row->flag;
    bool whole = f->type == FLAG_INT;
    char text[64], echo[64];

    if (!(f->min < f->max))
        fail_msg("--%s has no bounds in its row", f->name);
    for (int i = 0; i < 2; i++) {
        double bound = i ? f->max : f->min, beyond = i ? bound + 1 : bound - 1;

        if (isinf(bound)) {
            takes(row, "1e300", "1e+300");
            continue;
        }
        snprintf(text, sizeof text, "%.17g", bound);
        snprintf(echo, sizeof echo, whole ? "%.0f" : "%g", bound);
        takes(row, text, echo);
        snprintf(text, sizeof text, "%.17g", beyond);
        refuses(row, text);
    }
    needs_a_value(row);
    refuses(row, "");
    refuses(row, "many");
    refuses(row, " 1");
    refuses(row, "1s");
    refuses(row, "nan");
    refuses(row, "inf");
    if (whole)
        refuses(row, "0.5");
}

static void walk_word(const struct cli_row *row)
{
    const char *const *words = row->flag->words;

    assert_true(words[0] && words[1]);
    for (size_t i = 0; words[i]; i++)
        takes(row, words[i], words[i]);
    needs_a_value(row);
    refuses(row, "");
    refuses(row, "perhaps");
}

/* A list, a path or a name that is empty, as of a shell's variable that is not set, is refused; a few rows allow it. */
static void is_not_empty(const struct cli_row *row)
{
    char arg[128], message[512], before[CLI_VALUE_SIZE], after[CLI_VALUE_SIZE];
    const char *was = cli_value(row, before);

    if (row->flag->may_be_empty) {
        takes(row, "", "");
        return;
    }
    snprintf(arg, sizeof arg, "--%s=", row->flag->name);
    snprintf(message, sizeof message, "%s: the value is empty; to go without one, leave the flag out", arg);
    assert_int_equal(parse(arg, NULL), ST_USAGE);
    assert_string_equal(err.msg, message);
    assert_string_equal(cli_value(row, after), was);
    snprintf(arg, sizeof arg, "--%s", row->flag->name);
    if (!row->flag->bare)
        assert_int_equal(parse(arg, ""), ST_USAGE);
}

static void walk_text(const struct cli_row *row)
{
    takes(row, "a=b", "a=b");
    takes(row, "--odd", "--odd");
    needs_a_value(row);
    is_not_empty(row);
}

/* The help is a sentence with a verb at its head: "Fail if ...", not "What ..." or "Of ...". */
static void is_imperative(const struct flag *f)
{
    static const char *const others[] = {"a",  "an",    "another", "by",    "directory", "files", "folder", "for",     "how",
                                         "in", "least", "most",    "names", "number",    "of",    "one",    "seconds", "several",
                                         "so", "the",   "their",   "these", "those",     "what",  "where",  "which"};
    const size_t len = strcspn(f->help, " ");

    if (f->help[0] < 'A' || f->help[0] > 'Z')
        fail_msg("--%s: \"%s\" begins with no capital letter", f->name, f->help);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == len && !strncasecmp(f->help, others[i], len))
            fail_msg("--%s: \"%s\" begins with no verb", f->name, f->help);
}

static void walk(void)
{
    char buf[CLI_VALUE_SIZE];

    for (uint32_t i = 0; i < tool->cli.n_rows; i++) {
        const struct cli_row *row = &tool->cli.rows[i];
        const struct flag *f = row->flag;

        assert_true(f->help && strlen(f->help) > 0);
        if (!*flag_group_name(f->group))
            fail_msg("--%s has no group", f->name);
        if (f->type != FLAG_BOOL)
            assert_string_equal(cli_value(row, buf), f->value);
        if (flag_is_fixed(f)) {
            walk_fixed(row);
            continue;
        }
        is_imperative(f);
        switch (f->type) {
        case FLAG_BOOL: walk_bool(row); break;
        case FLAG_INT:
        case FLAG_DOUBLE: walk_number(row); break;
        case FLAG_WORD: walk_word(row); break;
        case FLAG_STRING: walk_text(row); break;
        }
    }
}

static void benchmark_model(void **state)
{
    (void)state;
    tool = &benchmark.tool;
    benchmark_add_flags(&benchmark);
    TEST_OK(tool_add_common_flags(tool, &err), err);
    walk();
    delegates_fini(&tool->delegates);
}

/* What TensorFlow Lite's benchmark_model and its delegates take, by any name. */
/* clang-format off */
static const char *const tflite_names[] = {
    "num_runs", "min_secs", "max_secs", "run_delay", "run_frequency", "num_threads", "use_caching", "benchmark_name",
    "output_prefix", "warmup_runs", "warmup_min_secs", "verbose", "dry_run", "report_peak_memory_footprint",
    "memory_footprint_check_interval_ms", "gpu_invoke_loop_times", "graph", "signature_to_run_for", "list_signatures",
    "input_layer", "input_layer_shape", "input_layer_value_range", "input_layer_value_files", "allow_fp16",
    "require_full_delegation", "enable_op_profiling", "op_profiling_output_mode", "op_profiling_output_file",
    "max_profiling_buffer_entries", "allow_dynamic_profiling_buffer_increase", "profiling_output_csv_file",
    "export_model_runtime_info", "model_runtime_info_output_file", "print_preinvoke_state", "print_postinvoke_state",
    "release_dynamic_tensors", "optimize_memory_for_large_tensors", "disable_delegate_clustering",
    "enable_builtin_cast_constant_cache", "output_filepath", "output_proto_filepath", "result_file_path",
    "tensor_name_display_length", "tensor_type_display_length", "alloc_type_display_length", "enable_platform_tracing",
    "help", "max_delegated_partitions", "min_nodes_per_partition", "first_delegate_node_index", "last_delegate_node_index",
    "delegate_serialize_dir", "delegate_serialize_token", "use_gpu", "gpu_precision_loss_allowed",
    "gpu_experimental_enable_quant", "gpu_inference_for_sustained_speed", "gpu_backend", "gpu_wait_type", "use_xnnpack",
    "xnnpack_force_fp16", "xnnpack_weight_cache_file_path", "xnnpack_runtime_flags", "use_ynnpack", "ynnpack_static_shape",
    "ynnpack_fast_math", "ynnpack_consistent_arithmetic", "ynnpack_no_excess_precision", "use_nnapi",
    "nnapi_execution_preference", "nnapi_execution_priority", "nnapi_accelerator_name", "disable_nnapi_cpu",
    "nnapi_allow_fp16", "nnapi_allow_dynamic_dimensions", "nnapi_use_burst_mode", "nnapi_support_library_path", "use_hexagon",
    "hexagon_lib_path", "hexagon_profiling", "use_coreml", "coreml_version", "external_delegate_path",
    "external_delegate_options", "stable_delegate_settings_file", "perf_options_list",
};
/* clang-format on */

static void every_flag_of_tflite(void **state)
{
    (void)state;
    tool = &benchmark.tool;
    benchmark_add_flags(&benchmark);
    TEST_OK(tool_add_common_flags(tool, &err), err);
    for (size_t i = 0; i < sizeof tflite_names / sizeof *tflite_names; i++)
        if (!cli_find(&tool->cli, tflite_names[i]))
            fail_msg("there is no --%s", tflite_names[i]);
    delegates_fini(&tool->delegates);
}

static void inference_diff(void **state)
{
    (void)state;
    tool = &comparison.tool;
    put_together(diff_flag_table, &comparison.flags, &comparison.flags.partition, &comparison.input_flags,
                 &comparison.flags.tflite_delegates);
    walk();
    delegates_fini(&tool->delegates);
}

static void op_coverage(void **state)
{
    (void)state;
    tool = &coverage.tool;
    put_together(coverage_flag_table, &coverage.flags, &coverage.flags.partition, NULL, NULL);
    walk();
    delegates_fini(&tool->delegates);
}

static void eval_classification(void **state)
{
    (void)state;
    tool = &evaluation.base.tool;
    put_together(classification_flag_table, &evaluation.flags, &evaluation.base.flags.partition, NULL,
                 &evaluation.base.flags.tflite_delegates);
    cli_add(&tool->cli, eval_flag_table, &evaluation.base.flags);
    walk();
    delegates_fini(&tool->delegates);
}

static void eval_segmentation(void **state)
{
    (void)state;
    tool = &segmentation.base.tool;
    put_together(segmentation_flag_table, &segmentation.flags, &segmentation.base.flags.partition, NULL,
                 &segmentation.base.flags.tflite_delegates);
    cli_add(&tool->cli, eval_flag_table, &segmentation.base.flags);
    walk();
    delegates_fini(&tool->delegates);
}

/* compare.h cannot be included beside inference_diff.h: each has a struct comparison. */
extern const struct flag compare_flag_table[];

static void benchmark_compare(void **state)
{
    static union {
        double number;
        const char *text;
        char bytes[256];
    } options;

    (void)state;
    tool = &compare_tool;
    tool->cli = (struct cli){.tool = "tool", .summary = "test"};
    cli_add(&tool->cli, compare_flag_table, &options);
    TEST_OK(tool_add_common_flags(tool, &err), err);
    walk();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(benchmark_model),   cmocka_unit_test(benchmark_compare), cmocka_unit_test(every_flag_of_tflite),
        cmocka_unit_test(inference_diff),    cmocka_unit_test(op_coverage),       cmocka_unit_test(eval_classification),
        cmocka_unit_test(eval_segmentation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
