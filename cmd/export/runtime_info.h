/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_info.h - a session's graph, the executor of each node and the execution order, as TFLite's protocol buffer message
 * tflite.profiling.ModelRuntimeDetails. */
#pragma once

#include "lib/base/proto.h"
#include "lib/session/session.h"

/* Write the message into *out, empty before: one subgraph, that of the prepared session. Tensors and nodes have the numbers of the
 * file. As in TFLite, delegates' partitions are nodes behind the file's nodes, in the order of session_partitioning, and
 * execution_plan lists the nodes that run: CPU nodes and partitions. Folded nodes are listed as nodes only. Fails only with
 * ST_NOMEM. */
enum status runtime_info(const struct session *s, const char *model, struct proto *out, struct err *err);
