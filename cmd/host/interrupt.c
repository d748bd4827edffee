/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c - the first SIGINT or SIGTERM, or the end of a time limit, sets a flag; a later one ends the process. */
#include "cmd/host/interrupt.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "cmd/host/say.h"
#include "lib/base/clock.h"
#include "lib/delegates/external/external_library.h"

/* What sends a signal to a process and to its group, as timeout(1) does, counts once. */
enum { SAME_SIGNAL_NS = 250000000 };

enum { LONG_RUN_SECS = 10, LIMIT_GRACE_SECS = 5 };

static volatile sig_atomic_t interrupt_seen;
static uint64_t interrupt_ns; /* when; touched by the handlers alone, of which one runs at a time */
static volatile sig_atomic_t limit_seen, limit_was_first;
static char too_long[128]; /* the last words of a process that does not end by itself; empty without a limit */

static void note_interrupt(void)
{
    if (interrupt_seen)
        return;
    interrupt_ns = clock_ns();
    external_tell_interrupt();
    interrupt_seen = 1;
}

static void on_interrupt(int signal_number)
{
    const int before = errno;

    if (interrupt_seen && clock_ns() - interrupt_ns > SAME_SIGNAL_NS) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    note_interrupt();
    errno = before;
}

static void on_passed_on(int signal_number)
{
    (void)signal_number;
    if (!interrupt_seen)
        on_interrupt(SIGINT);
}

void interrupt_follow(pid_t parent)
{
    const struct sigaction passed_on = {.sa_handler = on_passed_on, .sa_flags = SA_RESTART};

    sigaction(SIGURG, &passed_on, NULL);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

void interrupt_pass_on(pid_t child)
{
    kill(child, SIGURG); /* ignored by a child that does not follow yet */
}

static void on_limit(int signal_number)
{
    const int before = errno;

    (void)signal_number;
    if (limit_seen)
        say_and_exit(too_long);
    limit_seen = 1;
    limit_was_first = !interrupt_seen;
    note_interrupt();
    errno = before;
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

    sigfillset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void interrupt_catch(void)
{
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
}

bool interrupted(void)
{
    return interrupt_seen;
}

bool interrupted_by_limit(void)
{
    return limit_was_first;
}

void interrupt_after(double secs)
{
    const struct itimerval timer = {.it_interval.tv_sec = LIMIT_GRACE_SECS,
                                    .it_value = {(time_t)secs, (suseconds_t)(fmod(secs, 1) * 1e6)}};

    if (*too_long)
        return;
    snprintf(too_long, sizeof too_long, "ERROR: --timeout=%g: the work did not end within %d seconds after that\n", secs,
             LIMIT_GRACE_SECS);
    handle(SIGALRM, on_limit);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Once: a loop that counts to what an input says can take hours. */
static void tell_long_run(double run_secs)
{
    static bool told;

    if (told || run_secs < LONG_RUN_SECS)
        return;
    told = true;
    say_info("A loop of the model has not come to its end in a run of %d seconds; Ctrl-C gives the run up", LONG_RUN_SECS);
}

enum status interrupt_go_on(void *max_secs, double run_secs, struct err *err)
{
    const double *most = max_secs;

    if (interrupted())
        return ST_LATER;
    tell_long_run(run_secs);
    if (!most || run_secs <= *most)
        return ST_OK;
    return err_set(err, ST_FAILED, "the loop is not done after --max_secs=%g seconds", *most);
}
