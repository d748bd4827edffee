/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - reports of benchmark_model before and after, pair by pair. Read by compare_read.c, paired and compared by
 * compare_pairs.c, printed by compare_text.c and compare_json.c.
 *
 * Two reports are comparable where the model's content, the device and the settings that make another measurement of it (threads,
 * precision, kernels, shapes) are the same. Anything else that differs is said, but may be what the comparison is about. */
#ifndef DELEGAUGE_CMD_COMPARE_H
#define DELEGAUGE_CMD_COMPARE_H

#include "cmd/print/report_read.h"
#include "cmd/tool/tool.h"
#include "lib/measure/comparison.h"

/* What the rows of the table fill; texts point into argv. */
struct compare_flags {
    double alpha;
    const char *fail_if_slower; /* "5%" */
    bool allow_differences, markdown;
};

extern const struct flag compare_flag_table[]; /* for struct compare_flags */

/* The part of the whole that --fail_if_slower stands for: 0.05 for "5%" and "5". ST_USAGE where it is no such thing. */
enum status compare_threshold(const char *text, double *out, struct err *err);

struct compare_setting {
    const char *name, *value;
};

struct compare_op {
    const char *type, *name;
    const double *us; /* [n] of each profiled run */
    size_t n;
};

/* What is needed of one report. Texts are "" where the report has null, delegate is then "none". */
struct compare_report {
    char *path;
    struct reader *reader; /* owns the texts */
    struct arena arena;    /* owns the lists */
    const char *tool_version, *time, *cpu, *governor, *kernel, *model, *sha256, *delegate, *device;
    struct compare_setting *settings; /* [n_settings] every parameter */
    struct compare_op *ops;           /* [n_ops] in the order of execution; none without a profile */
    const double *us;                 /* [n] of each timed run */
    size_t n_settings, n_ops, n;
    bool interrupted;
};

/* ST_USAGE where --alpha is no probability that a test could have: 0 shows nothing, 1 everything. */
enum status compare_alpha(double alpha, struct err *err);

/* Reads one report. ST_USAGE with one message where it is none, is of another tool or layout, lacks something, or holds what it may
 * not. Free with compare_report_free, which accepts zeros, after failures too. */
enum status compare_read(const char *path, struct compare_report *out, struct err *err);
void compare_report_free(struct compare_report *r);

/* Something that two reports do not share. */
struct compare_difference {
    const char *what, *old_value, *new_value;
    bool bars; /* the times are not of the same measurement */
};

struct compare_op_pair {
    const struct compare_op *op; /* the new one */
    struct comparison times;
};

struct compare_pair {
    const struct compare_report *before, *after;
    struct compare_difference *differences; /* [n_differences], those that bar first */
    struct compare_op_pair *ops;            /* [n_ops] the operators that both have, in the order of execution */
    size_t n_differences, n_ops;
    size_t n_only_before, n_only_after; /* operators that one report alone has */
    struct comparison whole;            /* of a run */
    bool regression;                    /* slower, and by more than the threshold */
};

/* A file of a folder that is no report which could be compared, and why. */
struct compare_skipped {
    const char *path, *why;
};

/* Zeroed to begin with. */
struct compare {
    struct tool tool;
    struct compare_flags flags;
    double threshold;                  /* of --fail_if_slower: 0.05 */
    bool folders;                      /* OLD and NEW are: their reports are matched */
    struct compare_report *reports[2]; /* before and after, [n_reports[i]] each */
    size_t n_reports[2];
    struct compare_skipped *skipped[2]; /* [n_skipped[i]] of folders */
    size_t n_skipped[2];
    struct compare_pair *pairs;
    size_t n_pairs, n_regressions;
    const struct compare_report **unmatched[2]; /* [n_unmatched[i]] reports that have no counterpart */
    size_t n_unmatched[2];
    struct arena arena; /* owns pairs and what is in them */
};

/* Everything that differs between two reports; the list belongs to `a`. Fails only with ST_NOMEM. */
enum status compare_differences(const struct compare_report *before, const struct compare_report *after, struct arena *a,
                                struct compare_difference **out, size_t *n, struct err *err);

/* Pairs the reports of c, the one with the one of two files, those that are comparable of two folders, and compares each pair.
 * ST_USAGE where two files are not comparable and --allow_differences is not given, where a report of a folder has two
 * counterparts, and where no two match. */
enum status compare_pairs(struct compare *c, struct err *err);

/* Print the answer: as text or Markdown to standard output, and as a JSON document to --json. */
enum status compare_say(const struct compare *c, struct err *err);
enum status compare_write_json(const struct compare *c, struct err *err);

#endif
