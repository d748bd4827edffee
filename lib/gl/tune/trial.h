/* SPDX-License-Identifier: Apache-2.0 */
/* trial.h - a partition as it would be with some picks, and how long that takes. */
#ifndef DELEGAUGE_GL_TRIAL_H
#define DELEGAUGE_GL_TRIAL_H

#include "lib/gl/plan/compiled.h"

/* Of what; set->tuning says how carefully: FAST times less often. The context is current in all of these. */
struct gl_trial {
    const struct gl_settings *set;
    const struct graph *g;
    const struct partition *part;
    uint64_t told; /* what set->trial_ns said that everything took */
};

/* One that is ready to run. */
struct gl_made {
    struct gl_compiled *k; /* NULL: the device does not take all of it */
    struct gl_shared shared;
    uint64_t fixed_ns, programs_ns; /* what making it took: but for programs; `programs` that nothing had before */
    uint32_t programs;
};

/* Nanoseconds of the clock that tuning goes by: clock_ns, or trial->told. */
uint64_t gl_trial_clock(const struct gl_trial *t);

/* The partition alone with picks[graph nodes], NULL for none, which shares nothing with others. *m, which must stay where it is, is
 * to be freed in any case. */
enum status gl_trial_make(struct gl_trial *t, const struct gl_pick *picks, struct gl_made *m, struct err *err);
void gl_made_free(struct gl_made *m);

/* To be called before it is timed: runs it once, as some drivers compile then, which counts as programs_ns. */
enum status gl_trial_warm(struct gl_trial *t, struct gl_made *m, struct err *err);

/* Nanoseconds of dispatches which[n], one after the other: the median of batches of 20 and more between two waits, so that these
 * count little; FAST: of three of at least 7. n > 0. */
enum status gl_trial_time(struct gl_trial *t, struct gl_compiled *k, const uint32_t *which, uint32_t n, double *ns,
                          struct err *err);

/* How often that runs them. */
uint32_t gl_trial_rounds(const struct gl_trial *t, uint32_t n);

/* The same of one round: a guess. */
enum status gl_trial_guess(struct gl_trial *t, struct gl_compiled *k, const uint32_t *which, uint32_t n, double *ns,
                           struct err *err);

/* Nanoseconds ns[n] of all dispatches of each k[n], n at most 2, but what the CPU does, one after the other: medians of `runs`, by
 * turns, as a machine's speed changes. */
enum status gl_trial_whole(struct gl_trial *t, struct gl_compiled *const *k, uint32_t n, uint32_t runs, double *ns,
                           struct err *err);

#endif
