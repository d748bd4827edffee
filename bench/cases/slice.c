/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c - cases of SLICE. */
#include "inputs.h"

const struct op_case slice_cases[] = {
    { "4-D", .in = { F32(2, 5, 7, 3), I32S(0, 1, 2, 1), I32S(2, 3, 4, 2) } },
    { "channels by fours", .in = { F32(1, 2, 3, 15), I32S(0, 0, 1, 4), I32S(1, 2, 2, 10) } },
    { "rest of a dimension", .in = { F32(3, 5, 7), I32S(1, 0, 3), I32S(-1, 2, -1) } },
    { "whole", .in = { F32(3, 5), I32S(0, 0), I32S(3, 5) } },
    { "int64 indices", .in = { F32(3, 5), I64S(1, 2), I64S(2, -1) } },
    { "indices known while running", .in = { F32(3, 5), RUN_I32S(1, 2), RUN_I32S(2, -1) } },
    { "begin known while running", .in = { F32(3, 5, 7), RUN_I32S(1, 0, 2), I32S(2, 5, 3) } },
    { "begin known while running, whole channels, rank 6",
      .in = { F32(2, 3, 2, 1, 4, 5), RUN_I32S(1, 1, 0, 0, 1, 0), I32S(1, 2, 2, 1, 3, 5) } },
    { "begin known while running, int64", .in = { SPECIAL(INT64, 3, 6), {TYPE_INT64, CASE_DIMS(2), .lo = 1, .hi = 1}, I64S(2, 5) } },
    { "begin known while running, far (too large for text)", .no_golden = true, .in = { F32(65539, 3), RUN_I32S(65535, 1), I32S(4, 2) } },
    { "begin known while running, one element", .in = { F32(1), RUN_I32S(0), I32S(1) } },
    { "begin known while running, int8", .in = { QUANT(INT8, 0.1f, 4, 3, 5), RUN_I32S(1, 2), I32S(2, 2) } },
    { "begin known while running, beyond the end", .in = { F32(3, 5), RUN_I32S(2, 2), I32S(2, 2) }, .fails = "leave dimension 0" },
    { "empty result", .in = { F32(3, 5), I32S(1, 5), I32S(2, 0) } },
    { "rank 5", .in = { F32(2, 3, 2, 3, 2), I32S(0, 1, 0, 1, 1), I32S(2, 2, 1, 2, 1) } },
    { "frames, rank 5", .in = { F32(1, 5, 2, 3, 6), I32S(0, 1, 0, 0, 0), I32S(1, 3, -1, -1, -1) } },
    { "every dimension, rank 5", .in = { F32(3, 3, 2, 4, 9), I32S(1, 1, 0, 2, 4), I32S(2, 2, 1, 2, 5) } },
    { "int8", .in = { QUANT(INT8, 0.1f, 4, 3, 5), I32S(1, 2), I32S(2, 2) } },
    { "uint8", .in = { QUANT(UINT8, 0.1f, 4, 3, 5), I32S(1, 2), I32S(2, 2) } },
    { "int16", .in = { TENSOR(INT16, 3, 5), I32S(1, 2), I32S(2, 2) } },
    { "int32", .in = { TENSOR(INT32, 3, 5), I32S(1, 2), I32S(2, 2) } },
    { "int64", .in = { TENSOR(INT64, 3, 5), I32S(1, 2), I32S(2, 2) } },
    { "strings", .in = { STRINGS(3, 4), I32S(1, 1), I32S(2, 2) } },
    { "int4", .in = { TENSOR(INT4, 3, 5), I32S(1, 2), I32S(2, 3) } },
    { "bool", .in = { TENSOR(BOOL, 3, 5), I32S(1, 2), I32S(2, 2) } },
    { "beyond the end", .in = { F32(3, 5), I32S(1, 2), I32S(3, 2) }, .fails = "leave dimension 0, which is 3 long" },
    { "sum overflows", .in = { F32(3, 5), I32S(INT32_MAX, 2), I32S(INT32_MAX, 2) }, .fails = "leave dimension 0" },
    { "negative begin", .in = { F32(3, 5), I32S(-1, 2), I32S(-1, 2) }, .fails = "leave dimension 0" },
    { "size -2", .in = { F32(3, 5), I32S(1, 2), I32S(-2, 2) }, .fails = "leave dimension 0" },
    { "beyond the end, known while running", .in = { F32(3, 5), RUN_I32S(1, 2), RUN_I32S(3, 2) }, .fails = "leave dimension 0" },
    { "too few begins", .in = { F32(3, 5), I32S(1), I32S(2, 2) }, .fails = "1 begins and 2 sizes for rank 2" },
    { 0 }
};
