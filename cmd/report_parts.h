/* SPDX-License-Identifier: Apache-2.0 */
/* report_parts.h - the pieces of JSON that all tools share. schema/json describes them. */
#ifndef DELEGAUGE_CMD_REPORT_PARTS_H
#define DELEGAUGE_CMD_REPORT_PARTS_H

#include "../lib/stats.h"
#include "report.h"
#include "tool.h"

/* "schema_version", "tool", "tool_version", "command", "environment", "model" and "parameters" of the root. */
void report_head(struct report *r, const struct tool *t, const char *model_path);

/* An object with the figures of *s, and the samples themselves where `samples` is given. */
void report_stats(struct report *r, struct json *in, const char *key, const struct stats *s, const double *samples);

/* {"name": …, "type": …, "shape": […]} */
void report_tensor(struct report *r, struct json *in, const char *key, const struct tensor *t);

/* "placement": the counts, and what report_partitioning adds where there is a delegate. */
void report_placement(struct report *r, struct json *in, const struct session *s);

/* The partitions, and the reason of each node that was not taken, from a graph with or without a session. */
void report_partitioning(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p);

#endif
