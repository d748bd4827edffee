/* SPDX-License-Identifier: Apache-2.0 */
/* phases_text.h - the parts of a start's and a run's time, as tables. */
#ifndef DELEGAUGE_CMD_PHASES_TEXT_H
#define DELEGAUGE_CMD_PHASES_TEXT_H

#include "lib/measure/phases.h"

/* Print a line for each part that took time, with its share, and their sum. */
void phases_print(FILE *to, const char *title, const struct phases *p);

/* Print a line for each program that the session's delegates made ready; nothing if there is none. */
void programs_print(FILE *to, const struct session *s);

/* Print how much longer a profiled run takes than a timed one, whose average is `timed_us`; NAN: none was timed. */
void profile_share_print(FILE *to, const struct op_profile *p, double timed_us);

#endif
