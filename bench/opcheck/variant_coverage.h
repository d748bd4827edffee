/* SPDX-License-Identifier: Apache-2.0 */
/* variant_coverage.h - lists the variants of GPU kernels that no case used.
 *
 * Every row of a kernel's table of variants must run in some case. That can be judged only if all modes were wanted (`turns` is
 * enough), and on a driver on which each variant fits some case: llvmpipe, on which every check runs. */
#pragma once

#include "bench/opcheck/gpus.h"

/* Print the rows that no case used, and return the number of failures. If it can be judged: for a `whole` run each is a failure,
 * "FAIL conv|4x1: no case runs this variant"; for a share none is, "not run here: conv|4x1" (scripts/test/check.sh compares the
 * shares). Else print "NOT RUN (variants): ...". */
uint32_t variant_coverage_print(const struct gpus *g, bool whole);
