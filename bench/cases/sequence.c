/* SPDX-License-Identifier: Apache-2.0 */
/* sequence.c - cases of REVERSE_V2, REVERSE_SEQUENCE, CUMSUM, TOPK_V2, UNIQUE. */
#include <math.h>

#include "../opcheck.h"

const struct op_case reverse_cases[] = {
    { "last axis", .in = { F32(2, 3, 5), I32S(2) } },
    { "first axis", .in = { F32(2, 3, 5), I32S(0) } },
    { "negative", .in = { F32(2, 3, 5), I32S(-2) } },
    { "two axes", .in = { F32(2, 3, 5), I32S(1, 2) } },
    { "empty", .in = { F32(2, 0, 5), I32S(1) } },
    { "axis known while running", .in = { F32(2, 3), {TYPE_INT32, CASE_DIMS(1), .lo = 1, .hi = 1} } },
    { "int16", .in = { TENSOR(INT16, 2, 3), I32S(1) } },
    { "int32", .in = { TENSOR(INT32, 2, 3), I32S(1) } },
    { "int64", .in = { TENSOR(INT64, 2, 3), I32S(1) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 2, 3), I32S(1) } },
    { "bool", .in = { TENSOR(BOOL, 2, 3), I32S(1) } },
    { "twice", .in = { F32(2, 3), I32S(1, -1) }, .fails = "named twice" },
    { "beyond", .in = { F32(2, 3), I32S(2) }, .fails = "axis 2" },
    { 0 }
};

#define DIMS(s, b) .opt = &(struct opt_reverse_sequence){ s, b }
#define LENGTHS(hi_, n) {TYPE_INT32, CASE_DIMS(n), .lo = 1, .hi = (hi_)}

const struct op_case reverse_sequence_cases[] = {
    { "rows", DIMS(1, 0), .in = { F32(4, 5, 3), LENGTHS(5, 4) } },
    { "columns", DIMS(0, 1), .in = { F32(5, 4, 3), LENGTHS(5, 4) } },
    { "apart", DIMS(3, 1), .in = { F32(2, 3, 2, 5), LENGTHS(5, 3) } },
    { "apart, batch behind", DIMS(1, 3), .in = { F32(2, 5, 2, 3), LENGTHS(5, 3) } },
    { "int64 lengths", DIMS(1, 0), .in = { F32(4, 5), {TYPE_INT64, CASE_DIMS(4), .lo = 1, .hi = 5} } },
    { "uint8", DIMS(1, 0), .in = { QUANT(UINT8, 0.5f, 3, 4, 5), LENGTHS(5, 4) } },
    { "int16", DIMS(1, 0), .in = { TENSOR(INT16, 4, 5), LENGTHS(5, 4) } },
    { "int32", DIMS(1, 0), .in = { TENSOR(INT32, 4, 5), LENGTHS(5, 4) } },
    { "int64", DIMS(1, 0), .in = { TENSOR(INT64, 4, 5), LENGTHS(5, 4) } },
    { "too long", DIMS(1, 0), .in = { F32(4, 5), {TYPE_INT32, CASE_DIMS(4), .lo = 6, .hi = 6} }, .fails = "length 0 is 6" },
    { "same dimension", DIMS(1, 1), .in = { F32(4, 5), LENGTHS(5, 5) }, .fails = "seq_dim 1 and batch_dim 1" },
    { "lengths missing", DIMS(1, 0), .in = { F32(4, 5), LENGTHS(5, 3) }, .fails = "a vector of 4" },
    { 0 }
};

#define SUMS(e, r) .opt = &(struct opt_cumsum){ e, r }

const struct op_case cumsum_cases[] = {
    { "rows", SUMS(false, false), .in = { F32(2, 3, 5), I32_SCALAR(2) } },
    { "columns", SUMS(false, false), .in = { F32(2, 3, 5), I32_SCALAR(1) } },
    { "exclusive", SUMS(true, false), .in = { F32(2, 3, 5), I32_SCALAR(-1) } },
    { "reverse", SUMS(false, true), .in = { F32(2, 3, 5), I32_SCALAR(0) } },
    { "exclusive and reverse", SUMS(true, true), .in = { F32(2, 3, 5), I32_SCALAR(1) } },
    { "empty", SUMS(false, true), .in = { F32(2, 0), I32_SCALAR(1) } },
    { "int32", SUMS(false, false), .in = { TENSOR(INT32, 3, 5), I32_SCALAR(1) } },
    { "int32 wraps", SUMS(false, false), .in = { {TYPE_INT32, CASE_DIMS(3, 9), .fill = FILL_SPECIAL}, I32_SCALAR(1) } },
    { "int64", SUMS(true, false), .in = { TENSOR(INT64, 3, 5), I32_SCALAR(1) } },
    { "axis beyond", .in = { F32(3, 5), I32_SCALAR(2) }, .fails = "axis 2" },
    { "int8", .in = { TENSOR(INT8, 3), I32_SCALAR(0) }, .fails = "INT8" },
    { 0 }
};

