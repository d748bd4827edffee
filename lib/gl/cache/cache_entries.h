/* SPDX-License-Identifier: Apache-2.0 */
/* cache_entries.h - what a delegate stores of a start: its claims, and each partition as plan, programs and packed constants.
 *
 * A partition that is restored is neither lowered nor packed, and its programs are not compiled where the driver gave them to be
 * stored; else their sources are. Whatever cannot be used as it is, is as if it were not there. */
#ifndef DELEGAUGE_GL_CACHE_ENTRIES_H
#define DELEGAUGE_GL_CACHE_ENTRIES_H

#include "lib/gl/cache/tuning.h"
#include "lib/gl/plan/compiled.h"

/* The claims of an earlier start on this graph, with the same nodes free: true if they were there and are now in claims[graph
 * nodes]. */
bool gl_restore_claims(const struct gl_settings *set, const struct graph *g, struct claim *claims);

/* Stores what was made of claims that were `before`; both [graph nodes]. */
void gl_keep_claims(const struct gl_settings *set, const struct graph *g, const struct claim *before, const struct claim *claims);

/* The partition as an earlier start left it, for gl_prepare; *out is NULL where there is none, or tuning is to go on with it. Fails
 * only with ST_NOMEM and where GL fails. The context is current. */
enum status gl_restore(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_compiled **out,
                       struct err *err);

/* How the partition was tuned in an earlier start, the caller's to free; NULL: it was not. */
struct gl_tuning *gl_restore_tuning(const struct gl_settings *set, const struct graph *g, const struct partition *part);

/* Whether all of them are restored, from one start that had just these partitions in this order, and agree about the memory that
 * they share. */
bool gl_restored_together(struct gl_compiled *const *ks, uint32_t n);

/* Sets what ks[n], restored together, hold, as their plans show it. */
void gl_restored_memory(struct gl_compiled *const *ks, uint32_t n);

/* Stores partitions that were not restored; the last step of gl_prepare, while their dispatches are there. What cannot be stored is
 * told. */
void gl_keep(struct gl_compiled *const *ks, uint32_t n);

#endif
