/* SPDX-License-Identifier: Apache-2.0 */
/* assignment_text.h - which executor each node was given, said after every prepare, so that no fallback is silent. */
#pragma once

#include "cmd/print/results.h"
#include "cmd/tool/delegates.h"
#include "lib/delegate/assignment.h"
#include "lib/session/session.h"

/* Print for a prepared session with delegate `d` (NULL: none), or with all delegates that the command line asks for: TFLite's line
 * about each, why the rest stays on the CPU, the counts, and the result of tuning. Fail only with ST_NOMEM. */
enum status assignment_say(const struct session *s, const struct delegate *d, struct err *err);
enum status assignment_say_all(const struct session *s, const struct delegates *ds, struct err *err);

/* Add lines with the result of tuning, now or as a stored start has it; nothing if nothing is tuned. Partitions that are made when
 * shapes have become known are tuned in a run, after that text. */
void assignment_add_tuning(struct result_section *to, const struct session *s, const struct delegate *d);

/* Add "Following operations are not supported by GPU delegate:" with one line per operator and reason, and the counts below it.
 * Nothing if no node stays on the CPU. Fails only with ST_NOMEM. */
enum status assignment_add_refusals(struct result_section *to, const struct graph *g, const struct partitioning *p,
                                    const char *label, struct err *err);
