/* SPDX-License-Identifier: Apache-2.0 */
/* cumsum.c - cases of CUMSUM. */
#include "bench/opcheck/opcheck.h"

#define AXIS(v) {TYPE_INT32, .rank = 0, .fill = FILL_GIVEN, .data = (const int32_t[]){v}}
#define SUMS(e, r) .opt = &(struct opt_cumsum){ e, r }

const struct op_case cumsum_cases[] = {
    { "rows", SUMS(false, false), .in = { F32(2, 3, 5), I32_SCALAR(2) } },
    { "columns", SUMS(false, false), .in = { F32(2, 3, 5), I32_SCALAR(1) } },
    { "exclusive", SUMS(true, false), .in = { F32(2, 3, 5), I32_SCALAR(-1) } },
    { "reverse", SUMS(false, true), .in = { F32(2, 3, 5), I32_SCALAR(0) } },
    { "exclusive and reverse", SUMS(true, true), .in = { F32(2, 3, 5), I32_SCALAR(1) } },
    { "rank 5", SUMS(true, false), .in = { F32(2, 3, 2, 3, 5), I32_SCALAR(1) } },
    { "channels, rank 6", SUMS(false, true), .in = { F32(2, 3, 1, 2, 3, 5), I32_SCALAR(-1) } },
    { "in the middle, rank 6", SUMS(false, false), .in = { F32(2, 3, 2, 4, 2, 5), I32_SCALAR(3) } },
    { "empty", SUMS(false, true), .in = { F32(2, 0), I32_SCALAR(1) } },
    { "int32", SUMS(false, false), .in = { TENSOR(INT32, 3, 5), I32_SCALAR(1) } },
    { "int32 wraps", SUMS(false, false), .in = { {TYPE_INT32, CASE_DIMS(3, 9), .fill = FILL_SPECIAL}, I32_SCALAR(1) } },
    { "int64", SUMS(true, false), .in = { TENSOR(INT64, 3, 5), I32_SCALAR(1) } },
    { "int64 wraps, channels, reverse, rank 6", SUMS(false, true), .in = { SPECIAL(INT64, 2, 3, 1, 2, 3, 5), I32_SCALAR(-1) } },
    { "int64 wraps, batch, exclusive", SUMS(true, false), .in = { SPECIAL(INT64, 5, 3, 2, 3), I32_SCALAR(0) } },
    { "int64, one", SUMS(true, true), .in = { SPECIAL(INT64, 1), I32_SCALAR(0) } },
    { "int64, long loops, channels, reverse (too large for text)", SUMS(false, true), .no_golden = true,
      .in = { SPECIAL(INT64, 262147), I32_SCALAR(0) } },
    { "int64, long loops, height (too large for text)", SUMS(true, false), .no_golden = true,
      .in = { SPECIAL(INT64, 2, 70001, 1, 3), I32_SCALAR(1) } },
    { "int64, long loops, batch, reverse (too large for text)", SUMS(true, true), .no_golden = true,
      .in = { SPECIAL(INT64, 70001, 1, 1, 2), I32_SCALAR(0) } },
    { "long loops, channels (too large for text)", SUMS(false, false), .no_golden = true, .in = { F32(70001 * 4 + 1), I32_SCALAR(0) } },
    { "long loops, channels, reverse (too large for text)", SUMS(false, true), .no_golden = true, .in = { F32(262147), I32_SCALAR(0) } },
    { "long loops, channels, exclusive and reverse (too large for text)", SUMS(true, true), .no_golden = true,
      .in = { F32(262147), I32_SCALAR(0) } },
    { "long loops, width (too large for text)", SUMS(true, false), .no_golden = true, .in = { F32(70001, 3), I32_SCALAR(0) } },
    { "long loops, height, reverse (too large for text)", SUMS(false, true), .no_golden = true,
      .in = { F32(2, 70001, 1, 3), I32_SCALAR(1) } },
    { "long loops, batch, int32 (too large for text)", SUMS(true, true), .no_golden = true,
      .in = { TENSOR(INT32, 70001, 1, 1, 2), I32_SCALAR(0) } },
    { "axis known while running", SUMS(false, false), .in = { F32(2, 3, 5), AXIS(1) } },
    { "last axis known while running, reverse, rank 6", SUMS(false, true), .in = { F32(2, 3, 1, 2, 3, 5), AXIS(-1) } },
    { "first axis known while running, exclusive, rank 5", SUMS(true, false), .in = { F32(2, 3, 2, 3, 5), AXIS(-5) } },
    { "int32 wraps, axis known while running", SUMS(true, true),
      .in = { {TYPE_INT32, CASE_DIMS(3, 9), .fill = FILL_SPECIAL}, AXIS(0) } },
    { "int64 wraps, axis known while running", SUMS(false, false), .in = { SPECIAL(INT64, 2, 3, 4, 5), AXIS(2) } },
    { "one axis, known while running", SUMS(false, false), .in = { F32(9), AXIS(0) } },
    { "long loops, axis known while running (too large for text)", SUMS(false, false), .no_golden = true,
      .in = { F32(70001, 3), AXIS(0) } },
    { "axis beyond, known while running", .in = { F32(3, 5), AXIS(2) }, .fails = "axis 2" },
    { "axis beyond", .in = { F32(3, 5), I32_SCALAR(2) }, .fails = "axis 2" },
    { "int8", .in = { TENSOR(INT8, 3), I32_SCALAR(0) }, .fails = "INT8" },
    { 0 }
};
