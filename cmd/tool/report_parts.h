/* SPDX-License-Identifier: Apache-2.0 */
/* report_parts.h - the pieces of JSON that all tools share; schema/json/report.schema.json describes them. */
#pragma once

#include "cmd/print/report.h"
#include "cmd/tool/tool.h"
#include "lib/measure/stats.h"
#include "lib/session/device_io.h"
#include "lib/session/session.h"

/* Put "schema_version", "tool", "tool_version" and "command" into the root. `kind`: the kind of document, mostly the tool's
 * name. */
void report_tool(struct report *r, const struct tool *t, const char *kind);

/* Put "parameters": every flag with its value; and "flags_given": the names of the given flags, in their order, a repeated one as
 * often as it was given. */
void report_parameters(struct report *r, struct json *in, const struct cli *c);

/* Put both, and "environment" into the root between them. */
void report_origin(struct report *r, const struct tool *t, const char *kind);

/* Put the same for the tool's own document, and "model". */
void report_head(struct report *r, const struct tool *t, const char *model_path);

/* Put an object with the figures of *s and the s->count samples themselves; null if there are no samples. */
void report_stats(struct report *r, struct json *in, const char *key, const struct stats *s, const double *samples);

/* Put {"name": …, "type": …, "shape": […]}. */
void report_tensor(struct report *r, struct json *in, const char *key, const struct tensor *t);

/* Put "assignment" of a graph: the counts, and "partitioning". */
void report_assignment(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p);

/* Put "late" and "called": nodes that the assignment does not have. */
void report_dynamic(struct report *r, struct json *in, const struct session_dynamic *l);
void report_called(struct report *r, struct json *in, const struct session_called *c);

/* Put "partitioning": the partitions, and the reason of each node that was not taken; null if `p` is NULL. */
void report_partitioning(struct report *r, struct json *in, const struct graph *g, const struct partitioning *p);

/* Put the members whose facts are named `group` ("work.") and one word more, the member's name; null for a fact that is unknown. */
void report_facts(struct report *r, struct json *in, const char *group, const struct delegate_facts *f);

/* Put the memory of delegates, as object `name` of `in`; and for each of ds[], up to a NULL, its description and its part of a
 * prepared session, as array "delegates". */
void report_delegate_memory(struct report *r, struct json *in, const char *name, const struct delegate_facts *f);
void report_delegates(struct report *r, struct json *in, const struct session *s, struct delegate *const *ds);

/* The inputs and outputs in buffers on the device, and the tensors that crossed all the same: as text and as
 * JSON. */

/* Print the buffers, with a warning for each tensor that crosses; nothing if all is in host memory. */
void device_io_say(const struct device_io *io);

/* Put "device_io": null if all is in host memory. */
void device_io_put(struct report *r, struct json *in, const struct device_io *io);
