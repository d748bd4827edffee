/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_trace.h - a benchmark as a trace, and its op profile as node data of a graph: files for other programs' viewers. */
#pragma once

#include "cmd/host/machine_track.h"
#include "cmd/print/report.h"
#include "lib/measure/phases.h"

/* Fill the report's root with a trace in Chrome's JSON ("Trace Event Format", read by Perfetto and chrome://tracing). Tracks:
 * phases of the start, warm-up and timed runs, profiled runs, their operators on the CPU, and on the delegate; counters of
 * `machine`. Time 0 is the beginning of the start. An event begins when it began, by the clock that its "begin" names: "host",
 * "device" (a GPU's timer queries, brought to the host's clock), or "previous", at the end of the event before, where nobody knows
 * or where that one was not over. */
void op_profile_trace(struct report *r, const char *model, const struct phases *start, const struct bench_times *t,
                      const struct op_profile *p, const struct machine_track *machine);

/* Fill the report's root with node data of Model Explorer (node_data.h): milliseconds of each row, by the name of the first output
 * of its last node; rows with the same name are added up, transfers left out. */
void op_profile_nodes(struct report *r, const struct op_profile *p);
