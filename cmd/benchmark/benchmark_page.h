/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_page.h - parts of benchmark_model's page; benchmark_html.c puts them together.
 *
 * Each adds sections, or nothing where the benchmark has nothing to say of it. Every number is one of the JSON report's. */
#ifndef DELEGAUGE_CMD_BENCHMARK_PAGE_H
#define DELEGAUGE_CMD_BENCHMARK_PAGE_H

#include "cmd/benchmark/benchmark.h"
#include "cmd/print/html.h"
#include "cmd/tool/page_parts.h"

/* What was measured beside the timed runs: --compare_cpu, --sustained, what --gpu_wait_type=none tells apart, and whether the
 * device can have done it. */
void page_put_comparisons(struct html *h, const struct benchmark *b);

/* The parts of the start and its programs, and with a profile those of a run. */
void page_put_phases(struct html *h, const struct benchmark *b);

/* Operators by type, and one by one with their work; a hint where there is no profile. Fails only with ST_NOMEM. */
enum status page_put_profile(struct html *h, const struct benchmark *b, struct err *err);

#endif
