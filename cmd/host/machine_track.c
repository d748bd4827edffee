/* SPDX-License-Identifier: Apache-2.0 */
/* machine_track.c - a list of points. */
#include "cmd/host/machine_track.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/host/memory.h"
#include "lib/base/clock.h"

#define LEAST_US 20000.

void machine_track_note(struct machine_track *t)
{
    const double now_us = (double)clock_ns() / 1e3;
    struct machine_state m;
    uint64_t resident;

    if (!t->root || (t->n && now_us - t->points[t->n - 1].at_us < LEAST_US))
        return;
    if (t->n == t->capacity) {
        const size_t capacity = t->capacity ? 2 * t->capacity : 256;
        struct machine_point *points = realloc(t->points, capacity * sizeof *points);

        if (!points)
            return;
        t->points = points;
        t->capacity = capacity;
    }
    m = machine_now(t->root);
    resident = memory_resident_now();
    t->points[t->n++] = (struct machine_point){now_us, m.cpu_mhz, m.hottest_c, resident ? (double)resident : NAN};
}

void machine_track_free(struct machine_track *t)
{
    free(t->points);
    *t = (struct machine_track){0};
}
