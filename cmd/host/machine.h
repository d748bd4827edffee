/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - the state of the machine during a measurement: clock of the CPU, temperatures, load, quota; and advice.
 *
 * Read before and after the timed runs, never between them. A value that the system does not tell (a container, a virtual machine)
 * is NAN and gives no advice. */
#ifndef DELEGAUGE_CMD_MACHINE_H
#define DELEGAUGE_CMD_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct machine_state {
    double cpu_mhz;      /* MHz, mean over the CPUs, as the kernel has it now */
    double cpu_max_mhz;  /* MHz that the fastest of them may reach */
    double hottest_c;    /* the hottest thermal zone, degrees Celsius */
    char hottest[48];    /* type of that zone: "x86_pkg_temp"; "" if there is none */
    double throttled;    /* number of times that CPU cores have been slowed down for heat since the machine started */
    double load_average; /* load of the last minute */
    double stopped_ms;   /* milliseconds stopped by a container's quota of CPU time (quota.h) */
};

/* Read the state below `root`: "" for the machine itself, a folder with sys/ and proc/ in tests. Never fails. */
struct machine_state machine_now(const char *root);

enum { MACHINE_ADVICE_SIZE = 200, MACHINE_MAX_ADVICE = 5 };

/* Fill advice[] with one line for each reason to doubt the times: a clock that fell by more than a tenth between the two, cores
 * throttled meanwhile, a zone that is above 90 °C or became 15 °C hotter, more running than `cores` at the start, threads that a
 * quota stopped meanwhile. Returns the number of lines. */
size_t machine_advice(const struct machine_state *start, const struct machine_state *end, int32_t cores,
                      char advice[MACHINE_MAX_ADVICE][MACHINE_ADVICE_SIZE]);

#endif
