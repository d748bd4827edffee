/* SPDX-License-Identifier: Apache-2.0 */
/* eval_proto.h - the parts of TFLite's messages (evaluation_stages.proto) that the evaluations of all tasks have. */
#pragma once

#include "lib/base/err.h"
#include "lib/base/proto.h"
#include "lib/measure/stats.h"

/* Add LatencyMetrics, in microseconds; empty if nothing was measured. */
void eval_put_latency(struct proto *p, uint32_t field, const struct stats *us);

/* Write the message to a file, and free it, after failures too. ST_NOMEM; else fails as file_write does. */
enum status eval_write_proto(const char *path, struct proto *p, struct err *err);
