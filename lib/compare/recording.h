/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h - the inputs and outputs of a reference session over several runs, kept so that more trials can be held against them
 * without running the reference again.
 *
 * Inner tensors are not kept: whoever looks at those runs the reference. */
#ifndef DELEGAUGE_RECORDING_H
#define DELEGAUGE_RECORDING_H

#include "lib/session/session.h"

struct recorded_run;

/* Zeroed to begin with. */
struct recording {
    struct recorded_run *runs; /* [n], owned */
    uint32_t n, capacity;
    uint64_t bytes, max_bytes; /* of content kept; 0: no limit. What recording_add would take beyond it is not kept */
    bool full;                 /* a run was not kept because of max_bytes, nor is any after it */
};

/* Keeps what the inputs and outputs of `s` hold now, as run r->n, which it then raises; does nothing where r->full, or where this
 * run would not fit. Fails only with ST_NOMEM, which leaves the recording as it was. */
enum status recording_add(struct recording *r, const struct session *s, struct err *err);

/* Puts run `run`, below r->n, back into the inputs and outputs of the session that it was taken from, prepared for the same shapes:
 * they hold what they held after it ran. Outputs whose shape depends on data get theirs back. Fails only with ST_NOMEM. */
enum status recording_play(const struct recording *r, uint32_t run, struct session *s, struct err *err);

/* Frees all runs and zeroes it; accepts zeros. */
void recording_free(struct recording *r);

#endif
