/* SPDX-License-Identifier: Apache-2.0 */
/* where.c - cases of WHERE. */
#include "bench/opcheck/opcheck.h"

#define SMALL(type_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = -2, .hi = 2}
#define COORDINATES { {TYPE_INT64} }

const struct op_case where_cases[] = {
    { "bool", .in = { TENSOR(BOOL, 3, 4, 2) }, .out = COORDINATES },
    { "constant", .in = { CONST(BOOL, 3, 7) }, .out = COORDINATES },
    { "float32", .in = { F32_SPECIAL(67) }, .out = COORDINATES },
    { "int32", .in = { SMALL(INT32, 3, 7) }, .out = COORDINATES },
    { "int64", .in = { SMALL(INT64, 3, 7) }, .out = COORDINATES },
    { "int8", .in = { SMALL(INT8, 3, 7) }, .out = COORDINATES },
    { "int32 extremes", .in = { SPECIAL(INT32, 21) }, .out = COORDINATES },
    { "int64 extremes", .in = { SPECIAL(INT64, 21) }, .out = COORDINATES },
    { "uint8", .in = { {TYPE_UINT8, CASE_DIMS(3, 7), .hi = 1} }, .out = COORDINATES },
    { "none (LiteRT's Python cannot read empty outputs)", .no_golden = true, .in = { {TYPE_INT32, CASE_DIMS(3, 7), .fill = FILL_GIVEN, .data = (int32_t[21]){0}} }, .out = COORDINATES },
    { "empty (LiteRT's Python cannot read empty outputs)", .no_golden = true, .in = { TENSOR(BOOL, 0, 3) },
      .out = COORDINATES },
    { "scalar", .in = { TENSOR(BOOL) }, .out = COORDINATES, .fails = "no dimension" },
    { 0 }
};
