/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.h - one comparison of a model with itself: the reference kernels against a delegate or the fast kernels.
 * Filled by inference_diff.c, printed by diff_text.c and diff_json.c. */
#ifndef DELEGAUGE_CMD_INFERENCE_DIFF_H
#define DELEGAUGE_CMD_INFERENCE_DIFF_H

#include "../lib/op_diff.h"
#include "../lib/samples.h"
#include "../lib/session_diff.h"
#include "inputs.h"
#include "tool.h"

struct diff_flags {
    const char *model_file, *graph, *delegate;
    enum cpu_mode cpu_kernels;
    int32_t num_runs, num_threads;
    double tolerance; /* < 0: not given, any distance passes */
    struct partition_options partition;
    bool per_op;
};

extern const struct flag diff_flag_table[]; /* for struct diff_flags */

/* What --model_file or --graph named; "" where neither was given. */
const char *diff_model_path(const struct diff_flags *f);

/* One of the two sides. */
struct side {
    struct session *session;
    struct samples samples; /* of each invocation */
    struct sample_figures figures;
};

struct comparison {
    struct tool tool;
    struct diff_flags flags;
    struct input_flags input_flags;
    struct inputs inputs;
    struct side reference, test;
    struct session *alone;    /* where single nodes run on the delegate; NULL without --per_op or without a delegate */
    struct session_diff diff; /* of the outputs */
    struct op_diffs ops;      /* none without --per_op */
    const struct op_diff *first_off, *first_off_alone; /* of these */
    bool passed;
};

void comparison_say(const struct comparison *c);
enum status comparison_write_json(const struct comparison *c, struct err *err);

#endif
