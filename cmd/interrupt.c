/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c - the first SIGINT sets a flag, a later one ends the process. */
#include "interrupt.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "../lib/clock.h"

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
