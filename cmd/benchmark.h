/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark.h - one benchmark: what was asked for, and what was measured. Filled by benchmark_model.c, printed by
 * benchmark_text.c and benchmark_json.c. */
#ifndef DELEGAUGE_CMD_BENCHMARK_H
#define DELEGAUGE_CMD_BENCHMARK_H

#include "../lib/bench_figures.h"
#include "../lib/bench_loop.h"
#include "../lib/op_profile.h"
#include "inputs.h"
#include "memory.h"
#include "tool.h"

struct benchmark_flags {
    const char *graph, *output_dir, *output_file;
    enum cpu_mode cpu_kernels;
    int32_t num_runs, warmup_runs, num_threads;
    double min_secs, max_secs, warmup_min_secs, run_delay;
    struct partition_options partition;
    bool require_full_delegation, op_profiling, list_gpus;
};

extern const struct flag benchmark_flag_table[]; /* for struct benchmark_flags */

struct benchmark {
    struct tool tool;
    struct benchmark_flags flags;
    struct input_flags input_flags;
    struct inputs inputs;
    struct session *session;

    struct bench_times times;
    struct bench_figures figures; /* of the times */
    struct memory_use at_start, at_init, at_end;
    struct session_memory memory;
    struct op_profile profile; /* no runs unless asked for */
};

/* Before and after each of the two phases of runs. */
void benchmark_say_loop(const struct loop_limits *l);
void benchmark_say_phase(const struct stats *us);

/* Everything that TFLite's tool prints after the last run, and what makes the numbers doubtful. */
enum status benchmark_say_results(const struct benchmark *b, struct err *err);

enum status benchmark_write_json(const struct benchmark *b, struct err *err);

#endif
