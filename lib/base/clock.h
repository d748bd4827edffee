/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h - the clock of everything that is timed.
 *
 * The system's monotonic clock, which also runs while the process sleeps. Figures are in microseconds elsewhere; times that are
 * subtracted stay whole nanoseconds until then. */
#ifndef DELEGAUGE_CLOCK_H
#define DELEGAUGE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock that is never set back; its zero means nothing. May be called in a signal handler. */
static inline uint64_t clock_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
