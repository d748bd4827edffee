/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_flags.c - the flags of benchmark_model. */
#include "benchmark.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct benchmark_flags, field), .value = def, .label = echo, .help = text     \
    }

const struct flag benchmark_flag_table[] = {
    ROW("graph", FLAG_TAKES_TEXT, graph, "", "Graph", "The .tflite model."),
    ROW("num_runs", FLAG_TAKES_INT(0, INT32_MAX), num_runs, "50", "Min num runs", "Least number of timed runs."),
    ROW("min_secs", FLAG_TAKES_NUMBER(0, 1e6), min_secs, "1", "Min runs duration (seconds)",
        "Least seconds of timed runs, even beyond num_runs."),
    ROW("max_secs", FLAG_TAKES_NUMBER(0, 1e6), max_secs, "150", "Max runs duration (seconds)",
        "Stop after so many seconds, even before num_runs."),
    ROW("run_delay", FLAG_TAKES_NUMBER(-1, 1e6), run_delay, "-1", "Inter-run delay (seconds)", "Seconds to sleep between runs."),
    ROW("num_threads", FLAG_TAKES_INT(-1, 1024), num_threads, "-1", "Num threads", "Threads of the CPU kernels; less than 1: one."),
    ROW("cpu_kernels", FLAG_TAKES_WORD("reference", "fast"), cpu_kernels, "fast", "CPU kernels",
        "Plain loops, slow and exact, or fast ones."),
    ROW("warmup_runs", FLAG_TAKES_INT(0, INT32_MAX), warmup_runs, "1", "Min warmup runs",
        "Least number of runs before the timed ones."),
    ROW("warmup_min_secs", FLAG_TAKES_NUMBER(0, 1e6), warmup_min_secs, "0.5", "Min warmup runs duration (seconds)",
        "Least seconds of them."),
    ROW("require_full_delegation", FLAG_TAKES_BOOL, require_full_delegation, "false", "Require full delegation",
        "Exit with 1 where any node stays on the CPU."),
    ROW("enable_op_profiling", FLAG_TAKES_BOOL, op_profiling, "false", "Enable op profiling",
        "Time each op, within the delegate too, in runs after the timed ones."),
    ROW("output_filepath", FLAG_TAKES_TEXT, output_file, "", "File path to export outputs layer to",
        "Write all outputs of the last run into this file."),
    ROW("output_dir", FLAG_TAKES_TEXT, output_dir, "", "Output directory", "Write them as output_<i>.bin into this folder."),
    ROW("list_gpus", FLAG_TAKES_BOOL, list_gpus, "false", NULL, "Print the devices that --gpu_device chooses from, and exit."),
    {0},
};
