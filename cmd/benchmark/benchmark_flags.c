/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_flags.c - the flags of benchmark_model. */
#include "cmd/benchmark/benchmark.h"
#include "cmd/tool/help.h"
#include "cmd/tool/partition_check.h"

#define FLAG_OPTIONS struct benchmark_flags
#define ROW          FLAG_ROW

const struct flag benchmark_flag_table[] = {
    ROW(RUN, "num_runs", FLAG_TAKES_INT(0, INT32_MAX), num_runs, "50", "Min num runs", "Run at least this many timed runs."),
    ROW(RUN, "min_secs", FLAG_TAKES_NUMBER(0, 1e6), min_secs, "1", "Min runs duration (seconds)",
        "Run for at least this many seconds, even after num_runs."),
    ROW(RUN, "max_secs", FLAG_TAKES_NUMBER(0, 1e6), max_secs, "150", "Max runs duration (seconds)",
        "Stop after this many seconds, even before num_runs."),
    ROW(RUN, "run_delay", FLAG_TAKES_NUMBER(-1, 1e6), run_delay, "-1", "Inter-run delay (seconds)",
        "Sleep this many seconds between runs; 0 or less: do not sleep."),
    ROW(RUN, "run_frequency", FLAG_TAKES_NUMBER(-1, 1e6), run_frequency, "-1", "Number of prorated runs per second",
        "Start this many runs per second; a late run starts at once. Overrides run_delay; 0 or less: do not wait."),
    ROW(RUN, "num_threads", FLAG_TAKES_INT(-1, 1024), num_threads, "-1", "Num threads",
        "Run the CPU kernels on this many threads; below 1: one."),
    ROW(RUN, "warmup_runs", FLAG_TAKES_INT(0, INT32_MAX), warmup_runs, "1", "Min warmup runs",
        "Run at least this many warm-up runs before the timed ones."),
    ROW(RUN, "warmup_min_secs", FLAG_TAKES_NUMBER(0, 1e6), warmup_min_secs, "0.5", "Min warmup runs duration (seconds)",
        "Warm up for at least this many seconds."),
    ROW(RUN, "dry_run", FLAG_TAKES_BOOL, dry_run, "false", "Run w/o invoking kernels", "Prepare everything, run nothing."),
    ROW(MODEL, "graph", FLAG_READS_PATH, graph, "", "Graph", "Measure this .tflite model.", .echoed = true),
    ROW(MODEL, "signature_to_run_for", FLAG_TAKES_TEXT, signature, "", "Signature to run",
        "Run this signature of the model; required if the model has several and input_dir is not given. all: a sweep over "
        "them.",
        .echoed = true),
    ROW(MODEL, "list_signatures", FLAG_TAKES_BOOL, list_signatures, "false", "List signatures from the provided model",
        "Print the model's signatures with names, types and shapes, and exit."),
    ROW(MODEL, "list_inputs", FLAG_TAKES_BOOL, list_inputs, "false", NULL,
        "Print names, types and shapes of inputs and outputs, and exit; of the signature that signature_to_run_for names."),
    ROW(RUN, "cpu_kernels", FLAG_TAKES_WORD("reference", "fast"), cpu_kernels, "fast", "CPU kernels",
        "Choose the CPU kernels: reference (plain loops, slow and exact) or fast."),
    ROW(JUDGE, "require", FLAG_TAKES_TEXT, require, "", "Required", REQUIRE_HELP),
    ROW(JUDGE, "require_full_delegation", FLAG_TAKES_BOOL, require_full_delegation, "false", "Require full delegation",
        "Same as --require=full, by TFLite's name."),
    ROW(PROFILE, "enable_op_profiling", FLAG_TAKES_BOOL, profile.enabled, "false", "Enable op profiling",
        "Time each operator, inside the delegate too, in extra runs after the timed ones. Flags that name an output of the "
        "profile imply it."),
    ROW(PROFILE, "op_profiling_output_mode", FLAG_TAKES_WORD("stdout", "csv", "proto", "json", "trace"), profile.mode, "stdout",
        "Op profiling output mode.",
        "Choose the form of the profile: stdout (tables), csv (one table), proto (TFLite's BenchmarkProfilingData), json (node "
        "data for Model Explorer) or trace (time line for Perfetto)."),
    ROW(PROFILE, "op_profiling_output_file", FLAG_WRITES_FILE, profile.file, "", "Op profiling output file.",
        "Write the profile to this file; required by proto, json and trace."),
    ROW(PROFILE, "profiling_output_csv_file", FLAG_WRITES_FILE, profile.csv_file, "", "CSV File to export profiling data to",
        "Write the profile to this file, too, in TFLite's CSV layout with its banners."),
    ROW(PROFILE, "export_model_runtime_info", FLAG_TAKES_BOOL, export_runtime_info, "false", "Enable Model Runtime Info Export",
        "Write model_runtime_info_output_file, which implies this flag."),
    ROW(PROFILE, "model_runtime_info_output_file", FLAG_WRITES_FILE, runtime_info_file, "",
        "Proto File to export model runtime info to",
        "Write the graph, its order of execution and the delegate of each node to this file, as TFLite's ModelRuntimeDetails."),
    ROW(OUTPUT, "result_file_path", FLAG_WRITES_FILE, result_file, "",
        "File path to save the benchmark result in binary proto format",
        "Write the figures to this file, as TFLite's BenchmarkResult."),
    ROW(PROFILE, "report_peak_memory_footprint", FLAG_TAKES_BOOL, peak_memory, "false", "Report the peak memory footprint",
        "Sample resident memory while the model is opened and runs, and print the peak. The sampling thread takes time from "
        "the runs."),
    ROW(PROFILE, "memory_footprint_check_interval_ms", FLAG_TAKES_INT(INT32_MIN, INT32_MAX), memory_interval_ms, "50",
        "Memory footprint check interval (ms)", "Sample memory at this interval, in milliseconds; 0 or less: 50."),
    ROW(OUTPUT, "output_filepath", FLAG_WRITES_FILE, output_file, "", "File path to export outputs layer to",
        "Write all outputs of the last run to this file."),
    ROW(OUTPUT, "output_proto_filepath", FLAG_WRITES_FILE, output_example, "", "File path to export outputs layer as tf example to",
        "Write all outputs of the last run to this file, as a tf.Example."),
    ROW(OUTPUT, "output_dir", FLAG_WRITES_DIR, output_dir, "", "Output directory",
        "Write each output of the last run to this folder, as output_<i>.bin."),
    ROW(OUTPUT, "html", FLAG_WRITES_FILE, html, "", "HTML report", "Write the results to this file, as one HTML page with charts."),
    ROW(OUTPUT, "labels", FLAG_READS_PATH, labels, "", "Labels",
        "Print the five largest elements of outputs that are vectors, with the names of this file, a line for each class. With "
        "inputs from files the labels in the model's metadata are used without this flag."),
    ROW(GPU, "list_gpus", FLAG_TAKES_BOOL, list_gpus, "false", NULL, "Print the devices that --gpu_device chooses from, and exit."),
    {0},
};

