/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.h - many configurations of one command line in one process, run in turns, in one table. */
#pragma once

#include "cmd/benchmark/benchmark.h"
#include "cmd/benchmark/sweep_spec.h"
#include "lib/measure/interleave.h"

/* The result of one case. A case that fails takes no turns; the others go on. */
struct sweep_row {
    struct benchmark *b; /* its own flags, delegate and session; NULL if memory ran out */
    struct stats stats;  /* of its timed runs, in microseconds */
    uint32_t baseline;   /* the row that it is compared with: the first one of the same model that ran; its own for that one */
    struct median_ratio ratio; /* its median over the baseline's: below 1, it is faster */
    struct mann_whitney test;  /* of the two */
    double max_abs_error; /* largest error of any output against the reference CPU kernels on equal inputs; NAN if not asked for */
};

struct sweep {
    struct benchmark *asked; /* the command line that all cases share; its graph is the model, if there is one alone */
    struct sweep_cases cases;
    struct sweep_row rows[SWEEP_MAX_CASES];  /* [cases.n] */
    struct contender turns[SWEEP_MAX_CASES]; /* [cases.n]: samples, and failures */
    struct loop_result result;
    struct machine_state machine_start, machine_end; /* before the warm-up, after the timed runs */
    bool perf_options;                               /* the cases are TFLite's performance options */
};

typedef enum status (*sweep_check)(const struct benchmark *b, struct err *err);

/* Make in *out the benchmark of a case, with flags of its own: those of `asked`, and the case's settings behind them, in memory of
 * `a`. All flags are looked at, also by `check`. Returns TOOL_GO_ON, or the exit status, its message printed. The caller closes
 * and frees *out in either case; NULL: memory ran out. */
int sweep_parse_case(const struct benchmark *asked, const struct sweep_case *c, struct arena *a, sweep_check check,
                     struct benchmark **out);

/* True if the command line asks for a sweep: by --sweep, --perf_options_list, --with_accuracy, several models, or a folder of
 * them. */
bool sweep_wanted(const struct benchmark *b);

/* Run the whole sweep, with its output. Returns the exit status of the first case that failed, if any. */
int sweep_main(struct benchmark *b);

/* Print the table as --sweep_format says, and TFLite's summary lines for performance options; write the report to --json:
 * "benchmark_sweep" in schema/json/report.schema.json. */
enum status sweep_report(const struct sweep *s, struct err *err);
