/* SPDX-License-Identifier: Apache-2.0 */
/* environment.h - the machine that a measurement was made on. */
#ifndef DELEGAUGE_CMD_ENVIRONMENT_H
#define DELEGAUGE_CMD_ENVIRONMENT_H

#include <stdint.h>

struct environment {
    char cpu[128]; /* "" if the system does not tell, as for the others */
    char governor[32];
    char kernel[160]; /* "Linux 6.1.0 x86_64" */
    int32_t cores;    /* number of cores usable by this process */
    char time[32];    /* UTC, "2026-11-21T02:00:00Z" */
};

/* Read the environment, from /proc and /sys if there is no call; never fails. For the JSON reports: numbers from two machines, or
 * from one whose governor differs, do not compare. */
struct environment environment_read(void);

#endif
