/* SPDX-License-Identifier: Apache-2.0 */
/* assignment_text.h - which executor each node was given, said after every prepare, so that no fallback is silent. */
#ifndef DELEGAUGE_CMD_ASSIGNMENT_TEXT_H
#define DELEGAUGE_CMD_ASSIGNMENT_TEXT_H

#include "cmd/print/results.h"
#include "cmd/tool/delegates.h"
#include "lib/delegate/assignment.h"
#include "lib/session/session.h"

/* Print for a prepared session with delegate `d` (NULL: none): TFLite's line about the delegate, why the rest stays on the CPU, the
 * counts, and the result of tuning. Fails only with ST_NOMEM. */
enum status assignment_say(const struct session *s, const struct delegate *d, struct err *err);

/* Print the same for a session with all delegates that the command line asks for. */
enum status assignment_say_all(const struct session *s, const struct delegates *ds, struct err *err);

/* Print the same for a session with several delegates, ds[] up to a NULL, in the order in which they were asked; `label` names them
 * all. */
enum status assignment_say_several(const struct session *s, struct delegate *const *ds, const char *label, struct err *err);

/* Add lines with the result of tuning, now or as a stored start has it; nothing if nothing is tuned. Partitions that are made when
 * shapes have become known are tuned in a run, after the text of the three functions above. */
void assignment_add_tuning(struct result_section *to, const struct session *s, const struct delegate *d);

/* Print "Following operations are not supported by GPU delegate:" with one line per operator and reason, and the counts below it.
 * Nothing if no node stays on the CPU. Fails only with ST_NOMEM. */
enum status assignment_say_refusals(const struct graph *g, const struct partitioning *p, const char *label, struct err *err);

#endif
