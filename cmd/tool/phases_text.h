/* SPDX-License-Identifier: Apache-2.0 */
/* phases_text.h - where the time of a start and of a run goes, as tables. */
#ifndef DELEGAUGE_CMD_PHASES_TEXT_H
#define DELEGAUGE_CMD_PHASES_TEXT_H

#include "lib/measure/phases.h"

/* A line for each part that took time, with its share, and their sum. */
void phases_print(FILE *to, const char *title, const struct phases *p);

/* A line for each program that the session's delegates made ready; nothing where there is none. */
void programs_print(FILE *to, const struct session *s);

/* How much longer a profiled run takes than a timed one, whose average is `timed_us`; NAN: none was timed. */
void profile_share_print(FILE *to, const struct op_profile *p, double timed_us);

#endif
