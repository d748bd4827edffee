/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop.c - the loop, and Ctrl-C. */
#include "bench_loop.h"

#include <signal.h>
#include <stdlib.h>

/* What sends a signal to a process and to its group, as timeout(1) does, is one Ctrl-C. */
enum { SAME_SIGNAL_NS = 250000000 };

static volatile sig_atomic_t interrupt_seen;
static uint64_t interrupt_ns; /* when; touched by the handler alone */

static void on_interrupt(int signal_number)
{
    if (interrupt_seen && clock_ns() - interrupt_ns > SAME_SIGNAL_NS) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (!interrupt_seen)
        interrupt_ns = clock_ns();
    interrupt_seen = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};

    sigaction(SIGINT, &action, NULL);
}

bool interrupted(void)
{
    return interrupt_seen;
}

void samples_free(struct samples *s)
{
    free(s->us);
    *s = (struct samples){0};
}

static enum status reserve_one(struct samples *s, struct err *err)
{
    size_t capacity = s->capacity ? s->capacity * 2 : 1024;
    double *us;

    if (s->n < s->capacity)
        return ST_OK;
    if (!(us = realloc(s->us, capacity * sizeof *us)))
        return err_set(err, ST_NOMEM, "no memory to note the times of %zu runs", capacity);
    s->us = us;
    s->capacity = capacity;
    return ST_OK;
}

enum status samples_add(struct samples *s, double us, struct err *err)
{
    enum status st = reserve_one(s, err);

    if (!st)
        s->us[s->n++] = us;
    return st;
}

static void sleep_secs(double secs)
{
    struct timespec t = {(time_t)secs, (long)((secs - (double)(time_t)secs) * 1e9)};

    if (secs > 0)
        nanosleep(&t, NULL);
}

enum status bench_loop(enum status (*run)(void *arg, struct err *err), void *arg, const struct loop_limits *limits,
                       struct samples *out, struct err *err)
{
    double elapsed = 0;
    uint64_t start = clock_ns();

    while (((int64_t)out->n < limits->min_runs || elapsed < limits->min_secs) && elapsed <= limits->max_secs && !interrupted()) {
        uint64_t before, after;
        enum status st = reserve_one(out, err);

        if (st)
            return st;
        before = clock_ns();
        st = run(arg, err);
        after = clock_ns();
        if (st)
            return st;
        out->us[out->n++] = (double)(after - before) / 1e3;
        sleep_secs(limits->delay_secs);
        elapsed = (double)(clock_ns() - start) / 1e9;
    }
    return ST_OK;
}
