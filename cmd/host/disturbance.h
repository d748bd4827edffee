/* SPDX-License-Identifier: Apache-2.0 */
/* disturbance.h - which runs a machine slowed down: for heat, by a quota, or by a lower clock than at the beginning. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cmd/host/machine.h"

enum disturbance {
    DISTURBED_CLOCK = 1, /* the fastest CPU's clock is more than a tenth below the one at the beginning */
    DISTURBED_HEAT = 2,  /* cores were throttled since the last look, or cooling slows more than at the beginning */
    DISTURBED_QUOTA = 4, /* a quota stopped threads since the last look */
    DISTURBANCES = 3     /* number of kinds */
};

struct disturbance_watch {
    const char *root;                   /* as in machine_now; borrowed */
    struct machine_slowing begin, last; /* at the beginning; at the last look */
    double wait_secs, waited_secs;      /* seconds that disturbance_of_run may wait in all; that it has waited */
};

/* Begin to watch: what is compared with is the machine of now. */
struct disturbance_watch disturbance_begin(const char *root, double wait_secs);

/* Return the kinds that this machine tells of, as bits of enum disturbance. */
uint32_t disturbance_known(const struct disturbance_watch *w);

/* Return what disturbed the machine since the last look, as bits; 0: nothing. */
uint32_t disturbance_look(struct disturbance_watch *w);

/* Do the same after a run, and then wait until a look finds nothing, as long as wait_secs and `stop` allow. A CPU that idles has a
 * low clock, so that each look comes after 5 ms of work. */
uint32_t disturbance_of_run(struct disturbance_watch *w, bool (*stop)(void));

/* Return the word of kind i, from 0: "clock", "heat", "quota". */
const char *disturbance_word(uint32_t i);
