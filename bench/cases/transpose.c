/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - cases of TRANSPOSE. */
#include "../opcheck.h"

const struct op_case transpose_cases[] = {
    { "NHWC to NCHW", .in = { F32(2, 3, 5, 3), I32S(0, 3, 1, 2) } },
    { "NHWC to NCHW, more channels", .in = { F32(2, 3, 3, 6), I32S(0, 3, 1, 2) } },
    { "NCHW to NHWC", .in = { F32(2, 5, 3, 5), I32S(0, 2, 3, 1) } },
    { "2-D", .in = { F32(7, 9), I32S(1, 0) } },
    { "3-D", .in = { F32(3, 4, 5), I32S(2, 0, 1) } },
    { "in place", .in = { F32(3, 4, 5), I32S(0, 1, 2) } },
    { "negative", .in = { F32(3, 4, 5), I32S(-1, 1, 0) } },
    { "rank 5", .in = { F32(2, 3, 2, 3, 2), I32S(4, 1, 3, 0, 2) } },
    { "rank 6", .in = { F32(2, 3, 2, 3, 2, 2), I32S(5, 4, 1, 3, 0, 2) } },
    { "vector", .in = { F32(5), I32S(0) } },
    { "empty", .in = { F32(3, 0, 5), I32S(2, 0, 1) } },
    { "permutation known while running", .in = { F32(3, 5), {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN,
                                                             .data = (int32_t[]){1, 0}} } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 3, 4, 5), I32S(2, 0, 1) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 3, 4, 5), I32S(2, 0, 1) } },
    { "int16", .in = { TENSOR(INT16, 3, 4, 5), I32S(2, 0, 1) } },
    { "int32", .in = { TENSOR(INT32, 3, 4, 5), I32S(2, 0, 1) } },
    { "int64", .in = { TENSOR(INT64, 3, 4, 5), I32S(2, 0, 1) } },
    { "int4", .in = { TENSOR(INT4, 3, 5), I32S(1, 0) } },
    { "bool", .in = { TENSOR(BOOL, 3, 4, 5), I32S(2, 0, 1) } },
    { "strips and a rest", .in = { F32(7, 37), I32S(1, 0) } },
    { "strips and a rest of four", .in = { F32(2, 7, 36), I32S(0, 2, 1) } },
    { "strips of int8", .in = { QUANT(INT8, 0.5f, 3, 7, 37), I32S(1, 0) } },
    { "strips of int16", .in = { TENSOR(INT16, 5, 3, 19), I32S(2, 0, 1) } },
    { "strips of int64", .in = { TENSOR(INT64, 3, 33), I32S(1, 0) } },
    { "large (threads against one)", .no_golden = true, .in = { F32(301, 514), I32S(1, 0) } },
    { "twice the same", .in = { F32(3, 4), I32S(1, 1) }, .fails = "has 1 twice" },
    { "too short", .in = { F32(3, 4), I32S(0) }, .fails = "a permutation of 1 for rank 2" },
    { "beyond", .in = { F32(3, 4), I32S(0, 2) }, .fails = "axis 2" },
    { 0 }
};
