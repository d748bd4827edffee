/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h - the clock of all measurements: the system's monotonic clock, which also runs while the process sleeps.
 *
 * Results are in microseconds elsewhere; times to be subtracted stay whole nanoseconds until then. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Return the time in nanoseconds since an arbitrary start; it never goes back. May be called in a signal handler. */
static inline uint64_t clock_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Sleep for so many seconds, or less if a signal arrives; not at all if `secs` is 0 or less. */
static inline void clock_sleep(double secs)
{
    struct timespec t = {(time_t)secs, (long)((secs - (double)(time_t)secs) * 1e9)};

    if (secs > 0)
        nanosleep(&t, NULL);
}
