/* SPDX-License-Identifier: Apache-2.0 */
/* measure_flags.h - flags of benchmark_model that TFLite's tool lacks: for its measurements and comparisons. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/flag.h"

enum { MEASURE_MAX_PERCENTILES = 8 };

/* Values that the rows of the table fill; texts point into argv. */
struct measure_flags {
    const char *percentiles;    /* "90,99": see measure_percentiles */
    double warmup_max_secs;     /* seconds that warm-up may go on until runs are steady; below 0: four times warmup_min_secs */
    double sustained;           /* seconds of timed runs whose first minute is compared with the last; 0: none */
    const char *stop_at;        /* "1%": time runs until the interval of the median is that narrow; "": by time and number alone */
    bool leave_out_disturbed;   /* runs during which the machine slowed down do not count */
    double recover_secs;        /* seconds to wait for it to recover, over all runs; 0: none */
    bool energy;                /* joules of the timed runs */
    const char *machine_root;   /* /sys and /proc are below it */
    int32_t cycles;             /* load, prepare, run and close so many times, and look for growth; 0: off */
    double max_growth;          /* bytes that a cycle may grow */
    const char *concurrent;     /* models that run beside the first, with commas between; "": none */
    const char *concurrent_set; /* their settings, as of a sweep; "": none */
    int32_t instances;          /* of each model, at the same time */
    enum { BY_THREADS, BY_PROCESSES } concurrent_by;         /* in which they run */
    enum { OWN_CONTEXT, SHARED_CONTEXT } concurrent_context; /* each has a GL context, or all have one */
    bool compare_cpu;                                        /* run the CPU in turns with the delegate */
    const char *sweep, *perf_options;                        /* see sweep_spec.h; "": none */
    enum { SWEEP_TEXT, SWEEP_MARKDOWN } sweep_format;        /* format of the table */
    const char *markdown;                                    /* the file for the table; "-": standard output; "": none */
    bool with_accuracy;                                      /* measure the accuracy of each case, against the reference kernels */
};

extern const struct flag measure_flag_table[]; /* for struct measure_flags */

/* Read the percentages of a list "50,90,99.9", each from 0 to 100, in its order. ST_USAGE for anything else, and for more than
 * MEASURE_MAX_PERCENTILES. */
enum status measure_percentiles(const char *list, double percent[MEASURE_MAX_PERCENTILES], uint32_t *n, struct err *err);
