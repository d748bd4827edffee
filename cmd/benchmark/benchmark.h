/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark.h - one benchmark: its flags and its measurements. benchmark_open.c and benchmark_runs.c fill it; benchmark_results.h
 * has its results.
 *
 * In this order: model, delegate and session are opened (timed apart), warm-up runs, timed runs, memory, outputs written, and only
 * then the runs that profile, since these are slower. A figure is made once, in lib/measure/bench_figures.h; all printers read it
 * there.
 */
#pragma once

#include "cmd/benchmark/async_runs.h"
#include "cmd/benchmark/cpu_comparison.h"
#include "cmd/export/profile_output.h"
#include "cmd/host/disturbance.h"
#include "cmd/host/energy.h"
#include "cmd/host/machine_track.h"
#include "cmd/host/memory.h"
#include "cmd/input/inputs.h"
#include "cmd/tool/generation_flags.h"
#include "cmd/tool/measure_flags.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/tflite_flags.h"
#include "cmd/tool/tool.h"
#include "lib/measure/bench_figures.h"
#include "lib/measure/bench_loop.h"
#include "lib/measure/op_profile.h"
#include "lib/measure/plausible.h"
#include "lib/measure/sustained.h"
#include "lib/session/device_io.h"

/* Values that the rows of the table fill; texts point into argv, "" if not given. benchmark_flags.c has defaults and bounds. */
struct benchmark_flags {
    const char *graph, *output_dir, *output_file; /* output_file: all outputs, one behind the other; output_dir: a file each */
    const char *output_example;                   /* tf.Example */
    enum cpu_mode cpu_kernels;
    int32_t num_runs, warmup_runs;                         /* least numbers of runs, unless max_secs ends them */
    int32_t num_threads;                                   /* threads of the CPU kernels; below 1: one */
    double min_secs, max_secs, warmup_min_secs, run_delay; /* seconds; run_delay is slept between runs, below 0: none */
    double run_frequency;                                  /* runs per second, then run_delay does not count; not above 0: none */
    struct partition_flags partition;
    struct tflite_flags tflite;
    struct tflite_delegate_flags tflite_delegates;
    const char *signature;        /* key of the signature; "" if the model has at most one */
    const char *require;          /* partition_check.h */
    double require_percent;       /* the share that `require` asks for; 100 also sets the next */
    bool require_full_delegation; /* a node on the CPU: exit status 1; no run, unless it may yet go to a delegate in one */
    bool dry_run;                 /* prepare everything, and run nothing */
    bool list_gpus, list_signatures, list_inputs; /* print them and end */
    const char *html;                             /* the file of the page; "" for none */
    const char *labels;                           /* the file with names of classes; "" for none */
    struct profile_flags profile;
    const char *result_file, *runtime_info_file; /* TFLite's protocol buffers; "" for none */
    bool export_runtime_info;                    /* asks for the second, which must be given then */
    bool peak_memory;                            /* watch resident memory, every memory_interval_ms */
    int32_t memory_interval_ms;
};

extern const struct flag benchmark_flag_table[]; /* for struct benchmark_flags */
extern const struct cli_help benchmark_help;     /* the short --help */

/* One benchmark; zeroed to begin with, so that all of it can be freed at any point at which the tool stops. */
struct benchmark {
    struct tool tool;
    struct benchmark_flags flags;
    struct measure_flags measure;
    struct generation_flags generation;
    struct input_flags input_flags;
    struct inputs inputs; /* filled once: all runs have the same content */
    struct session *session;
    struct device_io io; /* the session's inputs and outputs on the device, if the delegate's options want that */

    uint64_t start_ns; /* start of the tool's work, by clock_ns */
    struct bench_times times;
    struct bench_figures figures;                /* of the times so far; final after the timed runs */
    uint64_t tuning_at_init_ns;                  /* nanoseconds of tuning, as printed when the session was ready */
    struct memory_use at_start, at_init, at_end; /* memory of the process: before the model, after init, after the timed runs */
    struct session_memory memory;                /* after the timed runs */
    struct delegate_facts facts;                 /* likewise */
    struct session_dynamic dynamic;              /* likewise */
    struct session_called called;                /* likewise */
    struct memory_monitor *monitor;              /* the monitor while it watches; else NULL */
    uint64_t sampled_peak_bytes;                 /* peak that the monitor saw */
    struct op_profile profile;                   /* no runs unless asked for */

