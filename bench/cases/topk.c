/* SPDX-License-Identifier: Apache-2.0 */
/* topk.c - cases of TOPK_V2. */
#include <math.h>

#include "bench/opcheck/opcheck.h"

/* TFLite sorts with an order that NaN makes contradict itself. */
#define NAN_NOT_GOLDEN .skip_golden = "special values"
#define TOP(type_) .out = { {TYPE_##type_}, {TYPE_INT32} }

const struct op_case topk_cases[] = {
    { "rows", NAN_NOT_GOLDEN, .in = { F32(3, 4, 9), I32_SCALAR(4) }, TOP(FLOAT32) },
    { "infinities and zeros of both signs", TOP(FLOAT32),
      .in = { {TYPE_FLOAT32, CASE_DIMS(2, 7), .fill = FILL_GIVEN,
               .data = (const float[]){-INFINITY, 1, INFINITY, 3e38f, INFINITY, -INFINITY, 1, 0, -0.0f, 1e-42f, 0, -1e-42f, -0.0f, -1}},
              I32_SCALAR(7) } },
    { "vector", .in = { F32(9), I32_SCALAR(1) }, TOP(FLOAT32) },
    { "all of them", .in = { F32(2, 17), I32_SCALAR(17) }, TOP(FLOAT32) },
    { "rank 6", NAN_NOT_GOLDEN, .in = { F32(2, 1, 3, 2, 2, 9), I32_SCALAR(3) }, TOP(FLOAT32) },
    { "longer than two blocks of the GPU, the last with less than it keeps", NAN_NOT_GOLDEN, .in = { F32_IN(-3, -2, 2, 515), I32_SCALAR(7) }, TOP(FLOAT32) },
    { "more than 65,535", NAN_NOT_GOLDEN, .in = { TENSOR(INT32, 70001), I32_SCALAR(3) }, TOP(INT32) },
    { "none of them", .in = { F32(2, 5), I32_SCALAR(0) }, TOP(FLOAT32) },
    { "equals", .in = { {TYPE_INT32, CASE_DIMS(3, 20), .lo = 0, .hi = 3}, I32_SCALAR(11) }, TOP(INT32) },
    { "int32 extremes", .in = { SPECIAL(INT32, 2, 9), I32_SCALAR(9) }, TOP(INT32) },
    { "k known while running", .in = { F32(2, 9), {TYPE_INT32, .rank = 0, .lo = 3, .hi = 3} }, TOP(FLOAT32) },
    { "int64", .in = { TENSOR(INT64, 2, 9), I32_SCALAR(3) }, TOP(INT64) },
    { "int64, both words", .in = { SPECIAL(INT64, 3, 2, 1, 2, 13), I32_SCALAR(13) }, TOP(INT64) },
    { "int64, longer than two blocks of the GPU", .in = { SPECIAL(INT64, 2, 515), I32_SCALAR(7) }, TOP(INT64) },
    { "int64, more than 65,535", .in = { {TYPE_INT64, CASE_DIMS(65539), .lo = -4e18, .hi = 4e18}, I32_SCALAR(3) }, TOP(INT64) },
    { "int64, one", .in = { SPECIAL(INT64, 1), I32_SCALAR(1) }, TOP(INT64) },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 2, 9), I32_SCALAR(3) }, .out = { {TYPE_INT8, .scale = 0.5f, .zero_point = 3}, {TYPE_INT32} } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 2, 9), I32_SCALAR(3) }, .out = { {TYPE_UINT8, .scale = 0.5f, .zero_point = 3}, {TYPE_INT32} } },
    { "int16", .in = { QUANT(INT16, 0.5f, 0, 2, 9), I32_SCALAR(3) }, .out = { {TYPE_INT16, .scale = 0.5f}, {TYPE_INT32} } },
    { "int16 places", NAN_NOT_GOLDEN, .in = { F32(2, 9), {TYPE_INT16, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (int16_t[]){3}} },
      .out = { {TYPE_FLOAT32}, {TYPE_INT16} } },
    { "too many", .in = { F32(2, 5), I32_SCALAR(6) }, TOP(FLOAT32), .fails = "k is 6, rows are 5 long" },
    { "negative", .in = { F32(2, 5), I32_SCALAR(-1) }, TOP(FLOAT32), .fails = "k is -1" },
    { 0 }
};
