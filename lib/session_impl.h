/* SPDX-License-Identifier: Apache-2.0 */
/* session_impl.h - the inside of a session, for session.c and subgraph.c.
 *
 * session.c makes and runs it, subgraph.c makes sessions of called subgraphs out of it; all others use session.h. */
#ifndef DELEGAUGE_SESSION_IMPL_H
#define DELEGAUGE_SESSION_IMPL_H

#include "delegation.h"
#include "float_weights.h"
#include "resource.h"
#include "session.h"

/* Sessions of called subgraphs hang on the root, are made when first called and freed with it. */
struct session {
    struct session_options opt;
    struct graph *graph;     /* owned, like plan and delegation */
    struct threads *threads; /* the root's own; borrowed by sessions of subgraphs */
    struct plan plan;
    struct delegation delegation;
    struct arena rounded;  /* SESSION_FP16: constants as halves hold them */
    struct cpu_call *once; /* [n_once] in the plan's arena: nodes that only set variables (variable_init.h) */
    uint32_t n_once;
    struct float_weights floats;       /* float_weights: what was made so */
    bool prepared_once;                /* of a called subgraph: it has had shapes before */
    bool prepared, submitted;          /* submitted: runs that nobody waited for */
    uint64_t run_began_ns;             /* of the root, where go_on wants to know */
    struct session_times times;        /* of the last session_prepare */
    struct profile_row *rows;          /* of the last session_profile */
    size_t n_rows, max_rows;           /* used, allocated */
    struct delegate_overhead overhead; /* likewise */

    struct session *root;        /* the outermost session; itself for that one */
    struct session **subgraphs;  /* of the root: [model subgraphs] made when first called */
    bool *called_once;           /* of the root: [model subgraphs] CALL_ONCE has run it */
    struct resources *resources; /* of the root */
};

/* session_new for any subgraph; root is NULL for the outermost session. */
enum status session_make(const struct model *m, uint32_t subgraph, const struct session_options *opt, struct session *root,
                         struct session **out, struct err *err);

/* What every run begins with, and one step of it: plan.steps[]. */
enum status session_begin_run(struct session *s, struct err *err);
enum status session_run_step(struct session *s, struct step *step, struct err *err);

#endif
