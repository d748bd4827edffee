/* SPDX-License-Identifier: Apache-2.0 */
/* cycles.h - a model loaded, run and closed again and again in one process: does anything grow? */
#pragma once

#include "cmd/benchmark/benchmark.h"

/* Do all cycles of --cycles, with the output: a table, and a report to --json ("benchmark_cycles" in
 * schema/json/report.schema.json). Returns the exit status: 1 if memory grows by more than --max_growth, or if files or threads
 * grow. */
int cycles_main(struct benchmark *b);