    struct loop_result warmup_result, timed_result;
    bool delegate_failed;                            /* the delegate could not be opened, or could not be applied to the model */
    struct machine_state machine_start, machine_end; /* before and after the timed runs */
    struct disturbance_watch disturbances;           /* of the timed runs, with --leave_out_disturbed */
    struct machine_track track;                      /* of all runs, for a trace */
    struct energy energy;                            /* of the timed runs, with --energy */
    double stop_at; /* part of the median that its interval may reach to either side before runs end; 0: not asked for */
    double percent[MEASURE_MAX_PERCENTILES], percentile_us[MEASURE_MAX_PERCENTILES]; /* [n_percent] of the timed runs */
    uint32_t n_percent;
    struct sustained sustained; /* zeros unless asked for */
    struct cpu_comparison versus_cpu;
    double written_bytes,
        read_bytes;            /* bytes to and from delegates' devices (delegate.traffic), mean of the timed runs; NAN: none */
    double waits;              /* number of waits for the devices, likewise */
    struct async_runs async;   /* zeros if each run was timed; else times.timed has one sample, the whole over the number */
    struct samples submission; /* microseconds of submission in each timed run, if the delegate counts it (delegate.submission) */
    struct stats submission_stats;
    struct plausible plausible; /* check of the timed runs' median, with --enable_op_profiling and a delegate */
};

/* Add every flag of the tool; the first step. */
void benchmark_add_flags(struct benchmark *b);

/* Check the rules that no single row of the tables can state: flags that contradict each other, and one model at most, as --graph
 * or operand. */
enum status benchmark_check_flags(struct benchmark *b, struct err *err);

/* Check that no flag is given that only the measurement of one model in one configuration heeds: ST_USAGE, naming `mode`, the
 * measurement that would drop it. */
enum status benchmark_check_single(const struct benchmark *b, const char *mode, struct err *err);

/* Check the flags of delegates, or about their nodes, if no delegate is asked for: ST_USAGE, or a warning if one was refused by
 * --use_gpu=false, as in scripts that have a variable there. */
enum status benchmark_check_delegates(const struct benchmark *b, struct err *err);

/* Open model, delegate and session: the work that TFLite counts as initialization, and nothing else while its clock runs. */
enum status benchmark_open(struct benchmark *b, struct err *err);

/* Fill the inputs of b's session, in host memory or on the device, with the inputs of a run. */
enum status benchmark_fill_inputs(struct benchmark *b, struct err *err);

/* Return the options of sessions of b's flags, with another mode and delegates (up to a NULL; NULL: none). */
struct session_options benchmark_session_options(const struct benchmark *b, enum cpu_mode mode, struct delegate *const *ds);

/* Make a prepared session of b's model and flags with another mode and delegates (up to a NULL; NULL: none); the caller frees it,
 * after failures too. Its inputs are not filled. */
enum status benchmark_new_session(const struct benchmark *b, enum cpu_mode mode, struct delegate *const *ds, struct session **out,
                                  struct err *err);

/* Make the warm-up, the timed runs, and the runs in turns with the CPU if asked for; fill all figures, and print each phase. Ctrl-C
 * ends the runs early. */
enum status benchmark_run(struct benchmark *b, struct err *err);

/* Return the limits of warm-up and timed runs, from the flags. */
struct loop_limits benchmark_warmup_limits(const struct benchmark *b);
struct loop_limits benchmark_timed_limits(const struct benchmark *b);

/* Free everything; accepts zeros. Returns the final exit status. */
int benchmark_close(struct benchmark *b, int code);

/* Print a line before and after each of the two phases of runs; `us`: the time per run in microseconds. */
void benchmark_say_loop(const struct loop_limits *l);
void benchmark_say_phase(const struct stats *us);

/* Print this in place of benchmark_say_phase if runs were not waited for. */
void benchmark_say_async(const struct benchmark *b);

/* Print after the runs the numbers of nodes that delegates took among nodes whose shapes became known in the runs, and of called
 * subgraphs; nothing if there are none. */
void benchmark_say_dynamic(const struct benchmark *b);
void benchmark_say_called(const struct benchmark *b);

/* Print after the warm-up why it ended. */
void benchmark_say_warmup_end(const struct benchmark *b);

/* Print everything that TFLite's tool prints after the last run, the reasons to doubt the numbers, and the profile; `files`: write
 * them to --json and --html, too. */
enum status benchmark_report(const struct benchmark *b, bool files, struct err *err);
