/* SPDX-License-Identifier: Apache-2.0 */
/* session_impl.h - internals of sessions, for the sources of this room; all others use session.h.
 *
 * session.c makes and runs sessions; subgraph.c makes the sessions of called subgraphs. */
#pragma once

#include "lib/graph/control_flow.h"
#include "lib/graph/float_weights.h"
#include "lib/graph/resource.h"
#include "lib/session/delegation.h"
#include "lib/session/loop_condition.h"
#include "lib/session/session.h"
#include "lib/session/tensor_placement.h"

/* ---- cache of sessions of one graph by input shapes, since compiling for a delegate is slow (session_cache.c) ---- */

enum {
    SESSION_CACHE_MAX = 16,    /* entries; the least recently used one is evicted first */
    SESSION_CACHE_MISSES = 64, /* consecutive misses after which a cache gives up, and the CPU runs the graph from then on */
};

struct cached_session {
    struct cached_session *next;
    struct session *s; /* owned; NULL: delegates take no node, or the graph is invalid for these shapes */
    int32_t *shapes;   /* [inputs][1 + TENSOR_MAX_RANK] rank and dimensions */
    void **known;      /* [inputs] content of inputs that are treated as constants; else NULL */
    uint64_t used;     /* time of last use, set by the caller: a counter */
    struct arena arena;
};

struct session_cache {
    struct cached_session *first;
    uint32_t misses; /* consecutive misses so far */
    bool given_up;   /* see SESSION_CACHE_MISSES */
};

/* Return a new entry, not yet in a cache, for inputs with the shapes of in[n_in]. NULL: out of memory. */
struct cached_session *cached_session_new(struct tensor *const *in, uint32_t n_in);

/* Free an entry with its session. Accepts NULL. */
void cached_session_free(struct cached_session *e);

/* Return the entry for inputs with the shapes of in[n_in] and, for inputs in `known`, their content; NULL if there is none. */
struct cached_session *session_cache_find(const struct session_cache *c, struct tensor *const *in, uint32_t n_in);

/* Count a hit or a miss. Return true once, if the cache gives up with this miss: call session_cache_trim(c, 0) then. */
bool session_cache_gives_up(struct session_cache *c, bool hit);

/* Add an entry, which the cache owns from here on. */
void session_cache_add(struct session_cache *c, struct cached_session *e);

/* Free least recently used entries until `most` are left. Entries with a call in progress stay. */
void session_cache_trim(struct session_cache *c, uint32_t most);

/* Remove an entry and free it. */
void session_cache_drop(struct session_cache *c, struct cached_session *e);

/* Free all entries. */
void session_cache_free(struct session_cache *c);

/* ---- shared by the sessions of one model ---- */

/* The sessions of a called subgraph: made at the first call, freed with the runtime or to make room. */
struct called_subgraph {
    struct session_cache by_delegates; /* sessions about which delegates are asked, one for each set of shapes */
    struct session *by_cpu;            /* the session without delegates, prepared again for other shapes */
    uint64_t by_cpu_used;              /* runtime.calls at its last call */
    bool called_once;                  /* CALL_ONCE has run the subgraph */
};

/* State shared by an outermost session and the sessions that it makes; lives as long as the outermost session. */
struct runtime {
    struct session *outermost;
    struct threads *threads;
    struct resources *resources;
    struct called_subgraph *called; /* [n_called] by subgraph of the model */
    uint32_t n_called;
    uint64_t calls;        /* number of calls of subgraphs so far */
    uint64_t run_began_ns; /* clock_ns at the start of the outermost session's run, if session_options.go_on is set */

    /* The kernel that any session submitted last and that is not waited for yet, and its delegate; NULL: none. */
    struct delegate_kernel *unfinished;
    const struct delegate *unfinished_of;
};

/* State of a session that is called by other sessions of its runtime. */
struct session_call {
    bool asked;                            /* the last calling node is one about whose calls delegates are asked */
    uint32_t within;                       /* number of calls in progress */
    struct loop_condition *condition;      /* owned: made for this session as a loop body */
    const struct loop_condition *counting; /* during a round of a loop whose counters the CPU knows; else NULL */
    bool by_cpu; /* the session is a loop condition that the CPU computed in the last loop (loop_condition.h) */
};

