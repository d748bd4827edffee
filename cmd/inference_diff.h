/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.h - one comparison of a model with itself: the reference kernels against a delegate or the fast kernels.
 * Filled by inference_diff.c, printed by diff_text.c and diff_json.c.
 *
 * Each run draws new inputs (normally distributed, as TFLite's tool does), gives both sides the same bytes, resets their variables
 * and invokes each three times, so that latencies are not those of cold caches; the outputs of the last invocation are compared. */
#ifndef DELEGAUGE_CMD_INFERENCE_DIFF_H
#define DELEGAUGE_CMD_INFERENCE_DIFF_H

#include "../lib/assignment.h"
#include "../lib/op_diff.h"
#include "../lib/samples.h"
#include "../lib/session_diff.h"
#include "inputs.h"
#include "partition_flags.h"
#include "tflite_flags.h"
#include "tool.h"

/* What the rows of the table fill; texts point into argv, "" where not given. */
struct diff_flags {
    const char *model_file, *graph, *signature, *delegate;
    enum cpu_mode cpu_kernels;     /* of the test side; the reference side is always CPU_REFERENCE on one thread */
    int32_t num_runs, num_threads; /* num_threads: of the test side */
    double tolerance;              /* largest absolute difference of an element that passes; < 0: not given, any distance does */
    struct partition_flags partition;
    struct tflite_delegate_flags tflite_delegates;
    int32_t min_delegated;        /* fewer nodes on the delegate: the comparison has failed */
    bool require_full_delegation; /* so it has where any node stays on the CPU */
    bool per_op;                  /* compare every node's outputs, not only the model's */
};

extern const struct flag diff_flag_table[]; /* for struct diff_flags */

/* What --model_file or --graph named; "" where neither was given. */
const char *diff_model_path(const struct diff_flags *f);

/* One of the two sides. Owned by the comparison. */
struct side {
    struct session *session;
    struct samples samples; /* microseconds of each invocation */
    struct stats figures;   /* of them */
};

/* Zeroed to begin with. */
struct comparison {
    struct tool tool;
    struct diff_flags flags;
    struct input_flags input_flags;
    struct inputs inputs;
    struct side reference, test;
    struct session *alone;    /* where single nodes run on the delegate; NULL without --per_op or without a delegate */
    struct session_diff diff; /* of the outputs */
    struct op_diffs ops;      /* none without --per_op */
    const struct op_diff *first_off, *first_off_alone; /* of these: the first beyond the tolerance; NULL where none is */
    struct assignment assignment;                      /* of the test side */
    bool passed;                                       /* the verdict: exit status 1 where it is false */
};

/* What the verdict is made of: no output differs by more than it may; and a delegate, where there is one, was given enough nodes,
 * as one that took nothing compares the CPU with itself. */
bool comparison_outputs_passed(const struct comparison *c);
bool comparison_delegated_enough(const struct comparison *c);

/* Prints it: which of the two failed, and how many nodes had which executor. */
void comparison_say_verdict(const struct comparison *c);

/* Print figures and verdict: as text, warnings among them, and as a JSON document to --json. */
void comparison_say(const struct comparison *c);
enum status comparison_write_json(const struct comparison *c, struct err *err);

#endif
