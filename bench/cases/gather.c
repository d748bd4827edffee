/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - cases of GATHER, GATHER_ND. */
#include "bench/cases/inputs.h"

#define OPT(a, b) .opt = &(struct opt_gather){ a, b }
#define INDICES(type_, hi_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = 0, .hi = (hi_)}

const struct op_case gather_cases[] = {
    { "rows", .in = { F32(7, 5), INDICES(INT32, 6, 9) } },
    { "constant indices", .in = { F32(7, 5), I32S(6, 0, 3, 3) } },
    { "axis 1", OPT(1, 0), .in = { F32(3, 7, 2), INDICES(INT32, 6, 5) } },
    { "last axis", OPT(-1, 0), .in = { F32(3, 2, 7), INDICES(INT32, 6, 5) } },
    { "matrix of indices", OPT(1, 0), .in = { F32(3, 7, 2), INDICES(INT32, 6, 2, 3) } },
    { "scalar index", OPT(1, 0), .in = { F32(3, 7, 2), {TYPE_INT32, .rank = 0, .lo = 4, .hi = 4} } },
    { "batch dims", OPT(1, 1), .in = { F32(3, 7, 2), INDICES(INT32, 6, 3, 4) } },
    { "batch dims, axis behind", OPT(2, 1), .in = { F32(3, 2, 7), INDICES(INT32, 6, 3, 4) } },
    { "constant indices, rank 5", OPT(2, 0), .in = { F32(2, 3, 5, 2, 6), I32S(4, 0, 3, 3) } },
    { "constant matrix of indices, to rank 6", OPT(3, 0), .in = { F32(2, 3, 2, 5, 3), {TYPE_INT32, CASE_DIMS(2, 2), .fill = FILL_GIVEN,
      .constant = true, .data = (int32_t[]){4, 0, 3, 3}} } },
    { "computed indices, rank 5", OPT(1, 0), .in = { F32(2, 7, 2, 3, 5), INDICES(INT32, 6, 4) } },
    { "negative batch dims", OPT(2, -1), .in = { F32(2, 3, 7), INDICES(INT32, 6, 2, 4) } },
    { "as many batch dims as indices have", OPT(1, 1), .in = { F32(3, 7, 2), INDICES(INT32, 6, 3) } },
    { "no indices", .in = { F32(7, 5), INDICES(INT32, 6, 0) } },
    { "int64 indices", .in = { F32(7, 5), INDICES(INT64, 6, 4) } },
    { "int16 indices", .in = { F32(7, 5), INDICES(INT16, 6, 4) } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 7, 5), INDICES(INT32, 6, 4) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 7, 5), INDICES(INT32, 6, 4) } },
    { "int16", .in = { TENSOR(INT16, 7, 5), INDICES(INT32, 6, 4) } },
    { "int32", .in = { TENSOR(INT32, 7, 5), INDICES(INT32, 6, 4) } },
    { "int64", .in = { TENSOR(INT64, 7, 5), INDICES(INT32, 6, 4) } },
    { "strings", .in = { {TYPE_STRING, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const char *const[]){"a", "", "bcd", "ef"}},
                         INDICES(INT32, 3, 6) } },
    { "rows of strings, which TFLite does not gather", .in = { STRINGS(4, 3), INDICES(INT32, 3, 5) }, .no_golden = true },
    { "int4", .in = { QUANT(INT4, 0.5f, 0, 7, 6), INDICES(INT32, 6, 4) } },
    { "int4, odd rows (TFLite gathers whole bytes)", .in = { QUANT(INT4, 0.5f, 0, 7, 5), INDICES(INT32, 6, 4) }, .no_golden = true },
    { "bool", .in = { TENSOR(BOOL, 7, 5), INDICES(INT32, 6, 4) } },
    { "beyond the end", .in = { F32(7, 5), RUN_I32S(3, 7) }, .fails = "index 1 is 7, dimension 0 is 7 long" },
    { "negative index", .in = { F32(7, 5), RUN_I32S(-1) }, .fails = "index 0 is -1" },
    { "float indices", .in = { F32(7, 5), F32(2) }, .fails = "FLOAT32" },
    { "axis beyond", OPT(2, 0), .in = { F32(7, 5), INDICES(INT32, 6, 4) }, .fails = "axis 2" },
    { "batch dims behind the axis", OPT(0, 1), .in = { F32(7, 5), INDICES(INT32, 4, 7, 4) }, .fails = "batch_dims 1" },
    { "batches differ", OPT(1, 1), .in = { F32(7, 5), INDICES(INT32, 4, 3, 4) }, .fails = "batch dimension 0" },
    { 0 }
};

const struct op_case gather_nd_cases[] = {
    /* Indices of no coordinates take all of the input; TFLite reads coordinates that are not there. */
    { "elements", .skip_golden = ", 1.1 empty", .in = { F32(5, 7), INDICES(INT32, 4, 6, 2) } },
    { "rows", .in = { F32(5, 7), INDICES(INT32, 4, 6, 1) } },
    { "rows of rows", .in = { F32(5, 6, 3), INDICES(INT32, 4, 2, 3, 2) } },
    { "one index", .in = { F32(5, 6, 3), INDICES(INT32, 4, 2) } },
    { "constant indices", .in = { F32(5, 6, 3), {TYPE_INT32, CASE_DIMS(3, 2), .fill = FILL_GIVEN, .constant = true,
                                                 .data = (int32_t[]){4, 5, 0, 0, 3, 1}} } },
    { "constant input", .in = { CONST_F32(5, 6, 9), INDICES(INT32, 4, 3, 1) } },
    { "channels by fours", .in = { F32(2, 5, 6, 8), INDICES(INT32, 1, 2, 3, 1) } },
    { "four coordinates of rank 5", .in = { F32(2, 2, 2, 3, 6), INDICES(INT32, 1, 5, 4) } },
    { "elements of rank 6", .in = { F32(2, 3, 2, 2, 2, 5), INDICES(INT32, 1, 7, 6) } },
    { "int64 indices", .in = { F32(5, 6, 3), INDICES(INT64, 4, 3, 2) } },
    { "int16 indices", .in = { F32(5, 6, 3), INDICES(INT16, 4, 3, 2) } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "int16", .in = { TENSOR(INT16, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "int32", .in = { TENSOR(INT32, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "int64", .in = { TENSOR(INT64, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "strings", .in = { STRINGS(4, 3), INDICES(INT32, 2, 5, 2) } },
    { "bool", .in = { TENSOR(BOOL, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "beyond the end", .in = { F32(5, 7), RUN_I32S(4, 7) }, .fails = "is 7 in dimension 1" },
    { "negative index", .in = { F32(5, 7), RUN_I32S(-1, 2) }, .fails = "is -1 in dimension 0" },
    { "too deep", .in = { F32(5, 7), RUN_I32S(1, 2, 0) }, .fails = "indices of 3 numbers" },
    { 0 }
};