struct session {
    struct session_options opt;
    struct runtime *runtime; /* owned by the outermost session */
    struct graph *graph;     /* owned, like plan and delegation */
    struct plan plan;
    struct delegation delegation;
    struct tensor_placement placement;
    struct arena rounded;  /* SESSION_FP16: constants rounded to half precision */
    struct cpu_call *once; /* [n_once] in the plan's arena: CALL_ONCE nodes that only set variables (graph_infer.c) */
    uint32_t n_once;
    struct float_weights floats; /* weights changed by the option float_weights */
    bool prepared;
    uint32_t submitted;                /* submitted runs whose outputs were not fetched: 0, 1, or 2 for two and more */
    struct session_times times;        /* of the last session_prepare */
    struct profile_row *rows;          /* of the last session_profile */
    size_t n_rows, max_rows;           /* rows used, rows allocated */
    struct delegate_overhead overhead; /* of the last session_profile */
    int32_t profiled_parts;            /* partitions counted by session_profile, dynamic groups' (dynamic_shapes.c) included */
    struct session_call call;
};

/* Return true for a session made by session_new; other sessions run called subgraphs, dynamic groups and loop conditions. */
static inline bool session_is_outermost(const struct session *s)
{
    return s->runtime->outermost == s;
}

/* Return session i of all called subgraphs' sessions; NULL if i is beyond the last. */
struct session *runtime_called(const struct runtime *r, uint32_t i);

/* Return true if delegates are asked about the subgraphs that node `n` calls: an IF, WHILE, STABLEHLO_CASE or composite, and no
 * option numbers nodes. */
static inline bool session_asks_about_calls(const struct session *s, const struct node *n)
{
    return node_calls_asked(n) && !partition_numbers_nodes(&s->opt.partition);
}

/* Make a session of any subgraph. runtime NULL: make a runtime too, with this session as the outermost. Fails as session_new does.
 */
enum status session_make(const struct model *m, uint32_t subgraph, const struct session_options *opt, struct runtime *runtime,
                         struct session **out, struct err *err);

/* Begin a run: round inputs (SESSION_FP16), wait for other sessions of the delegates, set initial values of variables. Fails with
 * ST_USAGE if the session is not prepared. */
enum status session_begin_run(struct session *s, struct err *err);

/* Run the steps before index `end`, which is not inside a group of dynamic_shapes.c. */
enum status session_run_steps(struct session *s, uint32_t end, struct err *err);

/* Run the partition of a step. If no output goes to host memory, the work may still be in progress on return (session_finish). */
enum status session_invoke(struct session *s, const struct step *step, struct err *err);

/* Wait for runtime.unfinished. */
enum status session_finish(struct session *s, struct err *err);

/* End a run whose status is `st`, and return its final status. Waits for all work if s is the outermost session, after a failure
 * too. */
enum status session_end_run(struct session *s, enum status st, struct err *err);

/* Wait for unfinished work of kernels of s, before they are freed. */
void session_forget(struct session *s);

/* Call session_wait for other sessions with submitted runs on the delegates of s, whose memory s is about to use. Fails as
 * session_wait does; the other session's runs then still have to be waited for. */
enum status session_wait_others(struct session *s, struct err *err);

/* Drop the record of submitted runs: there is nothing left to wait for. */
void session_forget_submitted(struct session *s);

/* Append a row to the current profile. Fails only with ST_NOMEM. */
enum status session_add_row(struct session *s, const struct profile_row *row, struct err *err);

enum { DYNAMIC_LEVELS = 8 }; /* largest nesting depth of groups of dynamic shapes */

/* Find the groups of steps in a session's plan whose shapes become known while running. Fails only with ST_NOMEM. */
enum status dynamic_find(struct session *s, struct err *err);

/* Run the group that begins with step `first` of the plan and set *n to its number of steps; *n is 0 if no group begins there or
 * the CPU must run it step by step. With `profile`, time it and append rows to those of s. Fails as session_prepare and session_run
 * do, except for errors in the nodes, which the CPU then reports. */
enum status dynamic_run(struct session *s, uint32_t first, bool profile, uint32_t *n, struct err *err);

/* Free all groups with their sessions. */
void dynamic_free(struct session *s);

/* Return session i of the groups of s, without called subgraphs' groups; NULL if i is beyond the last. */
const struct session *dynamic_session(const struct session *s, uint32_t i);
