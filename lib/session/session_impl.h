/* SPDX-License-Identifier: Apache-2.0 */
/* session_impl.h - the inside of a session, for session*.c and subgraph.c.
 *
 * session.c makes and runs it, subgraph.c makes sessions of called subgraphs out of it; all others use session.h. */
#ifndef DELEGAUGE_SESSION_IMPL_H
#define DELEGAUGE_SESSION_IMPL_H

#include "lib/graph/float_weights.h"
#include "lib/graph/resource.h"
#include "lib/session/delegation.h"
#include "lib/session/loop_condition.h"
#include "lib/session/session.h"
#include "lib/session/tensor_placement.h"

/* Sessions of called subgraphs hang on the root, are made when first called and freed with it, or where one is in the way. */
struct session {
    struct session_options opt;
    struct graph *graph;     /* owned, like plan and delegation */
    struct threads *threads; /* the root's own; borrowed by sessions of subgraphs */
    struct plan plan;
    struct delegation delegation;
    struct tensor_placement placement;
    struct arena rounded;  /* SESSION_FP16: constants as halves hold them */
    struct cpu_call *once; /* [n_once] in the plan's arena: nodes that only set variables (variable_init.h) */
    uint32_t n_once;
    struct float_weights floats; /* float_weights: what was made so */
    bool prepared;
    uint32_t submitted;                /* runs whose outputs nobody fetched; 2: or more, of which the last two count */
    uint64_t run_began_ns;             /* of the root, where go_on wants to know */
    struct session_times times;        /* of the last session_prepare */
    struct profile_row *rows;          /* of the last session_profile */
    size_t n_rows, max_rows;           /* used, allocated */
    struct delegate_overhead overhead; /* likewise */
    int32_t profiled_parts;            /* likewise: partitions counted, those of groups (session_dynamic*.c) too */

    struct session *root;                  /* the outermost session; itself for that one */
    struct session *called;                /* of the root: those of called subgraphs, a list by next_called */
    struct session *next_called;           /* of one of these */
    uint64_t last_call;                    /* likewise: when it was called last; of the root: calls so far */
    bool asked;                            /* likewise: the node that called last is one whose calls delegates are asked about */
    uint32_t calls_within;                 /* likewise: that it is in the middle of */
    struct loop_condition *ahead;          /* likewise, of the body of a loop */
    const struct loop_condition *counting; /* likewise, in a round whose counters the CPU knows; NULL */
    bool by_cpu;       /* likewise, of a condition: the CPU found what it says ahead, in the last loop (loop_condition.h) */
    uint32_t *misses;  /* of the root: [model subgraphs] calls in a row with shapes that no plan was for */
    bool *called_once; /* of the root: [model subgraphs] CALL_ONCE has run it */
    struct resources *resources; /* of the root */

    /* Of the root: what was handed over last, by whatever session that hangs on it, since somebody waited; NULL: nothing. */
    struct delegate_kernel *unfinished;
    const struct delegate *unfinished_of;
};

/* session_new for any subgraph; root is NULL for the outermost session. */
enum status session_make(const struct model *m, uint32_t subgraph, const struct session_options *opt, struct session *root,
                         struct session **out, struct err *err);

/* What every run begins with, and one step of it: plan.steps[]. */
enum status session_begin_run(struct session *s, struct err *err);
enum status session_run_step(struct session *s, struct step *step, struct err *err);

/* The steps before number `end`, which is not within a group of dynamic_shapes.c. */
enum status session_run_steps(struct session *s, uint32_t end, struct err *err);

/* Runs the partition of a step, whose outputs need not be finished when it returns, unless they go to host memory. */
enum status session_invoke(struct session *s, const struct step *step, struct err *err);

/* Waits for what is unfinished, of all sessions that hang on the same root. */
enum status session_finish(struct session *s, struct err *err);

/* The end of a run that came to `st`: of the root all is finished, even where it failed. */
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

enum {
    DYNAMIC_PLANS = 16,  /* that a group keeps, or a called subgraph; the one that was used longest ago goes first */
    DYNAMIC_MISSES = 64, /* so many runs in a row with shapes that no plan was for, and all of it is the CPU's, with a warning */
    DYNAMIC_LEVELS = 8,  /* of groups within groups */
};

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
