/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - one line on a terminal with the progress of a long run: its name, the number of runs, seconds left.
 *
 * The line goes to standard error, if that is a terminal (not TERM=dumb), and is written over ten times a second at most, between
 * two runs: never while one is timed. Call progress_end before any other text is printed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct progress {
    const char *what;  /* "warm-up" */
    const char *unit;  /* name of the counted units; NULL: "runs" */
    int32_t min_runs;  /* it ends once both are met */
    double min_secs;   /* but */
    double max_secs;   /* this ends it whatever the minima say */
    double shown_secs; /* time at which the line was last written; <= 0: not yet */
};

/* Show the line; for struct loop_job. `progress` is a struct progress, filled except shown_secs. */
void progress_show(void *progress, size_t runs, double secs);

/* Wipe the line, if there is one. */
void progress_end(struct progress *p);

/* Return the seconds that are left after `runs` runs in `secs` seconds, if the runs go on as fast; 0 if it is over. */
double progress_left(const struct progress *p, size_t runs, double secs);
