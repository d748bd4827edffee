/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.c - cases of SCATTER_ND, SPARSE_TO_DENSE, SEGMENT_SUM, UNSORTED_SEGMENT_*, MATRIX_DIAG, MATRIX_SET_DIAG. */
#include "../opcheck.h"

#define GIVEN(type_, t_, ...) {TYPE_##type_, .fill = FILL_GIVEN, .data = (const t_[]){__VA_ARGS__}
#define ROWS2(...) GIVEN(INT32, int32_t, __VA_ARGS__), .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 8, 2} }
#define ROWS1(...) GIVEN(INT32, int32_t, __VA_ARGS__), .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4, 1} }
#define IDS(...) GIVEN(INT32, int32_t, __VA_ARGS__), .rank = 1, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4} }
#define OUT(type_) .out = { {TYPE_##type_} }

const struct op_case scatter_nd_cases[] = {
    { "elements", .in = { ROWS2(0, 1, 2, 2, 1, 0), F32(3), I32S(3, 4) }, OUT(FLOAT32) },
    { "rows", .in = { ROWS1(2, 0), F32(2, 5), I32S(4, 5) }, OUT(FLOAT32) },
    { "twice the same place", .in = { ROWS1(2, 0, 2, 2), F32(4), I32S(4) }, OUT(FLOAT32) },
    { "blocks", .in = { ROWS2(1, 0, 0, 2), F32(2, 3, 2), I32S(2, 3, 3, 2) }, OUT(FLOAT32) },
    { "shape known while running", .in = { ROWS1(2, 0), F32(2, 5), IDS(4, 5) }, OUT(FLOAT32) },
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
    { "vector of indices", .in = { IDS(1, 3, 4), I32S(6), F32(3), F32_SCALAR }, OUT(FLOAT32) },
    { "one value", .in = { ROWS2(0, 1, 2, 3), I32S(3, 4), F32_SCALAR, F32_SCALAR }, OUT(FLOAT32) },
    { "scalar index", .in = { {TYPE_INT32, .rank = 0, .lo = 3, .hi = 3}, I32S(6), F32_SCALAR, F32_SCALAR }, OUT(FLOAT32) },
    { "shape known while running", .in = { IDS(1, 3, 4), IDS(6), F32(3), F32_SCALAR }, OUT(FLOAT32) },
    { "int64 indices", .in = { {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (int64_t[]){1, 4}}, I32S(6), TENSOR(INT32, 2),
                               {TYPE_INT32, .rank = 0} }, OUT(INT32) },
    { "special values", .in = { IDS(0, 2, 3, 4, 6), I32S(7), F32_SPECIAL(5), F32_SCALAR }, OUT(FLOAT32) },
    { "ends of int64", .in = { IDS(1, 3), I32S(5), SPECIAL(INT64, 2), {TYPE_INT64, .rank = 0} }, OUT(INT64) },
    { "ends of int8", .in = { IDS(1, 3), I32S(5), SPECIAL(INT8, 2), {TYPE_INT8, .rank = 0} }, OUT(INT8) },
    { "int64", .in = { IDS(1, 3), I32S(6), TENSOR(INT64, 2), {TYPE_INT64, .rank = 0} }, OUT(INT64) },
    { "int8", .in = { IDS(1, 3), I32S(6), TENSOR(INT8, 2), {TYPE_INT8, .rank = 0} }, OUT(INT8) },
    { "uint8", .in = { IDS(1, 3), I32S(6), TENSOR(UINT8, 2), {TYPE_UINT8, .rank = 0} }, OUT(UINT8) },
    { "beyond", .in = { IDS(1, 6), I32S(6), F32(2), F32_SCALAR }, OUT(FLOAT32), .fails = "index 1 is 6" },
    { "values missing", .in = { IDS(1, 3, 4), I32S(6), F32(2), F32_SCALAR }, OUT(FLOAT32), .fails = "2 values for 3 indices" },
    { "depth differs", .in = { ROWS2(0, 1), I32S(6), F32(1), F32_SCALAR }, OUT(FLOAT32), .fails = "indices of 2 numbers" },
    { 0 }
};

