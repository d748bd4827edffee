/* SPDX-License-Identifier: Apache-2.0 */
/* trial.h - a partition as it would be with some picks, and the time that it takes. */
#pragma once

#include "lib/gl/compile/compile.h"

/* The partition that is tried; set->tuning says how carefully: FAST times less often. The context is current in all of these. */
struct gl_trial {
    const struct gl_settings *set;
    const struct graph *g;
    const struct partition *part;
    uint64_t told; /* time that everything took according to set->trial_ns */
};

/* A partition that is ready to run. */
struct gl_made {
    struct gl_executable *x; /* NULL: the device does not take all of it */
    struct gl_shared shared;
    uint32_t variants, apart;       /* of the draft */
    uint64_t fixed_ns, programs_ns; /* time that making it took: without programs; of the `programs` that nothing had before */
    uint32_t programs;
};

/* Return nanoseconds of the clock that tuning goes by: clock_ns, or trial->told. */
uint64_t gl_trial_clock(const struct gl_trial *t);

/* Make the partition alone with picks[graph nodes], NULL for none, which shares nothing with others. *m, which must stay at its
 * address, is to be freed in any case. */
enum status gl_trial_make(struct gl_trial *t, const struct gl_pick *picks, struct gl_made *m, struct err *err);
void gl_made_free(struct gl_made *m);

/* Run the partition once, to be called before it is timed, as some drivers compile then, which counts as programs_ns. */
enum status gl_trial_warm(struct gl_trial *t, struct gl_made *m, struct err *err);

/* Store nanoseconds of dispatches which[n], one after the other: the median of batches of 20 and more between two waits, so that
 * these count little; FAST: of three of at least 7. n > 0. */
enum status gl_trial_time(struct gl_trial *t, struct gl_executable *x, const uint32_t *which, uint32_t n, double *ns,
                          struct err *err);

/* Return the number of times that gl_trial_time runs them. */
uint32_t gl_trial_rounds(const struct gl_trial *t, uint32_t n);

/* Store the same of one round: a guess. */
enum status gl_trial_guess(struct gl_trial *t, struct gl_executable *x, const uint32_t *which, uint32_t n, double *ns,
                           struct err *err);

/* Store nanoseconds ns[n] of all dispatches of each x[n], n at most 2, except the dispatches that the CPU replaces, one after the
 * other: medians of `runs`, by turns, as a machine's speed changes. */
enum status gl_trial_whole(struct gl_trial *t, struct gl_executable *const *x, uint32_t n, uint32_t runs, double *ns,
                           struct err *err);
