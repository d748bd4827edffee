/* SPDX-License-Identifier: Apache-2.0 */
/* floor_div.c - cases of FLOOR_DIV, FLOOR_MOD. */
#include "bench/opcheck/opcheck.h"

#define SIGNED(type_, ...)  {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = -100, .hi = 100}
#define DIVISOR(type_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = 1, .hi = 9}
#define NEGATIVE_DIVISOR(type_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = -9, .hi = -1}

#define FLOOR_CASES                                                                                                            \
    { "float32", .in = { F32_IN(-9, 9, 3, 5, 7), F32_IN(0.5, 3, 3, 5, 7) } },                                                  \
    { "float32 broadcast, negative divisors", .in = { F32_IN(-9, 9, 3, 5, 7), F32_IN(-3, -0.5, 7) } },                         \
    { "int32", .in = { SIGNED(INT32, 3, 5, 7), DIVISOR(INT32, 3, 5, 7) } },                                                    \
    { "int32 broadcast, negative divisors", .in = { SIGNED(INT32, 3, 5, 7), NEGATIVE_DIVISOR(INT32, 5, 1) } },                 \
    { "int8", .in = { SIGNED(INT8, 3, 5, 7), NEGATIVE_DIVISOR(INT8, 3, 5, 7) } },                                              \
    { "int16", .in = { SIGNED(INT16, 3, 5, 7), NEGATIVE_DIVISOR(INT16, 7) } },                                                 \
    { "int8 extremes", .in = { SPECIAL(INT8, 21), {TYPE_INT8, CASE_DIMS(1), .lo = -1, .hi = -1} } },                           \
    { "int16 extremes", .in = { SPECIAL(INT16, 21), {TYPE_INT16, CASE_DIMS(21), .lo = -3, .hi = -1} } },                       \
    { "lower rank on the left", .in = { F32_IN(-9, 9, 7), F32_IN(0.5, 3, 2, 3, 7) } },                                         \
    { "both sides repeat", .in = { F32_IN(-9, 9, 3, 1, 4, 1), F32_IN(0.5, 3, 2, 1, 5) } },                                                 \
    { "rank 5", .in = { F32_IN(-9, 9, 2, 3, 1, 4, 5), F32_IN(0.5, 3, 3, 1, 1, 5) } },                                          \
    { "int32 extremes by -1 (TFLite divides undefined)", .no_golden = true,                                                    \
      .in = { {TYPE_INT32, CASE_DIMS(9), .fill = FILL_SPECIAL}, {TYPE_INT32, CASE_DIMS(1), .lo = -1, .hi = -1} } },            \
    { "int32 by zero", .in = { SIGNED(INT32, 3), {TYPE_INT32, CASE_DIMS(3), .fill = FILL_GIVEN, .data = (int32_t[]){1, 0, 2}} }, \
      .fails = "division by zero at element 1" }

const struct op_case floor_div_cases[] = {
    FLOOR_CASES,
    { "float32 by zero", .in = { F32(2), {TYPE_FLOAT32, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (float[]){0, 1}} },
      .fails = "division by zero" },
    { "float32, quotients up to 3e38", .in = { F32_POWERS(-75, 63, 2, 5, 70), F32_POWERS(-63, 60, 2, 5, 70) } },
    { 0 }
};

const struct op_case floor_mod_cases[] = {
    FLOOR_CASES,
    { "int64", .in = { SIGNED(INT64, 3, 5, 7), NEGATIVE_DIVISOR(INT64, 7) } },
    { "int64 extremes", .in = { SPECIAL(INT64, 21), {TYPE_INT64, CASE_DIMS(21), .lo = -9, .hi = -2} } },
    { "int64 by divisors of both words, rank 6",
      .in = { SPECIAL(INT64, 3, 1, 7, 1, 2, 4), {TYPE_INT64, CASE_DIMS(2, 1, 3, 1, 4), .lo = -9e18, .hi = -4294967297.0} } },
    { "int64 by one divisor", .in = { {TYPE_INT64, CASE_DIMS(2, 67), .lo = -9e18, .hi = 9e18}, {TYPE_INT64, .rank = 0, .lo = 4294967299.0, .hi = 4294967299.0} } },
    { "float32, quotients up to 3e38", .in = { F32_POWERS(-20, 128, 2, 5, 70), F32_POWERS(-9, 9, 2, 5, 70) } },
    { "float32, small divisors, any quotient", .in = { F32_POWERS(-126, 128, 2, 5, 70), F32_POWERS(-126, -9, 2, 5, 70) } },
    { "float32, any magnitudes", .in = { F32_POWERS(-126, 128, 2, 5, 70), F32_POWERS(-126, 128, 2, 5, 70) } },
    { "float32, quotients of some thousands", .in = { F32_IN(-1e5, 1e5, 2, 5, 70), F32_IN(1, 7, 2, 5, 70) } },
    { "float32, quotients of some millions, broadcast", .in = { F32_IN(-1e8, 1e8, 2, 5, 70), F32_IN(1, 7, 70) } },
    /* Quotients that are rounded to whole numbers which they are below. */
    { "just below a multiple",
      .in = { {TYPE_FLOAT32, CASE_DIMS(5), .fill = FILL_GIVEN, .data = (const float[]){ -0.3f, 0.7f, 0.3f, -0.7f, 1.2f }},
              {TYPE_FLOAT32, CASE_DIMS(5), .fill = FILL_GIVEN, .data = (const float[]){ 0.1f, 0.1f, -0.1f, -0.1f, 0.4f }} } },
    { 0 }
};
