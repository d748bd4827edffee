/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h - the inputs and outputs of a reference session over several runs, kept so that more trials can be held against them
 * without running the reference again.
 *
 * Inner tensors are not kept: a caller that looks at them runs the reference. */
#ifndef DELEGAUGE_RECORDING_H
#define DELEGAUGE_RECORDING_H

#include "lib/session/session.h"

struct recorded_run;

/* Zeroed to begin with. */
struct recording {
    struct recorded_run *runs; /* [n], owned */
    uint32_t n, capacity;
    uint64_t bytes, max_bytes; /* of content kept; 0: no limit. A run that would exceed it is not kept */
    bool full;                 /* a run was not kept because of max_bytes, nor is any after it */
};

/* Keep the present inputs and outputs of `s` as run r->n, and raise r->n; does nothing if r->full, or if this run would not fit.
 * Fails only with ST_NOMEM, which leaves the recording as it was. */
enum status recording_add(struct recording *r, const struct session *s, struct err *err);

/* Put run `run`, below r->n, back into the inputs and outputs of the session that it was taken from, prepared for the same shapes:
 * they then have their content from after that run. Outputs whose shape depends on data get theirs back. Fails only with
 * ST_NOMEM. */
enum status recording_play(const struct recording *r, uint32_t run, struct session *s, struct err *err);

/* Free all runs and zero the recording; zeros are accepted. */
void recording_free(struct recording *r);

#endif
