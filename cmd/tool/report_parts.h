/* SPDX-License-Identifier: Apache-2.0 */
/* report_parts.h - the pieces of JSON that all tools share; schema/json/report.schema.json describes them. */
#ifndef DELEGAUGE_CMD_REPORT_PARTS_H
#define DELEGAUGE_CMD_REPORT_PARTS_H

#include "cmd/print/report.h"
#include "cmd/tool/tool.h"
#include "lib/measure/stats.h"
#include "lib/session/session.h"

/* "schema_version", "tool", "tool_version" and "command" of the root. `kind`: which document it is, mostly the tool's name. */
void report_tool(struct report *r, const struct tool *t, const char *kind);

/* "parameters": every flag with its value; and "flags_given": the names of those that were given, in the order in which they stood,
 * one that repeats as often. */
void report_parameters(struct report *r, struct json *in, const struct cli *c);

/* Both, and "environment" of the root between them. */
void report_origin(struct report *r, const struct tool *t, const char *kind);

/* The same for the tool's own document, and "model". */
void report_head(struct report *r, const struct tool *t, const char *model_path);

/* An object with the figures of *s, null where there are no samples, and the s->count samples themselves. */
void report_stats(struct report *r, struct json *in, const char *key, const struct stats *s, const double *samples);

/* {"name": …, "type": …, "shape": […]} */
void report_tensor(struct report *r, struct json *in, const char *key, const struct tensor *t);

/* "assignment" of a graph: the counts, and "partitioning". */
void report_assignment(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p);

/* "late" and "called": what the assignment does not have. */
void report_late(struct report *r, struct json *in, const struct session_late *l);
void report_called(struct report *r, struct json *in, const struct session_called *c);

/* "partitioning": the partitions, and the reason of each node that was not taken; null where `p` is NULL. */
void report_partitioning(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p);

/* What delegates occupy, as object `name` of `in`; and of each of ds[], up to a NULL, what it is and what it has of a prepared
 * session, as array "delegates". */
void report_delegate_memory(struct report *r, struct json *in, const char *name, const struct delegate_memory *m);
void report_delegates(struct report *r, struct json *in, const struct session *s, struct delegate *const *ds);

#endif