static const struct cli_help_line examples[] = {
    {"model.tflite --num_threads=4", "on the CPU with four threads"},
    {"model.tflite --use_gpu --compare_cpu", "on the GPU, beside the CPU"},
    {"model.tflite --use_gpu --enable_op_profiling", "the time of each operator"},
    {"model.tflite --input_dir=DIR --json=out.json", "own inputs, a JSON report"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"use_gpu", "run on the GPU; default: on the CPU"},
    {"num_threads=4", "threads of the CPU kernels; default: 1"},
    {"gpu_precision=fp16", "half; also fp16_storage, fp16_sum32; default: fp32"},
    {"num_runs=50", "timed runs, at least"},
    {"min_secs=1", "seconds of timed runs, at least"},
    {"input_dir=DIR", "read input_0.npy, input_0.png or input_0.bin, and so on"},
    {"input_layer_value_files=NAME:FILE", "read the input NAME from an array, an image or raw bytes"},
    {"labels=FILE", "the top five classes by name; default: the model's own"},
    {"input_layer=NAME", "the input that gets another shape, with the next flag"},
    {"input_layer_shape=4,224,224,3", "its shape: another resolution, or another batch"},
    {"enable_op_profiling", "time each operator, inside the delegate too"},
    {"compare_cpu", "run CPU and delegate in turns, and print the speed-up"},
    {"sweep='num_threads:1,2;use_gpu:0,1'", "all combinations of these values, in one table"},
    {"json=FILE, --html=FILE, --markdown=FILE", "write the results as JSON, page, Markdown"},
    {"config=REPORT.json", "run again with the flags of a report"},
    {"list_gpus", "print the GPUs, and exit"},
    {"list_inputs", "print names, types and shapes of inputs, and exit"},
    {0},
};

const struct cli_help benchmark_help = {examples, most_used};
