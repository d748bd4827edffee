/* SPDX-License-Identifier: Apache-2.0 */
/* cache_entries.h - what a delegate stores of a start: its claims, and each partition as plan, programs and packed constants.
 *
 * A partition that is restored is neither lowered nor packed, and its programs are not compiled where the driver gave them to be
 * stored; else their sources are. Whatever cannot be used as it is, is as if it were not there. */
#pragma once

#include "lib/gl/cache/serialization_cache.h"
#include "lib/gl/cache/tuning.h"
#include "lib/gl/plan/draft.h"
#include "lib/gl/run/executable.h"

/* The claims of an earlier start on this graph, with the same nodes free: true if they were there and are now in claims[graph
 * nodes]. */
bool gl_restore_claims(struct gl_cache *stored, const struct gl_limits *lim, enum gpu_quant quant, const struct graph *g,
                       struct claim *claims);

/* Stores what was made of claims that were `before`; both [graph nodes]. */
void gl_keep_claims(struct gl_cache *stored, const struct graph *g, const struct claim *before, const struct claim *claims);

/* A partition as an earlier start left it. */
struct gl_restored {
    const struct graph *graph;
    const struct partition *part;
    struct store_entry entry;       /* has the constants */
    struct gl_plan *plan;           /* malloc */
    struct gl_program_set programs; /* as in the plan, built */
    uint32_t nodes_tuned;           /* nodes that tuning computes in another way */
    char tuning_entry[128];         /* if it was tuned: the name of the file; else "" */
};

/* Restore a partition; *out is NULL if there is none, or, if it `tunes`, tuning is to go on with it. Fails with ST_NOMEM and
 * if GL fails. The context is current. */
enum status gl_restore(struct gl_cache *stored, struct gl_context *c, bool tunes, const struct graph *g,
                       const struct partition *part, struct gl_restored **out, struct err *err);

/* Free a restored partition; NULL is accepted. If the context is not current, programs that it still has stay until that is
 * closed. */
void gl_restored_free(struct gl_context *c, struct gl_restored *r);

/* How the partition was tuned in an earlier start, the caller's to free; NULL: it was not. */
struct gl_tuning *gl_restore_tuning(struct gl_cache *stored, const struct graph *g, const struct partition *part);

/* Whether all of them, none NULL, are from one start that had just these partitions in this order, and agree about the memory that
 * they share. */
bool gl_restored_together(struct gl_cache *stored, const struct gl_limits *lim, struct gl_restored *const *rs, uint32_t n);

/* Make executables out[n] of partitions restored together, which have no plans and programs from then on. False: they cannot be set
 * up, which is told, and there is none. The context is current. */
bool gl_restored_prepare(struct gl_cache *stored, const struct gl_run_settings *set, struct gl_restored *const *rs, uint32_t n,
                         struct gl_executable **out);

/* Stores the partitions xs[n] of a graph, made of drafts[n], which keep their constants. A failure to store is told. */
void gl_keep(struct gl_cache *stored, struct gl_executable *const *xs, struct gl_draft *const *drafts, uint32_t n);
