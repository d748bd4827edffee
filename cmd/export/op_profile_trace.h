/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_trace.h - a benchmark on a time line, and its op profile over the graph: files for other people's viewers. */
#ifndef DELEGAUGE_CMD_OP_PROFILE_TRACE_H
#define DELEGAUGE_CMD_OP_PROFILE_TRACE_H

#include "cmd/print/report.h"
#include "lib/measure/phases.h"

/* Fill the report's root with a trace in Chrome's JSON ("Trace Event Format"; Perfetto and chrome://tracing read it): a track each
 * of the parts of the start, the warm-up and timed runs, the profiled runs, and their operators on the CPU and on the delegate.
 * Durations are measured; since profiles keep no beginnings, each event begins at the end of the one before it. */
void op_profile_trace(struct report *r, const char *model, const struct phases *start, const struct bench_times *t,
                      const struct op_profile *p);

/* Fill the root with node data of Model Explorer (node_data.h): milliseconds by the name of the first output of the last node of
 * each row, times of rows with the same name added up; transfers have no node. */
void op_profile_nodes(struct report *r, const struct op_profile *p);

#endif
