/* SPDX-License-Identifier: Apache-2.0 */
/* trial.h - one test side of a comparison: a session that is given the inputs of a reference session, and is held against it.
 *
 * The reference runs each input once; any number of trials then take it from there, each with its own delegate, kernels, precision
 * or choice of nodes. The order is always
 *
 *     trial_open(&t, model, reference, &opt, &terms, runs, per_op, &err)   for each trial, once the reference is prepared
 *     for each run: fill the reference's inputs, run it (or recording_play), then trial_run(&t, n, &err) for each trial
 *     trial_finish(&t, &err)
 *     trial_free(&t)
 *
 * so that a matrix is several trials of the same runs, and a search (which nodes are to blame?) opens trial after trial over runs
 * that recording.h keeps. The struct has the results; the callers print and set exit statuses. */
#ifndef DELEGAUGE_TRIAL_H
#define DELEGAUGE_TRIAL_H

#include "lib/compare/op_diff.h"
#include "lib/compare/session_diff.h"
#include "lib/delegate/assignment.h"
#include "lib/measure/samples.h"
#include "lib/session/device_io.h"

/* Conditions for a trial to pass. */
struct trial_terms {
    const struct tolerances *tolerances; /* how far its outputs may be off; borrowed for trial_open; NULL: any distance passes */

    const struct model_pairs *pairs; /* the pairs, if the reference is of another model; borrowed; NULL: it is not */
    uint32_t min_delegated;          /* the trial fails if trial_n_on_delegate is less, as it compares the CPU with itself */
    bool require_full_delegation;    /* it fails if any node stays on the CPU */
};

/* Result of a trial; after trial_finish. A trial without a single run has not passed. */
struct trial_verdict {
    unsigned failed_on;    /* FAIL_ON_* of all outputs; each output's: diff_failed_on(&diff.outputs[i].raw) */
    bool outputs_passed;   /* no output is farther off than it may be */
    bool delegated_enough; /* the delegate, if there is one, was given enough nodes */
    bool passed;           /* both */
};

/* Zeroed to begin with. */
struct trial {
    struct session_options opt;     /* options that it was opened with */
    struct session *session;        /* owned */
    struct delegate *delegate;      /* the first of opt.delegates: borrowed; NULL: the CPU kernels alone */
    struct samples samples;         /* microseconds of each invocation */
    struct stats figures;           /* of the samples; after trial_finish */
    uint32_t unsteady;              /* runs in which its invocations of one input gave different bits */
    struct device_io io;            /* its inputs and outputs on the device, if the delegate's options want that */
    struct session_diff diff;       /* of the outputs; figures after trial_finish */
    struct op_diffs ops;            /* of every node, over all runs; none without per_op */
    struct assignment assignment;   /* nodes run by each side; after trial_open */
    struct session_dynamic dynamic; /* nodes left to the CPU then that the delegate ran all the same; after trial_finish */
    struct session_called called;   /* likewise: nodes of the subgraphs that it called */
    enum precision precision;       /* in which the delegate computes; PRECISION_FP32 for the CPU */
    struct trial_terms terms;       /* terms that it was opened with */
    struct trial_verdict verdict;   /* after trial_finish */
};

/* Open a session of `m` with these options and the input shapes of `reference`, which is prepared and outlives the trial, ready for
 * `max_runs` runs. With per_op both sessions have keep_intermediates, and every node's outputs are compared too. Fails as
 * session_new, session_prepare and session_diff_init do; trial_free cleans up after that as well. */
enum status trial_open(struct trial *t, const struct model *m, struct session *reference, const struct session_options *opt,
                       const struct trial_terms *terms, uint32_t max_runs, bool per_op, struct err *err);

/* Do one run: take over the reference's inputs, invoke the session `times` times, each from reset variables and timed, and compare
 * the first and the last outputs with the reference's present outputs. Fails as session_run and session_set_input do. */
enum status trial_run(struct trial *t, int times, struct err *err);

/* Make figures and verdict, after the last run. Fails only with ST_NOMEM. */
enum status trial_finish(struct trial *t, struct err *err);

/* Return the number of nodes that the delegate ran, the nodes whose shapes became known in the last run included; after
 * trial_finish. */
uint32_t trial_n_delegated(const struct trial *t);

/* Return that number with the nodes of subgraphs that it called; *of: number of all such nodes, on the CPU or the delegate. */
uint32_t trial_n_on_delegate(const struct trial *t, uint32_t *of);

/* Free the trial's members and zero it; zeros are accepted. */
void trial_free(struct trial *t);

/* Invoke a prepared session `times` times, each from reset variables, and add how long each took in microseconds; raises *unsteady
 * by 1 if its outputs were not the same bits each time. A trial does this with its session; callers do it with the reference's.
 * Fails as session_run does. */
enum status trial_invoke(struct session *s, int times, struct samples *samples, uint32_t *unsteady, struct err *err);

#endif
