/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.c - cases of SCATTER_ND, SPARSE_TO_DENSE. */
#include "bench/cases/inputs.h"

#define GIVEN(type_, t_, ...) {TYPE_##type_, .fill = FILL_GIVEN, .data = (const t_[]){__VA_ARGS__}
#define ROWS2(...) GIVEN(INT32, int32_t, __VA_ARGS__), .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 8, 2} }
#define ROWS1(...) GIVEN(INT32, int32_t, __VA_ARGS__), .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4, 1} }
#define OUT(type_) .out = { {TYPE_##type_} }

const struct op_case scatter_nd_cases[] = {
    { "elements", .in = { ROWS2(0, 1, 2, 2, 1, 0), F32(3), I32S(3, 4) }, OUT(FLOAT32) },
    { "rows", .in = { ROWS1(2, 0), F32(2, 5), I32S(4, 5) }, OUT(FLOAT32) },
    { "twice the same place", .in = { ROWS1(2, 0, 2, 2), F32(4), I32S(4) }, OUT(FLOAT32) },
    { "blocks", .in = { ROWS2(1, 0, 0, 2), F32(2, 3, 2), I32S(2, 3, 3, 2) }, OUT(FLOAT32) },
    { "rank 6", .in = { ROWS2(1, 0, 0, 2, 1, 0), F32(3, 1, 2, 3, 2), I32S(2, 3, 1, 2, 3, 2) }, OUT(FLOAT32) },
    { "more than 65,535, which go to few places",
      .in = { {TYPE_INT32, CASE_DIMS(70001, 1), .lo = 0, .hi = 5}, {TYPE_INT32, CASE_DIMS(70001)}, I32S(6) }, OUT(INT32) },
    { "more than 65,535, to many places, some of them several times (too large for text)", .no_golden = true,
      .in = { {TYPE_INT32, CASE_DIMS(65539, 2), .lo = 0, .hi = 199}, {TYPE_FLOAT32, CASE_DIMS(65539)}, I32S(200, 201) }, OUT(FLOAT32) },
    { "rows in the order in which they come, sorted on the GPU (too large for text)", .no_golden = true,
      .in = { {TYPE_INT32, CASE_DIMS(1025, 1), .lo = 0, .hi = 999}, F32(1025, 5), I32S(1000, 5) }, OUT(FLOAT32) },
    { "int64, sorted on the GPU (too large for text)", .no_golden = true,
      .in = { {TYPE_INT32, CASE_DIMS(1025, 1), .lo = 0, .hi = 1030}, SPECIAL(INT64, 1025, 2), I32S(1031, 2) }, OUT(INT64) },
    { "int64 indices", .in = { {TYPE_INT64, CASE_DIMS(3, 1), .lo = 0, .hi = 4}, F32(3, 5), I32S(5, 5) }, .no_golden = true, OUT(FLOAT32) },
    { "int64 indices, int64", .in = { {TYPE_INT64, CASE_DIMS(3, 1), .lo = 0, .hi = 4}, SPECIAL(INT64, 3, 5), I32S(5, 5) }, .no_golden = true, OUT(INT64) },
    { "shape known while running", .in = { ROWS1(2, 0), F32(2, 5), RUN_I32S(4, 5) }, OUT(FLOAT32) },
    { "int32", .in = { ROWS1(2, 0, 2), TENSOR(INT32, 3), I32S(4) }, OUT(INT32) },
    { "int64", .in = { ROWS1(2, 0, 2), TENSOR(INT64, 3), I32S(4) }, OUT(INT64) },
    { "int8", .in = { ROWS1(2, 0, 2), TENSOR(INT8, 3), I32S(4) }, OUT(INT8) },
    { "uint8", .in = { ROWS1(2, 0, 2), TENSOR(UINT8, 3), I32S(4) }, OUT(UINT8) },
    { "bool", .in = { ROWS1(2, 0, 2), TENSOR(BOOL, 3), I32S(4) }, OUT(BOOL) },
    { "int32, sums that wrap", .in = { ROWS1(2, 0, 2, 2), SPECIAL(INT32, 4), I32S(3) }, OUT(INT32) },
    { "int64, sums that wrap", .in = { ROWS1(2, 0, 2, 2), SPECIAL(INT64, 4), I32S(3) }, OUT(INT64) },
    { "int8, sums that wrap", .in = { ROWS1(2, 0, 2, 2), SPECIAL(INT8, 4), I32S(3) }, OUT(INT8) },
    { "uint8, sums that wrap", .in = { ROWS1(2, 0, 2, 2), SPECIAL(UINT8, 4), I32S(3) }, OUT(UINT8) },
    { "beyond", .in = { ROWS1(2, 4), F32(2), I32S(4) }, OUT(FLOAT32), .fails = "index 1 is 4" },
    { "negative", .in = { ROWS1(2, -1), F32(2), I32S(4) }, OUT(FLOAT32), .fails = "index 1 is -1" },
    { "updates do not fit", .in = { ROWS1(2, 1), F32(2, 3), I32S(4, 5) }, OUT(FLOAT32), .fails = "dimension 1 of the updates" },
    { "too deep", .in = { ROWS2(2, 1), F32(1), I32S(4) }, OUT(FLOAT32), .fails = "indices of 2 numbers" },
    { 0 }
};

