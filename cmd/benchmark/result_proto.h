/* SPDX-License-Identifier: Apache-2.0 */
/* result_proto.h - the figures of a benchmark as TFLite's protocol buffer message tflite.tools.benchmark.BenchmarkResult. */
#pragma once

#include "cmd/benchmark/benchmark.h"

/* Write the message to --result_file_path, whole or not at all, and report that in TFLite's words. Latencies without a run and a
 * peak that was not asked for are left out. ST_IO, ST_NOMEM. */
enum status result_proto_write(const struct benchmark *b, struct err *err);
