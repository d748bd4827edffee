/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - the state of the machine during a measurement (CPU clock, temperatures, load, quota), and advice.
 *
 * Read before and after the timed runs; between them only if a flag asks for it (disturbance.h, --energy, a time line). A value
 * that the system does not provide (container, virtual machine) is NAN and causes no advice. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct machine_state {
    double cpu_mhz;      /* present clock in MHz, mean over the CPUs */
    double cpu_max_mhz;  /* highest possible clock of any CPU, MHz */
    double hottest_c;    /* temperature of the hottest thermal zone, degrees Celsius */
    char hottest[48];    /* type of that zone, "x86_pkg_temp"; "" if there is none */
    double throttled;    /* times that CPU cores were throttled for heat since the machine started */
    double load_average; /* over the last minute */
    double stopped_ms;   /* milliseconds for which a container's CPU quota stopped threads */
};

/* Read the state from files below `root`: "" for the machine, a folder with sys/ and proc/ in tests. Never fails. */
struct machine_state machine_now(const char *root);

/* What slows a CPU down; NAN each where the system does not tell. */
struct machine_slowing {
    double fastest_mhz; /* clock of the CPU that runs fastest now: others idle */
    double throttled;   /* as in machine_state */
    double cooling;     /* sum of the states of the cooling devices of processors and GPUs; more is slower (Linux,
                           Documentation/driver-api/thermal/sysfs-api.rst, cur_state) */
    double stopped_ms;  /* as in machine_state */
};

/* Read these alone, from files below `root`. Never fails. */
struct machine_slowing machine_slowing_now(const char *root);

enum { MACHINE_MAX_ADVICE = 5 };

/* A reason to doubt the times, with a remedy; and the same in a few words. */
struct machine_advice {
    char text[200], brief[48];
};

/* Write one entry for each reason to doubt the times: the clock fell by more than a tenth; cores were throttled meanwhile; a zone
 * is above 90 °C or became 15 °C hotter; the load at the start exceeded `cores`; a quota stopped threads meanwhile. Returns the
 * number of entries. */
size_t machine_advice(const struct machine_state *start, const struct machine_state *end, int32_t cores,
                      struct machine_advice advice[MACHINE_MAX_ADVICE]);
