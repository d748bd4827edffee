/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_proto.h - an op profile as TFLite's protocol buffer message tflite.profiling.BenchmarkProfilingData. */
#ifndef DELEGAUGE_CMD_OP_PROFILE_PROTO_H
#define DELEGAUGE_CMD_OP_PROFILE_PROTO_H

#include "lib/base/proto.h"
#include "lib/measure/op_profile.h"

/* Write the message into *out, empty at first: init_profile and runtime_profile, of which each has one subgraph with all rows,
 * including the rows of delegates, in order of execution. Times are whole microseconds there; mem_kb, which is not measured, is
 * left out. Fails only with ST_NOMEM. */
enum status op_profile_proto(const struct op_profile *init, const struct op_profile *run, const char *subgraph, struct proto *out,
                             struct err *err);

#endif
