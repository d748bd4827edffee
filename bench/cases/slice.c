/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c - cases of SLICE and STRIDED_SLICE. */
#include "../opcheck.h"

#define STRINGS(d0, d1)                                                                                               \
    {TYPE_STRING, CASE_DIMS(d0, d1), .fill = FILL_GIVEN,                                                              \
     .data = (const char *const[]){"a", "", "bcd", "\xc3\xa9", "ghijk", "l", "mn", "o", "", "p", "qrs", "t"}}

#define RUN_I32(...)                                                                                                  \
    {TYPE_INT32, .rank = 1, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4}, .fill = FILL_GIVEN,                        \
     .data = (const int32_t[]){__VA_ARGS__}}
#define I64S(...)                                                                                                     \
    {TYPE_INT64, .rank = 1, .dim = {sizeof((int64_t[]){__VA_ARGS__}) / 8}, .fill = FILL_GIVEN, .constant = true,      \
     .data = (const int64_t[]){__VA_ARGS__}}

const struct op_case slice_cases[] = {
    { "4-D", .in = { F32(2, 5, 7, 3), I32S(0, 1, 2, 1), I32S(2, 3, 4, 2) } },
    { "channels by fours", .in = { F32(1, 2, 3, 15), I32S(0, 0, 1, 4), I32S(1, 2, 2, 10) } },
    { "rest of a dimension", .in = { F32(3, 5, 7), I32S(1, 0, 3), I32S(-1, 2, -1) } },
    { "whole", .in = { F32(3, 5), I32S(0, 0), I32S(3, 5) } },
    { "int64 indices", .in = { F32(3, 5), I64S(1, 2), I64S(2, -1) } },
    { "indices known while running", .in = { F32(3, 5), RUN_I32(1, 2), RUN_I32(2, -1) } },
    { "empty result", .in = { F32(3, 5), I32S(1, 5), I32S(2, 0) } },
    { "rank 5", .in = { F32(2, 3, 2, 3, 2), I32S(0, 1, 0, 1, 1), I32S(2, 2, 1, 2, 1) } },
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
    { "beyond the end, known while running", .in = { F32(3, 5), RUN_I32(1, 2), RUN_I32(3, 2) }, .fails = "leave dimension 0" },
    { "too few begins", .in = { F32(3, 5), I32S(1), I32S(2, 2) }, .fails = "1 begins and 2 sizes for rank 2" },
    { 0 }
};

#define OPT(...) &(struct opt_strided_slice){ __VA_ARGS__ }

