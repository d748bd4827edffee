/* inference_diff.h - one comparison of a model with itself: the reference kernels against a delegate or the fast kernels.
 * Filled by inference_diff.c, printed by diff_text.c and diff_json.c. */
#ifndef DELEGAUGE_INFERENCE_DIFF_H
#define DELEGAUGE_INFERENCE_DIFF_H

#include "../lib/diff.h"
#include "bench_loop.h"
#include "inputs.h"
#include "report_parts.h"
#include "tool.h"

struct diff_flags {
    const char *model_file, *graph, *delegate, *cpu_kernels;
    int32_t num_runs, num_threads;
    double tolerance;            /* < 0: none */
    struct partition_options partition;
    bool per_op;
};

/* One of the two sides. */
struct side {
    struct session *session;
    struct samples samples;
    struct stats us;             /* whole microseconds, as TFLite counts */
};

struct output_diff {
    struct diff raw, real;       /* real: of dequantized values; only where is_quantized */
    bool is_quantized;
    double *run_error;           /* [runs] mean absolute error of each run */
    struct stats error;          /* of them */
};

/* A tensor that can be seen on both sides: the work of one node, or the end of a partition. */
struct op_diff {
    const struct node *node;
    const struct tensor *reference, *test;
    int32_t partition;           /* -1: the CPU made it */
    struct diff diff;
};

struct comparison {
    struct tool tool;
    struct diff_flags flags;
    struct input_flags input_flags;
    struct inputs inputs;
    struct side reference, test;
    struct output_diff *outputs; /* one per output of the model */
    struct op_diff *ops;         /* in the order of execution; none without --per_op */
    uint32_t n_outputs, n_ops, runs;
    struct arena arena;
};

const char *comparison_path(const struct comparison *c);

/* True where any output is beyond the tolerance or not finite where the reference is. */
bool comparison_failed(const struct comparison *c);

void comparison_say(const struct comparison *c);
enum status comparison_write_json(const struct comparison *c, struct err *err);

/* per_op.c: lists what can be compared between the two prepared sessions, and compares it after a run. */
enum status per_op_init(struct comparison *c, struct err *err);
void per_op_compare(struct comparison *c);

/* The first tensor that is clearly off, or NULL: beyond --tolerance, or else beyond 1e-3 of the reference's largest value. */
const struct op_diff *per_op_first_off(const struct comparison *c);

#endif