const struct op_case sparse_to_dense_cases[] = {
    { "matrix of indices", .in = { ROWS2(0, 1, 2, 3, 1, 1), I32S(3, 4), F32(3), F32_SCALAR }, OUT(FLOAT32) },
    { "vector of indices", .in = { RUN_I32S(1, 3, 4), I32S(6), F32(3), F32_SCALAR }, OUT(FLOAT32) },
    { "many, the last of several stays (too large for text)", .no_golden = true,
      .in = { {TYPE_INT32, CASE_DIMS(3001), .lo = 0, .hi = 1999}, I32S(2000), F32(3001), F32_SCALAR }, OUT(FLOAT32) },
    { "one value", .in = { ROWS2(0, 1, 2, 3), I32S(3, 4), F32_SCALAR, F32_SCALAR }, OUT(FLOAT32) },
    { "scalar index", .in = { {TYPE_INT32, .rank = 0, .lo = 3, .hi = 3}, I32S(6), F32_SCALAR, F32_SCALAR }, OUT(FLOAT32) },
    { "shape known while running", .in = { RUN_I32S(1, 3, 4), RUN_I32S(6), F32(3), F32_SCALAR }, OUT(FLOAT32) },
    { "int64 indices", .in = { {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (int64_t[]){1, 4}}, I32S(6), TENSOR(INT32, 2),
                               {TYPE_INT32, .rank = 0} }, OUT(INT32) },
    { "special values", .in = { RUN_I32S(0, 2, 3, 4, 6), I32S(7), F32_SPECIAL(5), F32_SCALAR }, OUT(FLOAT32) },
    { "ends of int64", .in = { RUN_I32S(1, 3), I32S(5), SPECIAL(INT64, 2), {TYPE_INT64, .rank = 0} }, OUT(INT64) },
    { "ends of int8", .in = { RUN_I32S(1, 3), I32S(5), SPECIAL(INT8, 2), {TYPE_INT8, .rank = 0} }, OUT(INT8) },
    { "int64", .in = { RUN_I32S(1, 3), I32S(6), TENSOR(INT64, 2), {TYPE_INT64, .rank = 0} }, OUT(INT64) },
    { "int8", .in = { RUN_I32S(1, 3), I32S(6), TENSOR(INT8, 2), {TYPE_INT8, .rank = 0} }, OUT(INT8) },
    { "uint8", .in = { RUN_I32S(1, 3), I32S(6), TENSOR(UINT8, 2), {TYPE_UINT8, .rank = 0} }, OUT(UINT8) },
    { "beyond", .in = { RUN_I32S(1, 6), I32S(6), F32(2), F32_SCALAR }, OUT(FLOAT32), .fails = "index 1 is 6" },
    { "values missing", .in = { RUN_I32S(1, 3, 4), I32S(6), F32(2), F32_SCALAR }, OUT(FLOAT32), .fails = "2 values for 3 indices" },
    { "depth differs", .in = { ROWS2(0, 1), I32S(6), F32(1), F32_SCALAR }, OUT(FLOAT32), .fails = "indices of 2 numbers" },
    { 0 }
};
