/* SPDX-License-Identifier: Apache-2.0 */
/* trial.h - a partition as it would be with some picks, and how long that takes. */
#ifndef DELEGAUGE_GL_TRIAL_H
#define DELEGAUGE_GL_TRIAL_H

#include "compiled.h"

/* Of what; set->tuning says how carefully: FAST times less often. The context is current in all of these. */
struct gl_trial {
    const struct gl_settings *set;
    const struct graph *g;
    const struct partition *part;
};

/* The partition alone with picks[graph nodes], which shares nothing with others that are ready to run; *shared, zeroed, must
 * outlive it, and its textures are then freed with free. *good: the device takes all of it. *k is to be freed in any case. */
enum status gl_trial_compile(const struct gl_trial *t, struct gl_pick *picks, struct gl_shared *shared, struct gl_compiled **k,
                             bool *good, struct err *err);

/* Nanoseconds of dispatch i of one that is good: the median of batches. */
enum status gl_trial_time(const struct gl_trial *t, struct gl_compiled *k, uint32_t i, double *ns, struct err *err);

/* Nanoseconds of all dispatches, but what the CPU does, one after the other with these picks; INFINITY where the device does not
 * take them. */
enum status gl_trial_time_whole(const struct gl_trial *t, struct gl_pick *picks, double *ns, struct err *err);

#endif
