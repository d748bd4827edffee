/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h - Ctrl-C (SIGINT) and SIGTERM end the runs, not the report. */
#ifndef DELEGAUGE_CMD_INTERRUPT_H
#define DELEGAUGE_CMD_INTERRUPT_H

#include <stdbool.h>

#include "lib/base/err.h"

/* Catch the signals: from now on the first of them only makes interrupted() true; another one, a quarter of a second later or more,
 * ends the process as usual. */
void interrupt_catch(void);
bool interrupted(void);

/* Give a run up once interrupted; for session_options.go_on. `max_secs`, a double, bounds a run; NULL: nothing does. Says once that
 * a run takes long. */
enum status interrupt_go_on(void *max_secs, double run_secs, struct err *err);

#endif
