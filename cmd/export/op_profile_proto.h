/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_proto.h - an op profile as TFLite's protocol buffer message tflite.profiling.BenchmarkProfilingData. */
#pragma once

#include "lib/base/proto.h"
#include "lib/measure/op_profile.h"

/* Write the message into *out, empty before: init_profile and runtime_profile, each with one subgraph that has all rows, the
 * delegates' too, in execution order. Times are whole microseconds; mem_kb is left out, since it is not measured. Fails only with
 * ST_NOMEM. */
enum status op_profile_proto(const struct op_profile *init, const struct op_profile *run, const char *subgraph, struct proto *out,
                             struct err *err);
