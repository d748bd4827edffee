/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff.h - how far the outputs of one session are from another's on the same inputs, over many runs.
 *
 * For each run the caller fills the reference's inputs, copies them (session_diff_copy_inputs), runs both sides and adds. The
 * callers print and set exit statuses. */
#ifndef DELEGAUGE_SESSION_DIFF_H
#define DELEGAUGE_SESSION_DIFF_H

#include "lib/compare/diff.h"
#include "lib/measure/stats.h"
#include "lib/model/model_pairs.h"
#include "lib/session/session.h"

/* One output of the model. */
struct output_diff {
    struct diff raw;  /* of the values as they are stored */
    struct diff real; /* of the real numbers that they stand for; only if is_quantized */

    /* As raw, of the outputs of the first of several invocations with an input: read only to see if they were within the limits, as
     * the figures are the last invocation's. */
    struct diff first;
    bool is_quantized;

    /* Of two models, if the bits do not mean the same: both sides as real numbers, FLOAT32, which then are compared; no data
     * otherwise. */
    struct tensor real_reference, real_test;
    double *run_error;  /* [runs] mean absolute error of each run, of the values as they are stored */
    struct stats error; /* of them; after session_diff_finish */

    /* Runs after the first in which the reference's bytes differ from the run before, and the runs among them in which the test
     * side's do not: a buffer that nobody writes any more shows here, whatever the distances. */
    uint32_t changed, stale;
    uint64_t last[2]; /* hashes of the bytes of the last run: reference, test */
};

struct session_diff {
    struct session *reference, *test; /* borrowed */
    struct output_diff *outputs;      /* [n_outputs], in the model's order */
    uint32_t n_outputs, runs, max_runs;
    const struct model_pairs *pairs; /* borrowed; NULL: both sessions are of one model */
    uint64_t inputs_cut; /* elements of the reference's inputs outside the range of the test side's quantization; of all runs */
    struct arena arena;
};

/* Begin to compare two prepared sessions of one model, for at most max_runs runs. Fails only with ST_NOMEM; free with
 * session_diff_free, which accepts zeros, after failures too. */
enum status session_diff_init(struct session_diff *d, struct session *reference, struct session *test, uint32_t max_runs,
                              struct err *err);
void session_diff_free(struct session_diff *d);

/* If the test side is of another model, set before the first run which tensors go together; `pairs` is borrowed. Outputs whose bits
 * mean something else on the two sides are compared as real numbers. ST_USAGE, naming both, if shapes differ, or if one is no real
 * number. */
enum status session_diff_pair(struct session_diff *d, const struct model_pairs *pairs, struct err *err);

/* Give the test side the reference's inputs, of another model as the real numbers that they stand for; fails as session_set_input
 * and real_convert do. */
enum status session_diff_copy_inputs(struct session_diff *d, struct err *err);

/* Compare the present outputs of both sides, into outputs[].first, before the invocations of the same input of which
 * session_diff_add sees the last. */
void session_diff_add_first(struct session_diff *d);

/* Compare the present outputs of both sides, as run number `runs`, and raise `runs`. */
void session_diff_add(struct session_diff *d);

/* Make the figures; after the last run. Fails only with ST_NOMEM. */
enum status session_diff_finish(struct session_diff *d, struct err *err);

/* Set how far output i may be off, before the first run; without it, any distance passes. */
void session_diff_allow(struct session_diff *d, uint32_t i, const struct tolerance *allowed);

/* Return the largest absolute error of all outputs; NAN if diff_max_abs of one of them is. */
double session_diff_max_abs(const struct session_diff *d);

/* Return the index of the output that is off most for the size of its values (diff_relative_bound), the first of equals; 0 if there
 * are no outputs. */
uint32_t session_diff_worst(const struct session_diff *d);

/* Return the bits of FAIL_ON_* for which any output failed, in the last or the first of a run's invocations; 0: all of them
 * passed. */
unsigned session_diff_failed_on(const struct session_diff *d);

#endif
