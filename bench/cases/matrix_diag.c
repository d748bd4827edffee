/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_diag.c - cases of MATRIX_DIAG, MATRIX_SET_DIAG. */
#include "bench/opcheck/opcheck.h"

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
    { "square", .skip_golden = "empty", .in = { F32(3, 3), F32(3) } },
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
