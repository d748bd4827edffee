/* SPDX-License-Identifier: Apache-2.0 */
/* roll.c - cases of Roll. */
#include "bench/opcheck/opcheck.h"

#define AT_RUN_TIME(type, c_type, n, ...) {TYPE_##type, CASE_DIMS(n), .fill = FILL_GIVEN, .data = (const c_type[]){__VA_ARGS__}}
#define NOT_IN_PACKAGE .no_golden = true

const struct op_case roll_cases[] = {
    { "one axis (not in the package)", NOT_IN_PACKAGE, .in = { F32(3, 5), I32S(2), I32S(1) } },
    { "two axes, backwards, more than once round (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(INT16, 3, 5, 2), I32S(-1, 13), I32S(0, -2) } },
    { "an axis named twice, scalars at run time (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(INT8, 4, 5), {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (const int32_t[]){ 3, 2 }},
              {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (const int32_t[]){ 1, 1 }} } },
    { "three axes at run time, shifts of any size (not in the package)", NOT_IN_PACKAGE,
      .in = { F32(3, 5, 2, 4), AT_RUN_TIME(INT32, int32_t, 3, -2147483647 - 1, 6, 2147483647),
              AT_RUN_TIME(INT32, int32_t, 3, 0, -1, 1) } },
    { "int64, axes of 64 bits at run time (not in the package)", NOT_IN_PACKAGE,
      .in = { SPECIAL(INT64, 3, 5), I32S(1, -2), AT_RUN_TIME(INT64, int64_t, 2, -1, 0) } },
    { "scalars of 64 bits (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(BOOL, 7), {TYPE_INT64, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const int64_t[]){ 3 }},
              {TYPE_INT64, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const int64_t[]){ 0 }} } },
    { "strings (not in the package)", NOT_IN_PACKAGE,
      .in = { {TYPE_STRING, CASE_DIMS(4), .data = (const char *const[]){ "a", "bc", "", "d" }}, I32S(1), I32S(0) } },
    { "nothing to roll (not in the package)", NOT_IN_PACKAGE, .in = { F32(0, 5), I32S(2), I32S(0) } },
    { "an axis beyond the rank", .in = { F32(3, 5), I32S(2), I32S(2) }, .fails = "axis 2" },
    { "more shifts than axes", .in = { F32(3, 5), I32S(2, 1), I32S(1) }, .fails = "one length" },
    { 0 }
};
