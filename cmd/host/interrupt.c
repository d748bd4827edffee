/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c - the first SIGINT or SIGTERM sets a flag, a later one ends the process. */
#include "cmd/host/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "cmd/host/say.h"
#include "lib/base/clock.h"
#include "lib/delegates/external/external_library.h"

/* What sends a signal to a process and to its group, as timeout(1) does, counts once. */
enum { SAME_SIGNAL_NS = 250000000 };

enum { LONG_RUN_SECS = 10 };

static volatile sig_atomic_t interrupt_seen;
static uint64_t interrupt_ns; /* when; touched by the handler alone */

static void on_interrupt(int signal_number)
{
    const int before = errno;

    if (interrupt_seen && clock_ns() - interrupt_ns > SAME_SIGNAL_NS) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (!interrupt_seen) {
        interrupt_ns = clock_ns();
        external_tell_interrupt();
    }
    interrupt_seen = 1;
    errno = before;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void)
{
    return interrupt_seen;
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
