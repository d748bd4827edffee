/* SPDX-License-Identifier: Apache-2.0 */
/* report_parts.h - the pieces of JSON that all tools share; schema/json/report.schema.json describes them. */
#ifndef DELEGAUGE_CMD_REPORT_PARTS_H
#define DELEGAUGE_CMD_REPORT_PARTS_H

#include "../lib/stats.h"
#include "report.h"
#include "tool.h"

/* What report_head does but for "model", with another name of the tool. */
void report_origin(struct report *r, const struct tool *t, const char *tool_name);

/* "schema_version", "tool", "tool_version", "command", "environment", "model" and "parameters" of the root. */
void report_head(struct report *r, const struct tool *t, const char *model_path);

/* An object with the figures of *s, null where there are no samples, and the s->count samples themselves. */
void report_stats(struct report *r, struct json *in, const char *key, const struct stats *s, const double *samples);

/* {"name": …, "type": …, "shape": […]} */
void report_tensor(struct report *r, struct json *in, const char *key, const struct tensor *t);

/* "assignment" of a graph: the counts, and "partitioning". */
void report_assignment(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p);

/* "partitioning": the partitions, and the reason of each node that was not taken; null where `p` is NULL. */
void report_partitioning(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p);

#endif
