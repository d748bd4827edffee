/* SPDX-License-Identifier: Apache-2.0 */
/* variant_coverage.h - the variants of the GPU's kernels that no case was computed by.
 *
 * Every row of a kernel's table of variants is a shader, or a way to several, that some case must run. That can be said if all
 * modes were wanted, if only by turns, and on a driver on which each variant fits some of them: llvmpipe, on which every check
 * runs. */
#ifndef DELEGAUGE_BENCH_VARIANT_COVERAGE_H
#define DELEGAUGE_BENCH_VARIANT_COVERAGE_H

#include "bench/opcheck/gpus.h"

/* If all modes were wanted there: print the rows of that run, and return how many of them are failures: of one that is `whole` all,
 * "FAIL conv|4x1: no case runs this variant"; of a share none, "not run here: conv|4x1", which scripts/test/check.sh holds against
 * the rows of the other shares. Else print the rows that are not known to have run, "NOT RUN (variants): ...". */
uint32_t variant_coverage_print(const struct gpus *g, bool whole);

#endif
