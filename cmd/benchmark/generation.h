/* SPDX-License-Identifier: Apache-2.0 */
/* generation.h - how fast a language model reads a prompt and makes tokens. */
#pragma once

#include "cmd/benchmark/benchmark.h"

/* Generate tokens with the signatures of --prefill and --decode, again and again, with the output: a result, and a report to --json
 * ("benchmark_generation" in schema/json/report.schema.json). Returns the exit status. */
int generation_main(struct benchmark *b);