const struct op_case strided_slice_cases[] = {
    { "plain", .in = { F32(2, 5, 7, 3), I32S(0, 1, 2, 0), I32S(2, 4, 6, 3), I32S(1, 1, 1, 1) } },
    { "strides", .in = { F32(2, 5, 7, 3), I32S(0, 1, 0, 0), I32S(2, 5, 7, 3), I32S(1, 2, 3, 2) } },
    { "backwards", .in = { F32(5, 7), I32S(-1, 5), I32S(-6, 0), I32S(-1, -2) } },
    { "negative begin and end", .in = { F32(5, 7), I32S(-4, -3), I32S(-1, -1), I32S(1, 1) } },
    { "begin and end beyond the edges", .in = { F32(5, 7), I32S(-9, 2), I32S(99, 99), I32S(2, 3) } },
    { "begin mask", .opt = OPT(.begin_mask = 1), .in = { F32(5, 7), I32S(3, 2), I32S(4, 5), I32S(1, 1) } },
    { "end mask", .opt = OPT(.end_mask = 2), .in = { F32(5, 7), I32S(3, 2), I32S(4, 5), I32S(1, 1) } },
    { "masks with a negative stride", .opt = OPT(.begin_mask = 3, .end_mask = 1),
      .in = { F32(5, 7), I32S(3, 2), I32S(4, 1), I32S(-1, -2) } },
    { "shrink axis", .opt = OPT(.shrink_axis_mask = 1), .in = { F32(5, 7), I32S(3, 2), I32S(4, 5), I32S(1, 1) } },
    { "shrink axis from the end", .opt = OPT(.shrink_axis_mask = 2), .in = { F32(5, 7), I32S(0, -1), I32S(5, 0), I32S(1, 1) } },
    { "shrink to a scalar", .opt = OPT(.shrink_axis_mask = 1), .in = { F32(5), I32S(2), I32S(3), I32S(1) } },
    { "new axis", .opt = OPT(.new_axis_mask = 2), .in = { F32(3, 5), I32S(1, 0, 2), I32S(3, 1, 4), I32S(1, 1, 1) } },
    { "new axes around", .opt = OPT(.new_axis_mask = 5), .in = { F32(3, 5), I32S(0, 1, 0), I32S(1, 3, 1), I32S(1, 1, 1) } },
    { "ellipsis", .opt = OPT(.ellipsis_mask = 1), .in = { F32(2, 3, 5), I32S(0, 2), I32S(0, 4), I32S(1, 1) } },
    { "ellipsis in the middle", .opt = OPT(.ellipsis_mask = 2),
      .in = { F32(2, 3, 5, 3), I32S(1, 0, 1), I32S(2, 0, 3), I32S(1, 1, 1) } },
    { "ellipsis for nothing", .opt = OPT(.ellipsis_mask = 2), .in = { F32(3, 5), I32S(1, 0, 1), I32S(3, 0, 3), I32S(1, 1, 1) } },
    { "ellipsis and new axis", .opt = OPT(.ellipsis_mask = 1, .new_axis_mask = 2),
      .in = { F32(2, 3, 5), I32S(0, 0, 1), I32S(0, 0, 3), I32S(1, 1, 1) } },
    { "ellipsis and shrink axis", .opt = OPT(.ellipsis_mask = 1, .shrink_axis_mask = 2),
      .in = { F32(2, 3, 5), I32S(0, 3), I32S(0, 4), I32S(1, 1) } },
    { "fewer indices than dimensions", .in = { F32(5, 3, 2), I32S(1), I32S(3), I32S(1) } },
    { "offset", .opt = OPT(.offset = true), .in = { F32(5, 7), I32S(1, 2), I32S(3, 4), I32S(1, 1) } },
    { "offset, strides", .opt = OPT(.offset = true), .in = { F32(5, 7), I32S(1, 2), I32S(3, 5), I32S(2, 3) } },
    { "offset, begin known while running", .opt = OPT(.offset = true),
      .in = { F32(5, 7), RUN_I32(1, 2), I32S(3, 4), I32S(1, 1) } },
    { "indices known while running", .in = { F32(5, 7), RUN_I32(1, 2), RUN_I32(3, 5), RUN_I32(1, 2) } },
    { "empty result", .in = { F32(5, 7), I32S(3, 2), I32S(1, 5), I32S(1, 1) } },
    { "empty input", .in = { F32(0, 7), I32S(0, 2), I32S(3, 5), I32S(1, 1) } },
    { "rank 5", .in = { F32(2, 3, 2, 3, 2), I32S(0, 0, 1, 2, 0), I32S(2, 3, 2, 0, 2), I32S(1, 2, 1, -1, 1) } },
    { "int8", .in = { QUANT(INT8, 0.1f, 4, 5, 7), I32S(1, 2), I32S(5, 7), I32S(2, 2) } },
    { "uint8", .in = { QUANT(UINT8, 0.1f, 4, 5, 7), I32S(1, 2), I32S(5, 7), I32S(2, 2) } },
    { "int16", .in = { TENSOR(INT16, 5, 7), I32S(1, 2), I32S(5, 7), I32S(2, 2) } },
    { "int32", .in = { TENSOR(INT32, 5, 7), I32S(1, 2), I32S(5, 7), I32S(2, 2) } },
    { "int64", .in = { TENSOR(INT64, 5, 7), I32S(1, 2), I32S(5, 7), I32S(2, 2) } },
    { "strings", .in = { STRINGS(3, 4), I32S(2, 0), I32S(0, 4), I32S(-1, 3) } },
    { "bool", .in = { TENSOR(BOOL, 5, 7), I32S(1, 2), I32S(5, 7), I32S(2, 2) } },
    { "extreme indices", .in = { F32(5, 7), I32S(INT32_MIN, INT32_MAX), I32S(INT32_MAX, INT32_MIN), I32S(INT32_MAX, -INT32_MAX) } },
    { "stride 0", .in = { F32(5), I32S(1), I32S(3), I32S(0) }, .fails = "stride 0 is 0" },
    { "too many indices", .in = { F32(5), I32S(1, 1), I32S(3, 3), I32S(1, 1) }, .fails = "2 indices for rank 1" },
    { "shrinks at an index beyond the end", .opt = OPT(.shrink_axis_mask = 1), .in = { F32(5), I32S(7), I32S(8), I32S(1) },
      .fails = "leave dimension 0" },
    { "offset beyond the end", .opt = OPT(.offset = true), .in = { F32(5), I32S(3), I32S(4), I32S(1) }, .fails = "leave dimension 0" },
    { "two ellipses", .opt = OPT(.ellipsis_mask = 3), .in = { F32(5, 2), I32S(1, 1), I32S(3, 3), I32S(1, 1) },
      .fails = "more than one bit" },
    { "lengths differ", .in = { F32(5), I32S(1), I32S(3, 3), I32S(1) }, .fails = "one length" },
    { 0 }
};
