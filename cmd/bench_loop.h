/* SPDX-License-Identifier: Apache-2.0 */
/* bench_loop.h - running something again and again by TFLite's rules, and keeping every time. */
#ifndef DELEGAUGE_CMD_BENCH_LOOP_H
#define DELEGAUGE_CMD_BENCH_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/clock.h"
#include "../lib/err.h"

struct loop_limits {
    int32_t min_runs;
    double min_secs;   /* go on until both minima are met */
    double max_secs;   /* then stop whatever the minima say; one run is always made if either asks for it */
    double delay_secs; /* sleep between runs; <= 0: none */
};

struct samples {
    double *us; /* [n] microseconds, in the order of time */
    size_t n, capacity;
};

enum status samples_add(struct samples *s, double us, struct err *err);
void samples_free(struct samples *s);

/* Times run(arg) alone; everything else happens between runs. A run that fails ends the loop with its status, a SIGINT (see
 * interrupt_catch) ends it with ST_OK after the run at hand. */
enum status bench_loop(enum status (*run)(void *arg, struct err *err), void *arg, const struct loop_limits *limits,
                       struct samples *out, struct err *err);

/* From now on a first Ctrl-C only makes interrupted() true; another one, a quarter of a second later or more, ends the process as
 * usual. */
void interrupt_catch(void);
bool interrupted(void);

/* Exit status of a tool that was interrupted and has reported what it had. */
#define EXIT_INTERRUPTED 130

#endif
