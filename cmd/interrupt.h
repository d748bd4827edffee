/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h - Ctrl-C ends the runs, not the report. */
#ifndef DELEGAUGE_CMD_INTERRUPT_H
#define DELEGAUGE_CMD_INTERRUPT_H

#include <stdbool.h>

/* From now on a first Ctrl-C only makes interrupted() true; another one, a quarter of a second later or more, ends the process as
 * usual. */
void interrupt_catch(void);
bool interrupted(void);

#endif
