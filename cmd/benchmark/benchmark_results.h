/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_results.h - the results of a benchmark as one tree; benchmark_results.c puts it together and renders it.
 *
 * Each function adds one topic: lines, figures, tables and charts to its sections, members to the report. */
#pragma once

#include "cmd/benchmark/benchmark.h"
#include "cmd/tool/labels.h"

enum bench_part {
    BENCH_TIMINGS,
    BENCH_MEMORY,
    BENCH_SUSTAINED,
    BENCH_SUBMISSION,
    BENCH_LOOPS,
    BENCH_PLAUSIBLE,
    BENCH_DOUBTS,
    BENCH_SUMMARY,
    BENCH_VERSUS_CPU,
    BENCH_TOP,
    BENCH_START,
    BENCH_PROGRAMS,
    BENCH_RUN,
    BENCH_SHARE,
    BENCH_OPERATORS,
    BENCH_WORK, /* these six: struct profile_sections */
    BENCH_HEADLINE,
    BENCH_RUNS,
    BENCH_WHERE,
    BENCH_MODEL,
    BENCH_ENVIRONMENT,
    BENCH_TABLE, /* for Markdown alone */
    BENCH_PARTS
};

/* "measurement": the method, further measurements beside the timed runs, and doubts about the figures. */
void measure_results(struct results *r, const struct benchmark *b);

/* "machine", "left_out", "energy" of `in`: the machine before and after the timed runs, the runs that it disturbed, its energy. */
void machine_results(struct results *r, struct json *in, const struct benchmark *b);

/* Write what in the machine speaks against the figures (machine_advice); not what --leave_out_disturbed has left out. Returns the
 * number of entries. */
size_t machine_doubts(const struct benchmark *b, struct machine_advice advice[MACHINE_MAX_ADVICE]);

/* Return the joules of an inference in the timed runs; NAN where --energy was not given, or nothing counts them. */
double machine_joules(const struct benchmark *b);

/* Put {"ratio": …, "low": …, "high": …, "p": …}: a ratio of medians with its interval, and the U test. */
void measure_put_ratio(struct report *r, struct json *in, const char *key, const struct median_ratio *ratio,
                       const struct mann_whitney *test);

#define SUSTAINED_SIZE 96

/* Write the interval of `ratio` and the verdict: "(95 %: 0.992 to 1.012): no change". Returns `out`. */
const char *measure_sustained(const struct sustained *s, char out[SUSTAINED_SIZE]);

/* The memory of process, session and delegate, in TFLite's lines and ours. One unit: MB, 1,000,000 bytes. TFLite's tool prints 2^20
 * bytes in its lines, and says MB. */
void memory_results(struct results *r, const struct benchmark *b);

/* "top": the five largest elements of each output that is a vector, with the labels of --labels, or of the model if inputs come
 * from files; nothing without labels. Fails as labels_read does. */
enum status top_results(struct results *r, const struct benchmark *b, struct err *err);

/* The answer, in lines of at most 80 columns: the nodes of each side, and why not all run on the delegate; the median in ms with
 * its 95 % interval, percentiles and, of the mean, inferences per second; start and memory; all reasons not to trust it. Fails only
 * with ST_NOMEM. */
enum status summary_results(struct results *r, const struct benchmark *b, struct err *err);

/* Add the same as a table of one row, for Markdown. */
void summary_table(struct result_section *to, const struct benchmark *b);

#define SUMMARY_MS_SIZE 32

/* Write microseconds as milliseconds with four digits, in whole ones from 1000 on; "?" for NAN. Returns `out`. */
const char *summary_ms(double us, char out[SUMMARY_MS_SIZE]);
