/* SPDX-License-Identifier: Apache-2.0 */
/* environment.h - a description of the machine on which a measurement was made. */
#pragma once

#include <stdint.h>

struct environment {
    char cpu[128]; /* all texts: "" if unknown */
    char governor[32];
    char kernel[160]; /* "Linux 6.1.0 x86_64" */
    int32_t cores;    /* cores usable by this process */
    char time[32];    /* UTC, "2026-11-21T02:00:00.123Z" */
};

/* Read the environment from /proc, /sys and system calls; never fails. For JSON reports: times from two machines, or from one with
 * another governor, are not comparable. */
struct environment environment_read(void);
