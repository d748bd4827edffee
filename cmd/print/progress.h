/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - one line on a terminal that says how far a long run is: what runs, how often it did, seconds left.
 *
 * It goes to standard error, where that is a terminal (not TERM=dumb), and is written over ten times a second at most, between two
 * runs: never while one is timed. Everything that prints text must find the line gone: progress_end. */
#ifndef DELEGAUGE_CMD_PROGRESS_H
#define DELEGAUGE_CMD_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *what;  /* "warm-up" */
    const char *unit;  /* what is counted; NULL: "runs" */
    int32_t min_runs;  /* it ends once both are met */
    double min_secs;   /* but */
    double max_secs;   /* this ends it whatever the minima say */
    double shown_secs; /* when the line was last written; <= 0: not yet */
};

/* For struct loop_job: `progress` is a struct progress, filled but for shown_secs. */
void progress_show(void *progress, size_t runs, double secs);

/* Wipes the line, if there is one. */
void progress_end(struct progress *p);

/* The seconds that are left after `runs` runs in `secs` seconds, if the runs go on as fast; 0 where it is over. */
double progress_left(const struct progress *p, size_t runs, double secs);

#endif
