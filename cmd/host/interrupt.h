/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h - SIGINT (Ctrl-C), SIGTERM and a time limit end the runs of a tool, but not its report. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/err.h"

/* Catch both signals: the first one makes interrupted() return true; another one, a quarter of a second later or more, ends the
 * process as usual. */
void interrupt_catch(void);
bool interrupted(void);

/* Limit the time of the process: after `secs` seconds interrupted() returns true, as after a first signal. A process that has not
 * ended 5 seconds later is ended: it prints a message and exits with status 4. `secs` is above 0. Only the first call counts, so
 * that the rows of a table share one limit. */
void interrupt_after(double secs);

/* Call it first in a process that fork() made: it ignores SIGINT and SIGTERM, is told of them by its parent with
 * interrupt_pass_on, and ends when the parent ends. */
void interrupt_follow(pid_t parent);

/* Pass an interruption on to a process that follows this one; more than once does no harm. */
void interrupt_pass_on(pid_t child);

/* Return true if the time limit came before any signal. */
bool interrupted_by_limit(void);

/* Tell if a run may go on, for session_options.go_on. Fails with ST_LATER once interrupted, and with ST_FAILED if the run lasts
 * longer than *(double *)max_secs; NULL: no limit. Prints once that a run takes long. */
enum status interrupt_go_on(void *max_secs, double run_secs, struct err *err);
