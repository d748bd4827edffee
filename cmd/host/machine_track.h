/* SPDX-License-Identifier: Apache-2.0 */
/* machine_track.h - the machine over time, for the counters of a time line. */
#pragma once

#include "cmd/host/machine.h"
#include "lib/base/err.h"

struct machine_track {
    const char *root; /* as in machine_now; NULL: nothing is noted */
    struct machine_point {
        double at_us;                          /* microseconds of clock_ns */
        double cpu_mhz, hottest_c, resident_b; /* as in machine_state; bytes of this process; NAN: not known */
    } * points;
    size_t n, capacity;
};

/* Note the machine of now, unless the last point is less than 20 ms old. Out of memory, it notes no more. */
void machine_track_note(struct machine_track *t);

/* Free the points. */
void machine_track_free(struct machine_track *t);
