/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - how the machine fares while something is measured: clock of the CPU, temperatures, load, quota; and what to do.
 *
 * Read before and after the timed runs, never between them. What a system does not tell (a container, a virtual machine) is NAN and
 * gives no advice. */
#ifndef DELEGAUGE_CMD_MACHINE_H
#define DELEGAUGE_CMD_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct machine_state {
    double cpu_mhz;      /* mean over the CPUs, as the kernel has it now */
    double cpu_max_mhz;  /* what the fastest of them may reach */
    double hottest_c;    /* the hottest thermal zone, degrees Celsius */
    char hottest[48];    /* its type: "x86_pkg_temp"; "" where there is none */
    double throttled;    /* how often CPU cores have been slowed down for heat since the machine started */
    double load_average; /* of the last minute */
    double stopped_ms;   /* by a container's quota of CPU time (quota.h) */
};

/* Reads it below `root`: "" for the machine itself, a folder with sys/ and proc/ in tests. Never fails. */
struct machine_state machine_now(const char *root);

enum { MACHINE_ADVICE_SIZE = 200, MACHINE_MAX_ADVICE = 5 };

/* Fills advice[] with one line for each thing that makes times doubtful: a clock that fell by more than a tenth between the two,
 * cores throttled meanwhile, a zone that is above 90 °C or became 15 °C hotter, more running than `cores` at the start, threads
 * that a quota stopped meanwhile. Returns the number of lines. */
size_t machine_advice(const struct machine_state *start, const struct machine_state *end, int32_t cores,
                      char advice[MACHINE_MAX_ADVICE][MACHINE_ADVICE_SIZE]);

#endif