/* TFLite sorts with an order that NaN makes contradict itself. */
#define NAN_APART .apart = "special values"
#define TOP(type_) .out = { {TYPE_##type_}, {TYPE_INT32} }

const struct op_case topk_cases[] = {
    { "rows", NAN_APART, .in = { F32(3, 4, 9), I32_SCALAR(4) }, TOP(FLOAT32) },
    { "infinities and zeros of both signs", TOP(FLOAT32),
      .in = { {TYPE_FLOAT32, CASE_DIMS(2, 7), .fill = FILL_GIVEN,
               .data = (const float[]){-INFINITY, 1, INFINITY, 3e38f, INFINITY, -INFINITY, 1, 0, -0.0f, 1e-42f, 0, -1e-42f, -0.0f, -1}},
              I32_SCALAR(7) } },
    { "vector", .in = { F32(9), I32_SCALAR(1) }, TOP(FLOAT32) },
    { "all of them", .in = { F32(2, 17), I32_SCALAR(17) }, TOP(FLOAT32) },
    { "none of them", .in = { F32(2, 5), I32_SCALAR(0) }, TOP(FLOAT32) },
    { "equals", .in = { {TYPE_INT32, CASE_DIMS(3, 20), .lo = 0, .hi = 3}, I32_SCALAR(11) }, TOP(INT32) },
    { "int32 extremes", .in = { SPECIAL(INT32, 2, 9), I32_SCALAR(9) }, TOP(INT32) },
    { "k known while running", .in = { F32(2, 9), {TYPE_INT32, .rank = 0, .lo = 3, .hi = 3} }, TOP(FLOAT32) },
    { "int64", .in = { TENSOR(INT64, 2, 9), I32_SCALAR(3) }, TOP(INT64) },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 2, 9), I32_SCALAR(3) }, .out = { {TYPE_INT8, .scale = 0.5f, .zero_point = 3}, {TYPE_INT32} } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 2, 9), I32_SCALAR(3) }, .out = { {TYPE_UINT8, .scale = 0.5f, .zero_point = 3}, {TYPE_INT32} } },
    { "int16", .in = { QUANT(INT16, 0.5f, 0, 2, 9), I32_SCALAR(3) }, .out = { {TYPE_INT16, .scale = 0.5f}, {TYPE_INT32} } },
    { "int16 places", NAN_APART, .in = { F32(2, 9), {TYPE_INT16, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (int16_t[]){3}} },
      .out = { {TYPE_FLOAT32}, {TYPE_INT16} } },
    { "too many", .in = { F32(2, 5), I32_SCALAR(6) }, TOP(FLOAT32), .fails = "k is 6, rows are 5 long" },
    { "negative", .in = { F32(2, 5), I32_SCALAR(-1) }, TOP(FLOAT32), .fails = "k is -1" },
    { 0 }
};

#define NUMBERED(type_) .opt = &(struct opt_unique){ TYPE_INT32 }, .out = { {TYPE_##type_}, {TYPE_INT32} }

const struct op_case unique_cases[] = {
    { "int32", NUMBERED(INT32), .in = { TENSOR(INT32, 33) } },
    { "int32, int64 numbers", .opt = &(struct opt_unique){ TYPE_INT64 }, .in = { TENSOR(INT32, 17) },
      .out = { {TYPE_INT32}, {TYPE_INT64} } },
    { "int64", NUMBERED(INT64), .in = { TENSOR(INT64, 17) } },
    { "ends of int8", NUMBERED(INT8), .in = { SPECIAL(INT8, 12) } },
    { "ends of int16", NUMBERED(INT16), .in = { SPECIAL(INT16, 12) } },
    { "ends of uint8", NUMBERED(UINT8), .in = { SPECIAL(UINT8, 12) } },
    { "int8", NUMBERED(INT8), .in = { {TYPE_INT8, CASE_DIMS(17), .lo = -3, .hi = 3} } },
    { "uint8", NUMBERED(UINT8), .in = { {TYPE_UINT8, CASE_DIMS(17), .lo = 0, .hi = 7} } },
    { "int16", NUMBERED(INT16), .in = { {TYPE_INT16, CASE_DIMS(17), .lo = -3, .hi = 3} } },
    { "float32", NUMBERED(FLOAT32), .in = { {TYPE_FLOAT32, CASE_DIMS(7), .fill = FILL_GIVEN,
                                            .data = (const float[]){1, 0, 1, -0.0f, 2.5f, 0, 1}} } },
    { "NaN, whose place in TFLite is left to chance", NUMBERED(FLOAT32), .no_golden = true, .in = { F32_SPECIAL(24) } },
    { "one", NUMBERED(INT32), .in = { TENSOR(INT32, 1) } },
    { "none", NUMBERED(INT32), .in = { TENSOR(INT32, 0) }, .no_golden = true },
    { "matrix", NUMBERED(INT32), .in = { TENSOR(INT32, 2, 2) }, .fails = "rank 2" },
    { 0 }
};
