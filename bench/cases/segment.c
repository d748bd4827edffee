/* SPDX-License-Identifier: Apache-2.0 */
/* segment.c - cases of SEGMENT_SUM, UNSORTED_SEGMENT_SUM, UNSORTED_SEGMENT_PROD, UNSORTED_SEGMENT_MAX, UNSORTED_SEGMENT_MIN. */
#include "bench/cases/inputs.h"

const struct op_case segment_sum_cases[] = {
    { "rows", .in = { F32(5, 3), RUN_I32S(0, 0, 1, 2, 2) } },
    { "constant ids", .in = { F32(5, 3), I32S(0, 1, 1, 1, 2) } },
    { "rank 6", .in = { F32(3, 2, 1, 2, 2, 3), I32S(0, 1, 1) } },
    { "vector", .in = { F32(4), RUN_I32S(0, 0, 0, 1) } },
    { "int32", .in = { TENSOR(INT32, 4, 2), RUN_I32S(0, 0, 0, 1) } },
    { "descending", .in = { F32(3), RUN_I32S(0, 1, 0) }, .fails = "id 2 is 0 after 1" },
    { "gap", .in = { F32(3), RUN_I32S(0, 2, 2) }, .fails = "id 1 is 2 after 0" },
    { "ids missing", .in = { F32(3), RUN_I32S(0, 0) }, .fails = "3 long in the data, 2 in the ids" },
    { 0 }
};

#define UNSORTED_CASES                                                                                                \
    { "rows", .in = { F32(5, 3), RUN_I32S(2, 0, 0, 3, 2), I32_SCALAR(5) } },                                               \
    { "ids of rank 2", .in = { F32(2, 3, 2), {TYPE_INT32, CASE_DIMS(2, 3), .lo = 0, .hi = 2}, I32_SCALAR(3) } },      \
    { "negative ids", .in = { F32(4, 2), RUN_I32S(1, -1, 0, 1), I32_SCALAR(2) } },                                         \
    { "number known while running", .in = { F32(4, 2), RUN_I32S(1, 2, 0, 1), {TYPE_INT32, .rank = 0, .lo = 4, .hi = 4} } },\
    { "int32", .in = { TENSOR(INT32, 4, 2), RUN_I32S(1, 0, 0, 3), I32_SCALAR(4) } },                                       \
    { "id too large", .in = { F32(3), RUN_I32S(0, 2, 1), I32_SCALAR(2) }, .fails = "id 1 is 2, there are 2 segments" },    \
    { "int64", .in = { TENSOR(INT64, 3), RUN_I32S(0, 1, 1), I32_SCALAR(2) }, .fails = "INT64" },                           \
    { 0 }

const struct op_case unsorted_segment_sum_cases[] = { UNSORTED_CASES };

const struct op_case unsorted_segment_prod_cases[] = { UNSORTED_CASES };

const struct op_case unsorted_segment_max_cases[] = { UNSORTED_CASES };

const struct op_case unsorted_segment_min_cases[] = { UNSORTED_CASES };
