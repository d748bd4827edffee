/* SPDX-License-Identifier: Apache-2.0 */
/* session_impl.h - the inside of a session, for session*.c and subgraph.c.
 *
 * session.c makes and runs it, subgraph.c makes sessions of called subgraphs out of it; all others use session.h. */
#ifndef DELEGAUGE_SESSION_IMPL_H
#define DELEGAUGE_SESSION_IMPL_H

#include "lib/graph/control_flow.h"
#include "lib/graph/float_weights.h"
#include "lib/graph/resource.h"
#include "lib/session/delegation.h"
#include "lib/session/loop_condition.h"
#include "lib/session/session.h"
#include "lib/session/tensor_placement.h"

/* ---- sessions of one graph, one for each set of input shapes: compiling for a delegate takes long (session_cache.c) ---- */

enum {
    SESSION_CACHE_MAX = 16,    /* entries; the one that was used longest ago goes first */
    SESSION_CACHE_MISSES = 64, /* misses in a row after which a cache gives up: its runs are the CPU's from there on */
};

struct cached_session {
    struct cached_session *next;
    struct session *s; /* owned; NULL: delegates take nothing of it */
    int32_t *shapes;   /* [inputs][1 + TENSOR_MAX_RANK] rank and dimensions */
    void **known;      /* [inputs] the content of inputs that count as constants, else NULL */
    uint64_t used;     /* set by the caller: the larger, the later */
    struct arena arena;
};

struct session_cache {
    struct cached_session *first;
    uint32_t misses; /* in a row */
    bool given_up;
};

/* Return a new entry, of no cache yet, for inputs of the shapes of in[n_in]. NULL if memory runs out. */
struct cached_session *cached_session_new(struct tensor *const *in, uint32_t n_in);

/* Free an entry with its session. Accepts NULL. */
void cached_session_free(struct cached_session *e);

/* Return the entry for inputs of the shapes of in[n_in], and the content where that counts; NULL if there is none. */
struct cached_session *session_cache_find(const struct session_cache *c, struct tensor *const *in, uint32_t n_in);

/* Count a hit or a miss. Return true if this is the miss with which the cache gives up: call session_cache_trim(c, 0) then. */
bool session_cache_gives_up(struct session_cache *c, bool hit);

/* Add an entry, which the cache owns from here on. */
void session_cache_add(struct session_cache *c, struct cached_session *e);

/* Free the entries that were used longest ago until `most` are left. Entries that a call is in the middle of stay. */
void session_cache_trim(struct session_cache *c, uint32_t most);

/* Remove an entry and free it. */
void session_cache_drop(struct session_cache *c, struct cached_session *e);

/* Free all entries. */
void session_cache_free(struct session_cache *c);

/* ---- what the sessions of one model share ---- */

/* The sessions of a called subgraph: made at the first call, freed with the runtime or to make room. */
struct called_subgraph {
    struct session_cache by_delegates; /* delegates were asked about these */
    struct session *by_cpu;            /* prepared again for other shapes */
    uint64_t by_cpu_used;              /* runtime.calls when it was called last */
    bool called_once;                  /* CALL_ONCE has run it */
};

/* Made with the outermost session, freed with it. */
struct runtime {
    struct session *outermost;
    struct threads *threads;
    struct resources *resources;
    struct called_subgraph *called; /* [n_called] by subgraph of the model */
    uint32_t n_called;
    uint64_t calls;        /* so far */
    uint64_t run_began_ns; /* of the outermost session, where go_on wants to know */

    /* What was handed over last, by whatever session, since somebody waited; NULL: nothing. */
    struct delegate_kernel *unfinished;
    const struct delegate *unfinished_of;
};

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

/* Return session i of a called subgraph, of all of them; NULL beyond the last. */
struct session *runtime_called(const struct runtime *r, uint32_t i);

/* Return true if delegates are asked about the subgraphs that node `n` calls: an IF, WHILE, STABLEHLO_CASE or composite, and no
 * option numbers nodes. */
static inline bool session_asks_about_calls(const struct session *s, const struct node *n)
{
    return node_calls_asked(n) && !partition_numbers_nodes(&s->opt.partition);
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
