/* SPDX-License-Identifier: Apache-2.0 */
/* tile.c - cases of TILE, BROADCAST_TO. */
#include "bench/cases/inputs.h"

const struct op_case tile_cases[] = {
    { "every dimension", .in = { F32(2, 3, 2, 3), I32S(2, 1, 3, 2) } },
    { "vector", .in = { F32(3), I32S(3) } },
    { "channels", .in = { F32(2, 3, 1), I32S(1, 1, 5) } },
    { "channels by fours", .in = { F32(3, 8), I32S(2, 3) } },
    { "once", .in = { F32(2, 3), I32S(1, 1) } },
    { "not at all", .in = { F32(2, 3), I32S(0, 1) } },
    { "int64 multiples", .in = { F32(2, 3), {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .constant = true,
                                             .data = (int64_t[]){2, 2}} } },
    { "multiples known while running", .in = { F32(2, 3), RUN_I32S(2, 2) } },
    { "rank 5", .in = { F32(2, 1, 3, 2, 1), I32S(1, 2, 1, 2, 3) } },
    { "every dimension, rank 6", .in = { F32(2, 1, 2, 1, 2, 3), I32S(2, 3, 1, 2, 2, 2) } },
    { "rows, rank 5", .in = { F32(1, 2, 1, 3, 5), I32S(1, 1, 4, 1, 1) } },
    { "channels by fours, rank 5", .in = { F32(2, 1, 2, 3, 8), I32S(1, 2, 1, 1, 2) } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 2, 3), I32S(2, 2) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 2, 3), I32S(2, 2) } },
    { "int32", .in = { TENSOR(INT32, 2, 3), I32S(2, 2) } },
    { "int32, rank 5", .in = { TENSOR(INT32, 2, 1, 2, 3, 5), I32S(1, 2, 3, 1, 1) } },
    { "int64", .in = { TENSOR(INT64, 2, 3), I32S(2, 2) } },
    { "strings", .in = { STRINGS(2, 3), I32S(2, 2) } },
    { "bool", .in = { TENSOR(BOOL, 2, 3), I32S(2, 2) } },
    { "negative", .in = { F32(2, 3), I32S(2, -1) }, .fails = "multiple 1 is -1" },
    { "overflow", .in = { F32(2, 3), I32S(INT32_MAX, 1) }, .fails = "too long" },
    { "too few", .in = { F32(2, 3), I32S(2) }, .fails = "1 multiples for rank 2" },
    { 0 }
};

const struct op_case broadcast_to_cases[] = {
    { "rows", .version = 2, .in = { F32(1, 5), I32S(3, 5) } },
    { "more dimensions", .version = 2, .in = { F32(3, 1), I32S(2, 3, 5) } },
    { "scalar", .version = 2, .in = { F32_SCALAR, I32S(2, 3) } },
    { "int64 shape", .version = 2, .in = { F32(1, 5), {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .constant = true,
                                                       .data = (int64_t[]){3, 5}} } },
    { "shape known while running", .version = 2, .in = { F32(1, 5), RUN_I32S(3, 5) } },
    { "rank 6", .version = 2, .in = { F32(2, 1, 3, 1, 1, 2), I32S(2, 2, 3, 1, 3, 2) } },
    { "from rank 2 to 5", .version = 2, .in = { F32(3, 5), I32S(2, 1, 2, 3, 5) } },
    { "every other axis, rank 6", .version = 2, .in = { F32(1, 3, 1, 2, 1, 5), I32S(2, 3, 2, 2, 3, 5) } },
    { "empty", .version = 2, .in = { F32(1, 5), I32S(0, 5) } },
    { "int8", .version = 2, .in = { TENSOR(INT8, 1, 5), I32S(3, 5) } },
    { "int16", .version = 2, .in = { TENSOR(INT16, 1, 5), I32S(3, 5) } },
    { "int64", .version = 2, .in = { TENSOR(INT64, 1, 5), I32S(3, 5) } },
    { "bool", .version = 2, .in = { TENSOR(BOOL, 1, 5), I32S(3, 5) } },
    { "mismatch", .version = 2, .in = { F32(2, 5), I32S(3, 5) }, .fails = "does not broadcast to 3" },
    { "lower rank", .version = 2, .in = { F32(2, 5), I32S(5) }, .fails = "rank 2 does not broadcast to rank 1" },
    { 0 }
};
