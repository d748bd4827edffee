/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff.h - how far the outputs of one session are from those of another on the same inputs, over many runs.
 *
 * For each run the caller fills the reference's inputs, copies them (session_diff_copy_inputs), runs both sides and adds. Printing
 * and exit statuses are others'. */
#ifndef DELEGAUGE_SESSION_DIFF_H
#define DELEGAUGE_SESSION_DIFF_H

#include "lib/compare/diff.h"
#include "lib/measure/stats.h"
#include "lib/model/model_pairs.h"
#include "lib/session/session.h"

/* One output of the model. */
struct output_diff {
    struct diff raw;  /* of the values as they are stored */
    struct diff real; /* of the real numbers that they stand for; only where is_quantized */

    /* As raw, of what the first of several invocations with an input gave: nothing but a look at whether that was allowed, as the
     * figures are those of the last. */
    struct diff first;
    bool is_quantized;

    /* Of two models, where the bits do not mean the same: both sides as real numbers, FLOAT32, which then are what is compared; no
     * data elsewhere. */
    struct tensor real_reference, real_test;
    double *run_error;  /* [runs] mean absolute error of each run, of the values as they are stored */
    struct stats error; /* of them; after session_diff_finish */

    /* Runs after the first in which the reference's bytes are not those of the run before, and those of them in which the test
     * side's are: a buffer that nobody writes any more shows here, whatever the distances. */
    uint32_t changed, stale;
    uint64_t last[2]; /* hashes of the bytes of the last run: reference, test */
};

struct session_diff {
    struct session *reference, *test; /* borrowed */
    struct output_diff *outputs;      /* [n_outputs], in the model's order */
    uint32_t n_outputs, runs, max_runs;
    const struct model_pairs *pairs; /* borrowed; NULL: both sessions are of one model */
    uint64_t inputs_cut; /* elements of the reference's inputs beyond what the test side's quantization holds; of all runs */
    struct arena arena;
};

/* Begins to compare two prepared sessions of one model, for at most max_runs runs. Fails only with ST_NOMEM; free with
 * session_diff_free, which accepts zeros, after failures too. */
enum status session_diff_init(struct session_diff *d, struct session *reference, struct session *test, uint32_t max_runs,
                              struct err *err);
void session_diff_free(struct session_diff *d);

/* Where the test side is of another model, before the first run: what goes with what, borrowed. Outputs of which the bits mean
 * something else on the two sides are compared as real numbers. ST_USAGE, naming both, where shapes differ, or where one is no real
 * number. */
enum status session_diff_pair(struct session_diff *d, const struct model_pairs *pairs, struct err *err);

/* Gives the test side the reference's inputs, of another model as the real numbers that they stand for; fails as session_set_input
 * and real_convert do. */
enum status session_diff_copy_inputs(struct session_diff *d, struct err *err);

/* Compares what both sides have in their outputs now, into outputs[].first, before the invocations of the same input that
 * session_diff_add will see the last of. */
void session_diff_add_first(struct session_diff *d);

/* Compares what both sides have in their outputs now, as run number `runs`, which it then raises. */
void session_diff_add(struct session_diff *d);

/* Makes the figures; after the last run. Fails only with ST_NOMEM. */
enum status session_diff_finish(struct session_diff *d, struct err *err);

/* Before the first run: how far output i may be off; without, any distance passes. */
void session_diff_allow(struct session_diff *d, uint32_t i, const struct tolerance *allowed);

/* The largest absolute error of all outputs; NAN where diff_max_abs of one of them is. */
double session_diff_max_abs(const struct session_diff *d);

/* Which output is off most for the size of its values (diff_relative_bound): the first of those; 0 where there are none. */
uint32_t session_diff_worst(const struct session_diff *d);

/* The bits of FAIL_ON_* by which any output failed that, in the last or the first of a run's invocations; 0: all of them passed. */
unsigned session_diff_failed_on(const struct session_diff *d);

#endif
