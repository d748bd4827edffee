/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - cases of GATHER, GATHER_ND, TILE, BROADCAST_TO. */
#include "../opcheck.h"

#define STRINGS(d0, d1)                                                                                               \
    {TYPE_STRING, CASE_DIMS(d0, d1), .fill = FILL_GIVEN,                                                              \
     .data = (const char *const[]){"a", "", "bcd", "\xc3\xa9", "ghijk", "l", "mn", "o", "", "p", "qrs", "t"}}

#define OPT(a, b) .opt = &(struct opt_gather){ a, b }
#define INDICES(type_, hi_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = 0, .hi = (hi_)}
#define GIVEN(...)                                                                                                    \
    {TYPE_INT32, .rank = 1, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4}, .fill = FILL_GIVEN,                        \
     .data = (const int32_t[]){__VA_ARGS__}}

const struct op_case gather_cases[] = {
    { "rows", .in = { F32(7, 5), INDICES(INT32, 6, 9) } },
    { "constant indices", .in = { F32(7, 5), I32S(6, 0, 3, 3) } },
    { "axis 1", OPT(1, 0), .in = { F32(3, 7, 2), INDICES(INT32, 6, 5) } },
    { "last axis", OPT(-1, 0), .in = { F32(3, 2, 7), INDICES(INT32, 6, 5) } },
    { "matrix of indices", OPT(1, 0), .in = { F32(3, 7, 2), INDICES(INT32, 6, 2, 3) } },
    { "scalar index", OPT(1, 0), .in = { F32(3, 7, 2), {TYPE_INT32, .rank = 0, .lo = 4, .hi = 4} } },
    { "batch dims", OPT(1, 1), .in = { F32(3, 7, 2), INDICES(INT32, 6, 3, 4) } },
    { "batch dims, axis behind", OPT(2, 1), .in = { F32(3, 2, 7), INDICES(INT32, 6, 3, 4) } },
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
    { "beyond the end", .in = { F32(7, 5), GIVEN(3, 7) }, .fails = "index 1 is 7, dimension 0 is 7 long" },
    { "negative index", .in = { F32(7, 5), GIVEN(-1) }, .fails = "index 0 is -1" },
    { "float indices", .in = { F32(7, 5), F32(2) }, .fails = "FLOAT32" },
    { "axis beyond", OPT(2, 0), .in = { F32(7, 5), INDICES(INT32, 6, 4) }, .fails = "axis 2" },
    { "batch dims behind the axis", OPT(0, 1), .in = { F32(7, 5), INDICES(INT32, 4, 7, 4) }, .fails = "batch_dims 1" },
    { "batches differ", OPT(1, 1), .in = { F32(7, 5), INDICES(INT32, 4, 3, 4) }, .fails = "batch dimension 0" },
    { 0 }
};

const struct op_case gather_nd_cases[] = {
    { "elements", .in = { F32(5, 7), INDICES(INT32, 4, 6, 2) } },
    { "rows", .in = { F32(5, 7), INDICES(INT32, 4, 6, 1) } },
    { "rows of rows", .in = { F32(5, 6, 3), INDICES(INT32, 4, 2, 3, 2) } },
    { "one index", .in = { F32(5, 6, 3), INDICES(INT32, 4, 2) } },
    { "int64 indices", .in = { F32(5, 6, 3), INDICES(INT64, 4, 3, 2) } },
    { "int16 indices", .in = { F32(5, 6, 3), INDICES(INT16, 4, 3, 2) } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "int16", .in = { TENSOR(INT16, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "int32", .in = { TENSOR(INT32, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "int64", .in = { TENSOR(INT64, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "strings", .in = { STRINGS(4, 3), INDICES(INT32, 2, 5, 2) } },
    { "bool", .in = { TENSOR(BOOL, 5, 7), INDICES(INT32, 4, 3, 1) } },
    { "beyond the end", .in = { F32(5, 7), GIVEN(4, 7) }, .fails = "is 7 in dimension 1" },
    { "negative index", .in = { F32(5, 7), GIVEN(-1, 2) }, .fails = "is -1 in dimension 0" },
    { "too deep", .in = { F32(5, 7), GIVEN(1, 2, 0) }, .fails = "indices of 3 numbers" },
    { 0 }
};

const struct op_case tile_cases[] = {
    { "every dimension", .in = { F32(2, 3, 2, 3), I32S(2, 1, 3, 2) } },
    { "vector", .in = { F32(3), I32S(3) } },
    { "channels", .in = { F32(2, 3, 1), I32S(1, 1, 5) } },
    { "channels by fours", .in = { F32(3, 8), I32S(2, 3) } },
    { "once", .in = { F32(2, 3), I32S(1, 1) } },
    { "not at all", .in = { F32(2, 3), I32S(0, 1) } },
    { "int64 multiples", .in = { F32(2, 3), {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .constant = true,
                                             .data = (int64_t[]){2, 2}} } },
    { "multiples known while running", .in = { F32(2, 3), GIVEN(2, 2) } },
    { "rank 5", .in = { F32(2, 1, 3, 2, 1), I32S(1, 2, 1, 2, 3) } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 2, 3), I32S(2, 2) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 2, 3), I32S(2, 2) } },
    { "int32", .in = { TENSOR(INT32, 2, 3), I32S(2, 2) } },
    { "int64", .in = { TENSOR(INT64, 2, 3), I32S(2, 2) } },
    { "strings", .in = { STRINGS(2, 3), I32S(2, 2) } },
    { "bool", .in = { TENSOR(BOOL, 2, 3), I32S(2, 2) } },
    { "negative", .in = { F32(2, 3), I32S(2, -1) }, .fails = "multiple 1 is -1" },
    { "overflow", .in = { F32(2, 3), I32S(INT32_MAX, 1) }, .fails = "too long" },
    { "too few", .in = { F32(2, 3), I32S(2) }, .fails = "1 multiples for rank 2" },
    { 0 }
};

const struct op_case broadcast_to_cases[] = {
    { "rows", .version = 2, .in = { F32(1, 5), I32S(3, 5) } },
    { "more dimensions", .version = 2, .in = { F32(3, 1), I32S(2, 3, 5) } },
    { "scalar", .version = 2, .in = { F32_SCALAR, I32S(2, 3) } },
    { "int64 shape", .version = 2, .in = { F32(1, 5), {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .constant = true,
                                                       .data = (int64_t[]){3, 5}} } },
    { "shape known while running", .version = 2, .in = { F32(1, 5), GIVEN(3, 5) } },
    { "rank 6", .version = 2, .in = { F32(2, 1, 3, 1, 1, 2), I32S(2, 2, 3, 1, 3, 2) } },
    { "empty", .version = 2, .in = { F32(1, 5), I32S(0, 5) } },
    { "int8", .version = 2, .in = { TENSOR(INT8, 1, 5), I32S(3, 5) } },
    { "int16", .version = 2, .in = { TENSOR(INT16, 1, 5), I32S(3, 5) } },
    { "int64", .version = 2, .in = { TENSOR(INT64, 1, 5), I32S(3, 5) } },
    { "bool", .version = 2, .in = { TENSOR(BOOL, 1, 5), I32S(3, 5) } },
    { "mismatch", .version = 2, .in = { F32(2, 5), I32S(3, 5) }, .fails = "does not broadcast to 3" },
    { "lower rank", .version = 2, .in = { F32(2, 5), I32S(5) }, .fails = "rank 2 does not broadcast to rank 1" },
    { 0 }
};
