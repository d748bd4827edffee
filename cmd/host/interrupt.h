/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h - Ctrl-C (SIGINT) and SIGTERM end the runs, not the report. */
#ifndef DELEGAUGE_CMD_INTERRUPT_H
#define DELEGAUGE_CMD_INTERRUPT_H

#include <stdbool.h>

#include "lib/base/err.h"

/* From now on the first of these signals only makes interrupted() true; another one, a quarter of a second later or more, ends the
 * process as usual. */
void interrupt_catch(void);
bool interrupted(void);

/* session_options.go_on: gives a run up once interrupted. `max_secs`, a double, bounds a run; NULL: nothing does.
 * Says once that a run takes long. */
enum status interrupt_go_on(void *max_secs, double run_secs, struct err *err);

#endif
