/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_trace.h - a benchmark as a trace, and its op profile as node data of a graph: files for other programs' viewers. */
#pragma once

#include "cmd/print/report.h"
#include "lib/measure/phases.h"

/* Fill the report's root with a trace in Chrome's JSON ("Trace Event Format", read by Perfetto and chrome://tracing). Tracks:
 * phases of the start, warm-up and timed runs, profiled runs, their operators on the CPU, and on the delegate. Durations are
 * measured; profiles have no start times, so each event starts at the end of the previous one. */
void op_profile_trace(struct report *r, const char *model, const struct phases *start, const struct bench_times *t,
                      const struct op_profile *p);

/* Fill the report's root with node data of Model Explorer (node_data.h): milliseconds of each row, by the name of the first output
 * of its last node; rows with the same name are added up, transfers left out. */
void op_profile_nodes(struct report *r, const struct op_profile *p);
