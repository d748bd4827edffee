/* SPDX-License-Identifier: Apache-2.0 */
/* trial.h - one test side of a comparison: a session that runs on the inputs of a reference session and is compared with it.
 *
 * The reference runs each input once; any number of trials reuse its results, each with its own delegate, kernels, precision or
 * choice of nodes. The order of calls:
 *
 *     trial_open(&t, model, reference, &opt, &terms, runs, per_op, &err)   for each trial, once the reference is prepared
 *     for each run: fill the reference's inputs, run it (or recording_play), then trial_run(&t, n, &err) for each trial
 *     trial_finish(&t, &err)
 *     trial_free(&t)
 *
 * So a matrix is several trials of the same runs, and a search for the nodes to blame opens trial after trial over recorded runs
 * (recording.h). Callers print the results and set exit statuses. */
#pragma once

#include "lib/compare/op_diff.h"
#include "lib/compare/session_diff.h"
#include "lib/delegate/assignment.h"
#include "lib/measure/samples.h"
#include "lib/session/device_io.h"

/* Conditions for a trial to pass. */
struct trial_terms {
    const struct tolerances *tolerances; /* limits of the outputs; borrowed during trial_open; NULL: any distance passes */

    const struct model_pairs *pairs; /* corresponding tensors if the reference runs another model; borrowed; NULL: the same model */
    uint32_t min_delegated;          /* fail if trial_n_on_delegate is less: the CPU would be compared with itself */
    bool require_full_delegation;    /* fail if any node stays on the CPU */
};

/* Result of a trial, after trial_finish. A trial without runs has not passed. */
struct trial_verdict {
    unsigned failed_on;    /* FAIL_ON_* bits over all outputs; diff_failed_on(&diff.outputs[i].raw) has one output's */
    bool outputs_passed;   /* all outputs are within their limits */
    bool delegated_enough; /* the delegate, if there is one, ran enough nodes */
    bool passed;           /* both */
};

/* Zeroed to begin with. */
struct trial {
    struct session_options opt;     /* argument of trial_open */
    struct session *session;        /* owned */
    struct delegate *delegate;      /* first of opt.delegates, borrowed; NULL: CPU kernels alone */
    struct samples samples;         /* time of each invocation, microseconds */
    struct stats figures;           /* statistics of samples; after trial_finish */
    uint32_t unsteady;              /* runs whose invocations with one input gave different bits */
    struct device_io io;            /* inputs and outputs on the device, if the delegate's options ask for it */
    struct session_diff diff;       /* comparison of the outputs; complete after trial_finish */
    struct op_diffs ops;            /* comparison of every node's outputs over all runs; empty without per_op */
    struct assignment assignment;   /* nodes of the CPU and of each delegate; after trial_open */
    struct session_dynamic dynamic; /* nodes that trial_open left to the CPU and the delegate ran later; after trial_finish */
    struct session_called called;   /* nodes of called subgraphs; after trial_finish */
    enum precision precision;       /* in which the delegate computes; PRECISION_FP32 for the CPU */
    struct trial_terms terms;       /* argument of trial_open */
    struct trial_verdict verdict;   /* after trial_finish */
};

/* Open a session of `m` with these options and the input shapes of `reference`, for at most `max_runs` runs. The reference is
 * prepared and outlives the trial. With per_op both sessions have keep_intermediates, and every node's outputs are compared too.
 * Fails as session_new, session_prepare and session_diff_init do; call trial_free after failures too. */
enum status trial_open(struct trial *t, const struct model *m, struct session *reference, const struct session_options *opt,
                       const struct trial_terms *terms, uint32_t max_runs, bool per_op, struct err *err);

/* Do one run: copy the reference's inputs, invoke the session `times` times, each timed and from reset variables, and compare the
 * first and the last outputs with the reference's present outputs. Fails as session_run and session_set_input do. */
enum status trial_run(struct trial *t, int times, struct err *err);

/* Compute figures and verdict, after the last run. Fails only with ST_NOMEM. */
enum status trial_finish(struct trial *t, struct err *err);

/* Return the number of nodes that the delegate ran, including nodes whose shapes became known in the last run; after
 * trial_finish. */
uint32_t trial_n_delegated(const struct trial *t);

/* Return the number of nodes that the delegate ran, in called subgraphs too; *of: the number of all these nodes, on CPU or
 * delegate. */
uint32_t trial_n_on_delegate(const struct trial *t, uint32_t *of);

/* Free the trial's members and zero it; accepts zeros. */
void trial_free(struct trial *t);

/* Invoke a prepared session `times` times, each from reset variables, and add each time in microseconds to *samples; increments
 * *unsteady if the output bits were not the same each time. trial_run uses it for its session, callers for the reference's. Fails
 * as session_run does. */
enum status trial_invoke(struct session *s, int times, struct samples *samples, uint32_t *unsteady, struct err *err);
