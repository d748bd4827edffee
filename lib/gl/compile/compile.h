/* SPDX-License-Identifier: Apache-2.0 */
/* compile.h - from a partition to a draft (draft.h), and from the drafts of a graph to plans and executables. */
#pragma once

#include "lib/gl/compile/settings.h"

/* Lower, rewrite, generate, build programs: all steps that need no other partition. `refused` as in delegate_ops.init. *out is the
 * caller's to free with gl_draft_free, NULL after a failure. The context is current. ST_NOMEM; ST_FAILED if a driver takes nothing
 * that there is to try, or breaks GL's promises; ST_IO if dump_dir cannot be written. */
enum status gl_compile(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct reason *refused,
                       struct gl_draft **out, struct err *err);

/* Free a draft of gl_compile; NULL is accepted. If the context is not current, or NULL, the programs that it still has stay until
 * the context is closed. */
void gl_draft_free(struct gl_context *c, struct gl_draft *draft);

/* Place memory and make the plans, plans[n] (malloc), of the drafts of all partitions that a graph has here, in the order in which
 * they run; once for each draft. Nothing is allocated on the device. Fails with ST_NOMEM, and as gl_plan_check and gl_plan_fits do:
 * plans[] is NULL for partitions without one. */
enum status gl_make_plans(const struct gl_run_settings *set, struct gl_draft *const *drafts, uint32_t n, struct gl_plan **plans,
                          struct err *err);

/* Make the executables of drafts[n] and the plans of gl_make_plans, which it takes, after failures too; out[n] are the caller's.
 * The drafts' programs become those of the executables. The context is current. ST_NOMEM, of the GPU too; ST_FAILED if a driver
 * does not map or loses data that it was given: out[] is NULL for partitions without one. */
enum status gl_load_plans(const struct gl_run_settings *set, struct gl_draft *const *drafts, uint32_t n, struct gl_plan **plans,
                          struct gl_executable **out, struct err *err);

/* A callback that receives label and source of each shader, in order. */
struct gl_seeing {
    void (*shader)(void *arg, const char *label, const char *text);
    void *arg;
};

/* Generate the n partitions of a graph and make their plans without a driver, and drop the result; how->limits are the device's.
 * Plans are checked against these; `repeated` as in gl_place. `see` may be NULL. Fails as gl_compile and gl_make_plans do. */
enum status gl_compile_dry(const struct gl_recipe *how, bool repeated, const struct graph *g, const struct partition *parts,
                           uint32_t n, const struct gl_seeing *see, struct err *err);
