/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_flags.c - the flags of benchmark_model. */
#include "cmd/benchmark/benchmark.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct benchmark_flags, field), .value = def, .label = echo, .help = text     \
    }

#define ROW_ECHOED(flag_name, takes, field, def, label_text, text)                                                                 \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct benchmark_flags, field), .value = def, .label = label_text,            \
        .help = text, .echoed = true                                                                                               \
    }

const struct flag benchmark_flag_table[] = {
    ROW("num_runs", FLAG_TAKES_INT(0, INT32_MAX), num_runs, "50", "Min num runs", "Least number of timed runs."),
    ROW("min_secs", FLAG_TAKES_NUMBER(0, 1e6), min_secs, "1", "Min runs duration (seconds)",
        "Least seconds of timed runs, even beyond num_runs."),
    ROW("max_secs", FLAG_TAKES_NUMBER(0, 1e6), max_secs, "150", "Max runs duration (seconds)",
        "Stop after so many seconds, even before num_runs."),
    ROW("run_delay", FLAG_TAKES_NUMBER(-1, 1e6), run_delay, "-1", "Inter-run delay (seconds)", "Seconds to sleep between runs."),
    ROW("run_frequency", FLAG_TAKES_NUMBER(-1, 1e6), run_frequency, "-1", "Number of prorated runs per second",
        "Begin so many runs a second, late ones as soon as may be, whatever run_delay says; not above 0: no pace."),
    ROW("num_threads", FLAG_TAKES_INT(-1, 1024), num_threads, "-1", "Num threads", "Threads of the CPU kernels; less than 1: one."),
    ROW("warmup_runs", FLAG_TAKES_INT(0, INT32_MAX), warmup_runs, "1", "Min warmup runs",
        "Least number of runs before the timed ones."),
    ROW("warmup_min_secs", FLAG_TAKES_NUMBER(0, 1e6), warmup_min_secs, "0.5", "Min warmup runs duration (seconds)",
        "Least seconds of them."),
    ROW("dry_run", FLAG_TAKES_BOOL, dry_run, "false", "Run w/o invoking kernels", "Make everything ready, and run nothing."),
    ROW_ECHOED("graph", FLAG_READS_PATH, graph, "", "Graph", "The .tflite model."),
    ROW_ECHOED("signature_to_run_for", FLAG_TAKES_TEXT, signature, "", "Signature to run",
               "Which signature of the model to run; needed where there are several and no input_dir."),
    ROW("list_signatures", FLAG_TAKES_BOOL, list_signatures, "false", "List signatures from the provided model",
        "Print the model's signatures with names, types and shapes, and exit."),
    ROW("cpu_kernels", FLAG_TAKES_WORD("reference", "fast"), cpu_kernels, "fast", "CPU kernels",
        "Plain loops, slow and exact, or fast ones."),
    ROW("require_full_delegation", FLAG_TAKES_BOOL, require_full_delegation, "false", "Require full delegation",
        "Exit with 1 where any node stays on the CPU."),
    ROW("enable_op_profiling", FLAG_TAKES_BOOL, profile.enabled, "false", "Enable op profiling",
        "Time each op, within the delegate too, in runs after the timed ones; the flags that say where it goes ask for it too."),
    ROW("op_profiling_output_mode", FLAG_TAKES_WORD("stdout", "csv", "proto", "json", "trace"), profile.mode, "stdout",
        "Op profiling output mode.",
        "Tables; one CSV table; TFLite's BenchmarkProfilingData; node data of Model Explorer; a trace for Perfetto."),
    ROW("op_profiling_output_file", FLAG_WRITES_FILE, profile.file, "", "Op profiling output file.",
        "Where it goes; stdout and csv need none."),
    ROW("profiling_output_csv_file", FLAG_WRITES_FILE, profile.csv_file, "", "CSV File to export profiling data to",
        "Write the profile in TFLite's layout of CSV, banners and all, besides."),
    ROW("export_model_runtime_info", FLAG_TAKES_BOOL, export_runtime_info, "false", "Enable Model Runtime Info Export",
        "Write model_runtime_info_output_file, which asks for it too."),
    ROW("model_runtime_info_output_file", FLAG_WRITES_FILE, runtime_info_file, "", "Proto File to export model runtime info to",
        "Write the graph, who runs what and in which order as TFLite's ModelRuntimeDetails."),
    ROW("result_file_path", FLAG_WRITES_FILE, result_file, "", "File path to save the benchmark result in binary proto format",
        "Write the figures as TFLite's BenchmarkResult."),
    ROW("report_peak_memory_footprint", FLAG_TAKES_BOOL, peak_memory, "false", "Report the peak memory footprint",
        "Look at resident memory while the model is opened and runs, in a thread that takes time from the runs."),
    ROW("memory_footprint_check_interval_ms", FLAG_TAKES_INT(INT32_MIN, INT32_MAX), memory_interval_ms, "50",
        "Memory footprint check interval (ms)", "Milliseconds between two looks."),
    ROW("output_filepath", FLAG_WRITES_FILE, output_file, "", "File path to export outputs layer to",
        "Write all outputs of the last run into this file."),
    ROW("output_proto_filepath", FLAG_WRITES_FILE, output_example, "", "File path to export outputs layer as tf example to",
        "Write them as tf.Example into this file."),
    ROW("output_dir", FLAG_WRITES_DIR, output_dir, "", "Output directory", "Write them as output_<i>.bin into this folder."),
    ROW("html", FLAG_WRITES_FILE, html, "", "HTML report", "Write the results as one HTML page with charts into this file."),
    ROW("list_gpus", FLAG_TAKES_BOOL, list_gpus, "false", NULL, "Print the devices that --gpu_device chooses from, and exit."),
    {0},
};
