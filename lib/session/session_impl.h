/* SPDX-License-Identifier: Apache-2.0 */
/* session_impl.h - the inside of a session, for session*.c and subgraph.c.
 *
 * session.c makes and runs it, subgraph.c makes sessions of called subgraphs out of it; all others use session.h. */
#ifndef DELEGAUGE_SESSION_IMPL_H
#define DELEGAUGE_SESSION_IMPL_H

#include "lib/graph/float_weights.h"
#include "lib/session/delegation.h"
#include "lib/session/loop_condition.h"
#include "lib/session/runtime.h"
#include "lib/session/session.h"
#include "lib/session/tensor_placement.h"

/* How other sessions of its runtime call one. */
struct session_call {
    bool asked;                            /* the node that called last is one whose calls delegates are asked about */
    uint32_t within;                       /* calls that are in the middle of it */
    struct loop_condition *condition;      /* made for it as the body of a loop */
    const struct loop_condition *counting; /* in a round whose counters the CPU knows; else NULL */
    bool by_cpu; /* it is a condition, and the CPU found its answers in the last loop (loop_condition.h) */
};

struct session {
    struct session_options opt;
    struct runtime *runtime; /* owned by its outermost session */
    struct graph *graph;     /* owned, like plan and delegation */
    struct plan plan;
    struct delegation delegation;
    struct tensor_placement placement;
    struct arena rounded;  /* SESSION_FP16: constants as halves hold them */
    struct cpu_call *once; /* [n_once] in the plan's arena: nodes that only set variables (variable_init.h) */
    uint32_t n_once;
    struct float_weights floats; /* float_weights: what was made so */
    bool prepared;
    uint32_t submitted;                /* runs whose outputs nobody fetched; 2: or more, of which the last two count */
    struct session_times times;        /* of the last session_prepare */
    struct profile_row *rows;          /* of the last session_profile */
    size_t n_rows, max_rows;           /* used, allocated */
    struct delegate_overhead overhead; /* likewise */
    int32_t profiled_parts;            /* likewise: partitions counted, those of groups (dynamic_shapes.c) too */
    struct session_call call;
};

/* True for the session that session_new made; the others are of called subgraphs, groups and conditions. */
static inline bool session_is_outermost(const struct session *s)
{
    return s->runtime->outermost == s;
}

/* Make a session of any subgraph; `runtime` NULL makes one, and the session the outermost of it. Fails as session_new does. */
enum status session_make(const struct model *m, uint32_t subgraph, const struct session_options *opt, struct runtime *runtime,
                         struct session **out, struct err *err);

/* What every run begins with, and one step of it: plan.steps[]. */
enum status session_begin_run(struct session *s, struct err *err);
enum status session_run_step(struct session *s, struct step *step, struct err *err);

/* The steps before number `end`, which is not within a group of dynamic_shapes.c. */
enum status session_run_steps(struct session *s, uint32_t end, struct err *err);

/* Runs the partition of a step, whose outputs need not be finished when it returns, unless they go to host memory. */
enum status session_invoke(struct session *s, const struct step *step, struct err *err);

/* Waits for what is unfinished, of all sessions of the runtime. */
enum status session_finish(struct session *s, struct err *err);

/* The end of a run that came to `st`: of the outermost session all is finished, even where it failed. */
enum status session_end_run(struct session *s, enum status st, struct err *err);

/* Before kernels of s are freed. */
void session_forget(struct session *s);

/* Waits for what other sessions have submitted to delegates of this one, whose memory it is about to use, and reads it for them:
 * their session_wait then has nothing to do. Fails as that does; they are to be waited for as before. */
enum status session_wait_others(struct session *s, struct err *err);

/* Nobody will wait for what it has submitted. */
void session_forget_submitted(struct session *s);

/* Adds a row to those of the profile under way. */
enum status session_add_row(struct session *s, const struct profile_row *row, struct err *err);

/* Notes in s->times what of its delegates' time went to programs and constants. */
void session_note_build(struct session *s);

enum { DYNAMIC_LEVELS = 8 }; /* of groups within groups */

/* Finds the groups of a session's plan. Fails only with ST_NOMEM. */
enum status dynamic_find(struct session *s, struct err *err);

/* Runs the group that begins with step `first` of the plan; *n: how many steps that were, 0: there is no group, or it is the CPU's
 * to run, step by step. With `profile`, timed, rows added to those of s. Fails as session_prepare and session_run do, but for what
 * is wrong with the nodes themselves: the CPU comes upon that too. */
enum status dynamic_run(struct session *s, uint32_t first, bool profile, uint32_t *n, struct err *err);

/* Frees the groups with their sessions; leaves none. */
void dynamic_free(struct session *s);

/* Group session i of all that s holds, its subgraphs' not included; NULL beyond the last. */
const struct session *dynamic_session(const struct session *s, uint32_t i);

#endif
