/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h - records inputs and outputs of a reference session over several runs, so that more trials can be compared with them
 * without running the reference again.
 *
 * Tensors inside the model are not recorded: a caller that needs them runs the reference. */
#pragma once

#include "lib/session/session.h"

struct recorded_run;

/* Zeroed to begin with. */
struct recording {
    struct recorded_run *runs; /* [n] owned */
    uint32_t n, capacity;
    uint64_t bytes, max_bytes; /* content recorded; limit, 0: none. A run that would exceed it is not recorded */
    bool full;                 /* a run exceeded max_bytes; later runs are not recorded either */
};

/* Record the present inputs and outputs of `s` as run r->n, and increment r->n. Does nothing if r->full, or if the run would exceed
 * max_bytes. Fails only with ST_NOMEM, which leaves the recording as it was. */
enum status recording_add(struct recording *r, const struct session *s, struct err *err);

/* Restore run `run` < r->n into the inputs and outputs of the session it was recorded from, prepared for the same shapes: both get
 * their content after that run, and outputs of dynamic shape their shape. Fails only with ST_NOMEM. */
enum status recording_play(const struct recording *r, uint32_t run, struct session *s, struct err *err);

/* Free all runs and zero the recording; accepts zeros. */
void recording_free(struct recording *r);