const struct op_case segment_sum_cases[] = {
    { "rows", .in = { F32(5, 3), IDS(0, 0, 1, 2, 2) } },
    { "constant ids", .in = { F32(5, 3), I32S(0, 1, 1, 1, 2) } },
    { "vector", .in = { F32(4), IDS(0, 0, 0, 1) } },
    { "int32", .in = { TENSOR(INT32, 4, 2), IDS(0, 0, 0, 1) } },
    { "descending", .in = { F32(3), IDS(0, 1, 0) }, .fails = "id 2 is 0 after 1" },
    { "gap", .in = { F32(3), IDS(0, 2, 2) }, .fails = "id 1 is 2 after 0" },
    { "ids missing", .in = { F32(3), IDS(0, 0) }, .fails = "3 long in the data, 2 in the ids" },
    { 0 }
};

#define UNSORTED_CASES                                                                                                \
    { "rows", .in = { F32(5, 3), IDS(2, 0, 0, 3, 2), I32_SCALAR(5) } },                                               \
    { "ids of rank 2", .in = { F32(2, 3, 2), {TYPE_INT32, CASE_DIMS(2, 3), .lo = 0, .hi = 2}, I32_SCALAR(3) } },      \
    { "negative ids", .in = { F32(4, 2), IDS(1, -1, 0, 1), I32_SCALAR(2) } },                                         \
    { "number known while running", .in = { F32(4, 2), IDS(1, 2, 0, 1), {TYPE_INT32, .rank = 0, .lo = 4, .hi = 4} } },\
    { "int32", .in = { TENSOR(INT32, 4, 2), IDS(1, 0, 0, 3), I32_SCALAR(4) } },                                       \
    { "id too large", .in = { F32(3), IDS(0, 2, 1), I32_SCALAR(2) }, .fails = "id 1 is 2, there are 2 segments" },    \
    { "int64", .in = { TENSOR(INT64, 3), IDS(0, 1, 1), I32_SCALAR(2) }, .fails = "INT64" },                           \
    { 0 }

const struct op_case unsorted_segment_sum_cases[] = { UNSORTED_CASES };
const struct op_case unsorted_segment_prod_cases[] = { UNSORTED_CASES };
const struct op_case unsorted_segment_max_cases[] = { UNSORTED_CASES };
const struct op_case unsorted_segment_min_cases[] = { UNSORTED_CASES };

const struct op_case matrix_diag_cases[] = {
    { "vector", .in = { F32(4) } },
    { "batches", .in = { F32(2, 3, 2) } },
    { "int8", .in = { TENSOR(INT8, 2, 3) } },
    { "uint8", .in = { TENSOR(UINT8, 2, 3) } },
    { "int16", .in = { TENSOR(INT16, 2, 3) } },
    { "int32", .in = { TENSOR(INT32, 2, 3) } },
    { "int64", .in = { TENSOR(INT64, 2, 3) } },
    { "scalar", .in = { F32_SCALAR }, .fails = "rank 0" },
    { 0 }
};

const struct op_case matrix_set_diag_cases[] = {
    /* TFLite does not hold the shapes against each other. */
    { "square", .apart = "empty", .in = { F32(3, 3), F32(3) } },
    { "wide, batches", .in = { F32(2, 3, 5), F32(2, 3) } },
    { "tall, batches", .in = { F32(2, 2, 4, 3), F32(2, 2, 3) } },
    { "int8", .in = { TENSOR(INT8, 3, 4), TENSOR(INT8, 3) } },
    { "uint8", .in = { TENSOR(UINT8, 3, 4), TENSOR(UINT8, 3) } },
    { "int16", .in = { TENSOR(INT16, 3, 4), TENSOR(INT16, 3) } },
    { "int32", .in = { TENSOR(INT32, 3, 4), TENSOR(INT32, 3) } },
    { "int64", .in = { TENSOR(INT64, 3, 4), TENSOR(INT64, 3) } },
    { "empty", .in = { F32(2, 0, 3), F32(2, 0) } },
    { "wrong length", .in = { F32(3, 4), F32(4) }, .fails = "dimension 0 of the diagonal is 4, expected 3" },
    { 0 }
};
