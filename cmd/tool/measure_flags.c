/* SPDX-License-Identifier: Apache-2.0 */
/* measure_flags.c - how benchmark_model measures, as flags. */
#include "cmd/tool/measure_flags.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct measure_flags, field), .value = def, .label = echo, .help = text       \
    }

const struct flag measure_flag_table[] = {
    ROW("percentiles", FLAG_TAKES_TEXT, percentiles, "90,99", "Percentiles", "What the summary shows beside the median: 50,99.9"),
    ROW("warmup_max_secs", FLAG_TAKES_NUMBER(-1, 1e6), warmup_max_secs, "-1", "Max warmup runs duration (seconds)",
        "Warm up beyond the least until runs are steady, so long at most; below 0: four times warmup_min_secs."),
    ROW("sustained", FLAG_TAKES_NUMBER(0, 1e6), sustained, "0", "Sustained (seconds)",
        "Time runs for so long, and hold the last minute (or fifth) against the first; 0: do not."),
    ROW("compare_cpu", FLAG_TAKES_BOOL, compare_cpu, "false", "Compare with the CPU",
        "Run the CPU kernels in turns with the delegate, after the timed runs, for the speed-up."),
    ROW("sweep", FLAG_TAKES_TEXT, sweep, "", "Sweep",
        "Run every combination in turns, into one table: num_threads:1,2;use_gpu:0,1 (values with commas: a,b|c,d)."),
    ROW("sweep_format", FLAG_TAKES_WORD("text", "markdown"), sweep_format, "text", "Sweep format", "What that table looks like."),
    ROW("with_accuracy", FLAG_TAKES_BOOL, with_accuracy, "false", "With accuracy",
        "In that table, the largest error of each case against the reference CPU kernels on equal inputs."),
    ROW("perf_options_list", FLAG_TAKES_TEXT, perf_options, "", "Performance options",
        "Sweep over TFLite's performance options: all, cpu, gpu, none, with commas between them."),
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
