/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - reports of benchmark_model before and after, pair by pair. compare_read.c reads them, compare_pairs.c pairs and
 * compares them, compare_results.c prints them.
 *
 * Two reports are comparable if the model's content, the device and the settings that make another measurement of it (threads,
 * precision, kernels, shapes) are the same. Any other difference is reported, but may be the purpose of the comparison. A report is
 * of one process; a side of a pair has one or several, of one measurement repeated. */
#pragma once

#include "cmd/print/report_read.h"
#include "cmd/tool/tool.h"
#include "lib/measure/comparison.h"

/* Values that the rows of the table fill; texts point into argv. */
struct compare_flags {
    double alpha;
    const char *fail_if_slower; /* "5%" */
    bool allow_differences;
    const char *markdown; /* "-": tables of standard output in Markdown; else a file; "": neither */
    const char *html;     /* the file of the page; "" for none */
};

extern const struct flag compare_flag_table[]; /* for struct compare_flags */
extern const struct cli_help compare_help;     /* the short --help */

/* Read the fraction that --fail_if_slower stands for: 0.05 for "5%" and "5". ST_USAGE for any other text. */
enum status compare_threshold(const char *text, double *out, struct err *err);

struct compare_setting {
    const char *name, *value;
};

struct compare_op {
    const char *type, *name;
    const double *us; /* [n] microseconds of each profiled run */
    size_t n;
};

#define COMPARE_MAX_DOUBTS 8 /* of a report; further ones are left out */

/* The needed parts of one report. Texts are "" if the report has null, delegate is then "none". */
struct compare_report {
    char *path;
    struct reader *reader; /* owns the texts */
    struct arena arena;    /* owns the lists */
    const char *tool_version, *time, *cpu, *governor, *kernel, *model, *sha256, *weights_sha256, *delegate, *device;
    struct compare_setting *settings; /* [n_settings] every parameter */
    struct compare_op *ops;           /* [n_ops] in the order of execution; none without a profile */
    const double *us;                 /* [n] microseconds of each timed run */
    size_t n_settings, n_ops, n;
    const char *doubts[COMPARE_MAX_DOUBTS]; /* [n_doubts] objections of the report to its own figures */
    size_t n_doubts;
    bool interrupted;
};

/* Check --alpha: ST_USAGE if it is no probability that a test could have: 0 shows nothing, 1 everything. */
enum status compare_alpha(double alpha, struct err *err);

/* Read one report. ST_USAGE with one message if it is no report, is of another tool or layout, lacks a value, or holds a forbidden
 * one. Free with compare_report_free, which accepts zeros, after failures too. */
enum status compare_read(const char *path, struct compare_report *out, struct err *err);
void compare_report_free(struct compare_report *r);

/* A value that two reports do not share. */
struct compare_difference {
    const char *what, *old_value, *new_value;
    bool bars; /* the times are not of the same measurement */
};

struct compare_op_pair {
    const struct compare_op *op; /* the new one */
    struct comparison times;
};

/* The processes before and after a change. */
struct compare_pair {
    const struct compare_report **sides[2]; /* [n_sides[i]] in the order of time; never none */
    size_t n_sides[2];
    bool interleaved;     /* as many on both sides, one of each after the other: pairs are compared */
    bool one_after_other; /* all of one side ran before all of the other */
    struct compare_difference
        *differences;            /* [n_differences] between the first reports; differences that bar a comparison come first */
    struct compare_op_pair *ops; /* [n_ops] the operators that all have, in the order of execution */
    size_t n_differences, n_ops;
    size_t n_only_before, n_only_after; /* operators of the first reports that are not in all others */
    struct comparison whole;            /* of a run */
    enum gate gate;                     /* whether it is slower by more than the threshold */
};

/* A file of a folder that is no comparable report, and the reason. */
struct compare_skipped {
    const char *path, *why;
};

/* Zeroed to begin with. */
struct compare {
    struct tool tool;
    struct compare_flags flags;
    double threshold;                  /* value of --fail_if_slower: 0.05 */
    bool folders;                      /* true if OLD and NEW are folders: their reports are matched */
    struct compare_report *reports[2]; /* before and after, [n_reports[i]] each */
    size_t n_reports[2];
    struct compare_skipped *skipped[2]; /* [n_skipped[i]] of folders */
    size_t n_skipped[2];
    struct compare_pair *pairs;
    size_t n_pairs, n_regressions;
    const struct compare_report **unmatched[2]; /* [n_unmatched[i]] reports that have no counterpart */
    size_t n_unmatched[2];
    struct arena arena; /* owns the pairs and their content */
};

/* Pair the reports of c, of the command line as given, of two folders the comparable ones, and compare each pair.
 * ST_USAGE if reports are not comparable and --allow_differences is not given, if reports of one side have two different
 * counterparts in the other folder, and if no two match. */
enum status compare_pairs(struct compare *c, struct err *err);

/* Return the part of a path behind the last slash. */
const char *compare_file_name(const char *path);

/* Print the answer: as text or Markdown to standard output, and as a JSON document to --json. */
enum status compare_report(const struct compare *c, struct err *err);
