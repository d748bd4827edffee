/* SPDX-License-Identifier: Apache-2.0 */
/* disturbance.c - two readings of what slows a CPU down, compared. */
#include "cmd/host/disturbance.h"

#include <math.h>

#include "lib/base/clock.h"

#define LOOK_EVERY_SECS 0.2
#define LOOK_WORK_NS    5000000u

struct disturbance_watch disturbance_begin(const char *root, double wait_secs)
{
    const struct machine_slowing now = machine_slowing_now(root);

    return (struct disturbance_watch){root, now, now, wait_secs, 0};
}

uint32_t disturbance_known(const struct disturbance_watch *w)
{
    const struct machine_slowing *b = &w->begin;

    return (isnan(b->fastest_mhz) ? 0u : DISTURBED_CLOCK) | (isnan(b->throttled) && isnan(b->cooling) ? 0u : DISTURBED_HEAT) |
           (isnan(b->stopped_ms) ? 0u : DISTURBED_QUOTA);
}

/* Comparisons with NAN are false: what is not known disturbs nothing. */
uint32_t disturbance_look(struct disturbance_watch *w)
{
    const struct machine_slowing now = machine_slowing_now(w->root);
    uint32_t why = 0;

    if (now.fastest_mhz < 0.9 * w->begin.fastest_mhz)
        why |= DISTURBED_CLOCK;
    if (now.throttled > w->last.throttled || now.cooling > w->begin.cooling)
        why |= DISTURBED_HEAT;
    if (now.stopped_ms > w->last.stopped_ms)
        why |= DISTURBED_QUOTA;
    w->last = now;
    return why;
}

static void work_for_a_moment(void)
{
    const uint64_t until = clock_ns() + LOOK_WORK_NS;

    while (clock_ns() < until)
        ;
}

uint32_t disturbance_of_run(struct disturbance_watch *w, bool (*stop)(void))
{
    const uint32_t why = disturbance_look(w);
    uint32_t still = why;

    while (still && w->waited_secs < w->wait_secs && !(stop && stop())) {
        const uint64_t start = clock_ns();

        clock_sleep(fmin(LOOK_EVERY_SECS, w->wait_secs - w->waited_secs));
        work_for_a_moment();
        still = disturbance_look(w);
        w->waited_secs += (double)(clock_ns() - start) / 1e9;
    }
    return why;
}

const char *disturbance_word(uint32_t i)
{
    static const char *const words[DISTURBANCES] = {"clock", "heat", "quota"};

    return words[i];
}
