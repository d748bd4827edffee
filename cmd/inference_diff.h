/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.h - one comparison of a model with itself: the reference kernels against a delegate or the fast kernels.
 * Filled by inference_diff.c, printed by diff_text.c and diff_json.c. */
#ifndef DELEGAUGE_CMD_INFERENCE_DIFF_H
#define DELEGAUGE_CMD_INFERENCE_DIFF_H

#include "../lib/diff.h"
#include "bench_loop.h"
#include "inputs.h"
#include "report_parts.h"
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

/* One of the two sides. */
struct side {
    struct session *session;
    struct samples samples;
    struct stats us; /* whole microseconds, as TFLite counts */
};

struct output_diff {
    struct diff raw, real; /* real: of dequantized values; only where is_quantized */
    bool is_quantized;
    double *run_error;  /* [runs] mean absolute error of each run */
    struct stats error; /* of them */
};

/* One output of one node. */
struct op_diff {
    const struct node *node; /* of the test side */
    const struct tensor *reference, *test;
    int32_t partition; /* -1: the CPU made it */
    bool visible;      /* the test side shows it: the CPU made it, or it leaves its partition */
    struct diff diff;  /* over all runs, errors of earlier nodes included; only where visible */
    bool ran_alone;
    struct diff alone; /* the node alone on the delegate, on the reference's inputs of the last run */
};

struct comparison {
    struct tool tool;
    struct diff_flags flags;
    struct input_flags input_flags;
    struct inputs inputs;
    struct side reference, test;
    struct output_diff *outputs; /* one per output of the model */
    struct session *alone;       /* where single nodes run on the delegate; NULL without --per_op or without a delegate */
    struct op_diff *ops;         /* in the order of execution; none without --per_op */
    uint32_t n_outputs, n_ops, runs;
    struct arena arena;
};

const char *comparison_path(const struct comparison *c);

/* True where any output is beyond the tolerance or not finite where the reference is. */
bool comparison_failed(const struct comparison *c);

void comparison_say(const struct comparison *c);
enum status comparison_write_json(const struct comparison *c, struct err *err);

/* per_op.c: lists the outputs of all nodes of the two prepared sessions, and compares the visible ones after a run. */
enum status per_op_init(struct comparison *c, struct err *err);
void per_op_compare(struct comparison *c);

/* After the last run: gives each node that the delegate took the reference's inputs, alone, and compares what comes out. */
enum status per_op_run_alone(struct comparison *c, struct err *err);

/* The first visible tensor that is clearly off, and the first node that is so by itself; NULL for none. Off is what lies
 * beyond --tolerance, or else beyond 1e-3 of the reference's largest value. */
const struct op_diff *per_op_first_off(const struct comparison *c);
const struct op_diff *per_op_first_off_alone(const struct comparison *c);

#endif
