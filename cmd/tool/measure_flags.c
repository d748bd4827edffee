/* SPDX-License-Identifier: Apache-2.0 */
/* measure_flags.c - how benchmark_model measures, as flags. */
#include "cmd/tool/measure_flags.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FLAG_OPTIONS struct measure_flags
#define ROW          FLAG_ROW

const struct flag measure_flag_table[] = {
    ROW(RUN, "percentiles", FLAG_TAKES_TEXT, percentiles, "90,99", "Percentiles",
        "Print these percentiles beside the median, with commas between: 50,99.9"),
    ROW(RUN, "warmup_max_secs", FLAG_TAKES_NUMBER(-1, 1e6), warmup_max_secs, "-1", "Max warmup runs duration (seconds)",
        "Continue the warm-up until run times are steady, for at most this many seconds; below 0: four times warmup_min_secs."),
    ROW(RUN, "sustained", FLAG_TAKES_NUMBER(0, 1e6), sustained, "0", "Sustained (seconds)",
        "Time runs for this many seconds, and compare the last minute (or fifth) with the first; 0: off."),
    ROW(RUN, "stop_at", FLAG_TAKES_TEXT, stop_at, "", "Stop at",
        "Time runs until the 95 % interval of the median is within this percentage of it (1%), from min_secs to max_secs."),
    ROW(RUN, "leave_out_disturbed", FLAG_TAKES_BOOL, leave_out_disturbed, "false", "Leave out disturbed runs",
        "Leave timed runs out of all figures during which the CPU was throttled for heat, its clock fell by a tenth, or a quota "
        "stopped threads. The report keeps them; num_runs does not count them."),
    ROW(RUN, "recover_secs", FLAG_TAKES_NUMBER(0, 1e6), recover_secs, "0", "Recover (seconds)",
        "After a disturbed run wait until the machine has recovered, for at most this many seconds in all. Implies "
        "leave_out_disturbed; max_secs includes it."),
    ROW(PROFILE, "energy", FLAG_TAKES_BOOL, energy, "false", "Energy",
        "Print the joules of an inference, from RAPL, power rails of Android or a battery. They are the whole machine's."),
    ROW(DEBUG, "machine_root", FLAG_TAKES_TEXT, machine_root, "", "Machine root",
        "Read clocks, temperatures, quotas and energy from sys/ and proc/ below this folder, as tests do."),
    ROW(RUN, "cycles", FLAG_TAKES_INT(0, 2000), cycles, "0", "Cycles",
        "Load, prepare, run and close this many times in one process, and report memory, files and threads that grow; 0: off. "
        "num_runs is the number of runs of each, 10 unless it is given."),
    ROW(JUDGE, "max_growth", FLAG_TAKES_NUMBER(0, 1e9), max_growth, "100", "Max growth (bytes)",
        "Fail (exit status 1) if a cycle of --cycles is shown to grow memory by more than this many bytes."),
    ROW(RUN, "concurrent", FLAG_TAKES_TEXT, concurrent, "", "Concurrent",
        "Run these models, with commas between, at the same time as the first: each one's latency alone and together."),
    ROW(RUN, "concurrent_set", FLAG_TAKES_TEXT, concurrent_set, "", "Concurrent settings",
        "Settings of the models of --concurrent, as --sweep has them: use_gpu:0;num_threads:1."),
    ROW(RUN, "instances", FLAG_TAKES_INT(1, 8), instances, "1", "Instances",
        "Run this many instances of each model at the same time."),
    ROW(RUN, "concurrent_by", FLAG_TAKES_WORD("threads", "processes"), concurrent_by, "threads", "Concurrent by",
        "Run them in threads of one process, or in processes."),
    ROW(RUN, "concurrent_context", FLAG_TAKES_WORD("own", "shared"), concurrent_context, "own", "Concurrent context",
        "Give each a GL context of its own, or let all run in one, in turns in the order of their coming."),
    ROW(COMPARE, "compare_cpu", FLAG_TAKES_BOOL, compare_cpu, "false", "Compare with the CPU",
        "Run CPU kernels and delegate in turns after the timed runs, and print the speed-up."),
    ROW(COMPARE, "sweep", FLAG_TAKES_TEXT, sweep, "", "Sweep",
        "Run all combinations of these values in turns, and print one table: num_threads:1,2;use_gpu:0,1 (values with commas: "
        "a,b|c,d)."),
    ROW(COMPARE, "sweep_format", FLAG_TAKES_WORD("text", "markdown"), sweep_format, "text", "Sweep format",
        "Print the table of a sweep among the other lines as text or as Markdown; --markdown=FILE writes it alone."),
    ROW(OUTPUT, "markdown", FLAG_WRITES_REPORT, markdown, "", "Markdown",
        "Write the table of a sweep, or the figures of a run, to this file as Markdown; -: to standard output, and nothing else "
        "there."),
    ROW(COMPARE, "with_accuracy", FLAG_TAKES_BOOL, with_accuracy, "false", "With accuracy",
        "Add to the table of a sweep the largest error of each case against the reference CPU kernels, on equal inputs."),
    ROW(COMPARE, "perf_options_list", FLAG_TAKES_TEXT, perf_options, "", "Performance options",
        "Sweep over TFLite's performance options: all, cpu, gpu, none, with commas between."),
    {0},
};

enum status measure_percentiles(const char *list, double percent[MEASURE_MAX_PERCENTILES], uint32_t *n, struct err *err)
{
    const char *at = list;

    for (*n = 0; *at || *n == 0; at = flag_skip_blanks(at + (*at == ','))) {
        size_t len = strcspn(at, ",");
        char word[32];
        double p = NAN;

        snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), at);
        at += len;
        if (!flag_read_double(word, &p) || !(p >= 0 && p <= 100) || (*at == ',' && !at[1]))
            return err_set(err, ST_USAGE, "--percentiles=%.60s: expected numbers from 0 to 100 with commas between them", list);
        if (*n == MEASURE_MAX_PERCENTILES)
            return err_set(err, ST_USAGE, "--percentiles=%.60s: more than %d", list, MEASURE_MAX_PERCENTILES);
        percent[(*n)++] = p;
    }
    return ST_OK;
}
