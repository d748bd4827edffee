/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff.h - compares the outputs of two sessions on the same inputs, over many runs.
 *
 * For each run the caller fills the reference's inputs, copies them (session_diff_copy_inputs), runs both sides and calls
 * session_diff_add. Callers print the results and set exit statuses. */
#pragma once

#include "lib/compare/diff.h"
#include "lib/measure/stats.h"
#include "lib/model/model_pairs.h"
#include "lib/session/session.h"

/* One output of the model. */
struct output_diff {
    struct diff raw;  /* differences of the stored values */
    struct diff real; /* differences of the real numbers; only if is_quantized */

    /* Differences after the first of several invocations with one input, as `raw`: only to check the limits; `raw` is of the last
     * invocation. */
    struct diff first;
    bool is_quantized;

    /* For two models whose outputs have different types or scales: both sides converted to FLOAT32, which are then compared; else
     * no data. */
    struct tensor real_reference, real_test;
    double *run_error;  /* [runs] mean absolute error of the stored values in each run */
    struct stats error; /* of run_error; after session_diff_finish */

    /* Runs whose reference bytes differ from the run before; such runs in which the test side's bytes do not: a buffer that is no
     * longer written shows here, however small the distances. */
    uint32_t changed, stale;
    uint64_t last[2]; /* hashes of the bytes of the last run: reference, test side */
};

struct session_diff {
    struct session *reference, *test; /* borrowed */
    struct output_diff *outputs;      /* [n_outputs], in the model's order */
    uint32_t n_outputs, runs, max_runs;
    const struct model_pairs *pairs; /* borrowed; NULL: both sessions run one model */
    uint64_t inputs_cut; /* elements of the reference's inputs beyond the range of the test side's quantization, over all runs */
    struct arena arena;
};

/* Begin to compare two prepared sessions of one model over at most max_runs runs. Fails only with ST_NOMEM. Free with
 * session_diff_free, which accepts zeros, after failures too. */
enum status session_diff_init(struct session_diff *d, struct session *reference, struct session *test, uint32_t max_runs,
                              struct err *err);
void session_diff_free(struct session_diff *d);

/* Set which tensors of two different models correspond, before the first run; `pairs` is borrowed. Outputs of different types or
 * scales are compared as real numbers. Fails with ST_USAGE, naming both tensors, if shapes differ or a type does not stand for real
 * numbers. */
enum status session_diff_pair(struct session_diff *d, const struct model_pairs *pairs, struct err *err);

/* Copy the reference's inputs to the test side, converted as real numbers if it runs another model. Fails as session_set_input and
 * real_convert do. */
enum status session_diff_copy_inputs(struct session_diff *d, struct err *err);

/* Compare the present outputs into outputs[].first: after the first of several invocations with one input, session_diff_add
 * following the last one. */
void session_diff_add_first(struct session_diff *d);

/* Compare the present outputs of both sides as run number `runs`, and increment `runs`. */
void session_diff_add(struct session_diff *d);

/* Compute `error` of all outputs, after the last run. Fails only with ST_NOMEM. */
enum status session_diff_finish(struct session_diff *d, struct err *err);

/* Set the limits of output i, before the first run. Without limits any distance passes. */
void session_diff_allow(struct session_diff *d, uint32_t i, const struct tolerance *allowed);

/* Return the largest absolute error of all outputs; NAN if diff_max_abs of any output is NAN. */
double session_diff_max_abs(const struct session_diff *d);

/* Return the index of the output with the largest diff_relative_above its floor, the first of equals; 0 if there are no outputs. */
uint32_t session_diff_worst(const struct session_diff *d);

/* Return the FAIL_ON_* bits for which any output failed, after the first or the last invocation of a run; 0: all passed. */
unsigned session_diff_failed_on(const struct session_diff *d);
