/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h - SIGINT (Ctrl-C) and SIGTERM end the runs of a tool, but not its report. */
#pragma once

#include <stdbool.h>

#include "lib/base/err.h"

/* Catch both signals: the first one makes interrupted() return true; another one, a quarter of a second later or more, ends the
 * process as usual. */
void interrupt_catch(void);
bool interrupted(void);

/* Tell if a run may go on, for session_options.go_on. Fails with ST_LATER once interrupted, and with ST_FAILED if the run lasts
 * longer than *(double *)max_secs; NULL: no limit. Prints once that a run takes long. */
enum status interrupt_go_on(void *max_secs, double run_secs, struct err *err);
