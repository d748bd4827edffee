/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_page.h - parts of benchmark_model's page; benchmark_html.c puts them together.
 *
 * Each function adds sections, or nothing if the benchmark has no such result. Every number is one of the JSON report's. */
#ifndef DELEGAUGE_CMD_BENCHMARK_PAGE_H
#define DELEGAUGE_CMD_BENCHMARK_PAGE_H

#include "cmd/benchmark/benchmark.h"
#include "cmd/print/html.h"
#include "cmd/tool/page_parts.h"

/* Put the measurements beside the timed runs: --compare_cpu, --sustained, the times that --gpu_wait_type=none tells apart, and
 * whether the device can have been so fast. */
void page_put_comparisons(struct html *h, const struct benchmark *b);

/* Put the parts of the start and its programs, and with a profile the parts of a run. */
void page_put_phases(struct html *h, const struct benchmark *b);

/* Put the operators by type, and one by one with their work; a hint if there is no profile. Fails only with ST_NOMEM. */
enum status page_put_profile(struct html *h, const struct benchmark *b, struct err *err);

#endif
