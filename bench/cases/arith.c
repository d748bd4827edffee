/* SPDX-License-Identifier: Apache-2.0 */
/* arith.c - cases of ADD, SUB, MUL, DIV. */
#include "bench/cases/elementwise.h"

#define AWAY_FROM_0(...) F32_IN(0.5, 2, __VA_ARGS__)

#define ACTIVATION_CASES(opt_t)                                                                                                \
    { "relu", .opt = &(struct opt_t){ .activation = ACT_RELU }, .in = { F32_IN(-9, 9, 2, 3, 5), F32_IN(-3, 3, 5) } },          \
    { "relu6", .opt = &(struct opt_t){ .activation = ACT_RELU6 }, .in = { F32_IN(-9, 9, 2, 3, 5), F32_IN(-3, 3, 2, 3, 5) } },  \
    { "relu n1 to 1", .opt = &(struct opt_t){ .activation = ACT_RELU_N1_TO_1 },                                                \
      .in = { F32_IN(-9, 9, 2, 3, 5), F32_IN(-3, 3, 2, 1, 5) } },                                                              \
    { "tanh is not fused", .opt = &(struct opt_t){ .activation = ACT_TANH }, .in = { F32(2), F32(2) },                         \
      .fails = "not a clamp" },                                                                                                \
    { "constant on the right", .in = { F32(2, 3, 5), CONST_F32(5) } },                                                         \
    { "specials", .in = { F32_SPECIAL(64), F32_SPECIAL(64) } },                                                                \
    { "specials, relu6", .opt = &(struct opt_t){ .activation = ACT_RELU6 }, .in = { F32_SPECIAL(64), F32(64) } },              \
    { "types differ", .in = { F32(2, 3), TENSOR(INT32, 2, 3) }, .fails = "types" }

#define INT_CASES(opt_t)                                                                                                       \
    { "int32", .in = { TENSOR(INT32, 2, 3, 5), TENSOR(INT32, 2, 3, 5) } },                                                     \
    { "int32 broadcast, relu6", .opt = &(struct opt_t){ .activation = ACT_RELU6 },                                             \
      .in = { TENSOR(INT32, 2, 3, 5), {TYPE_INT32, CASE_DIMS(3, 1), .lo = -5, .hi = 5} } },                                    \
    { "int64", .in = { TENSOR(INT64, 2, 3, 5), TENSOR(INT64, 5) } }

/* Scales of different size on all sides, zero points at odd places, and a clamp. */
#define QUANT_CASES(opt_t, type_, zero_)                                                                                       \
    { #type_, .in = { QUANT(type_, 0.02f, zero_, 2, 3, 7), QUANT(type_, 0.05f, (zero_) / 2, 2, 3, 7) },                        \
      .out = QUANTS(type_, 0.04f, zero_) },                                                                                    \
    { #type_ " broadcast, relu6", .opt = &(struct opt_t){ .activation = ACT_RELU6 },                                           \
      .in = { QUANT(type_, 0.11f, zero_, 2, 3, 7), QUANT(type_, 0.05f, (zero_) / 2, 7) },                                      \
      .out = QUANTS(type_, 0.03f, zero_) },                                                                                    \
    { #type_ " per pixel, relu", .opt = &(struct opt_t){ .activation = ACT_RELU },                                             \
      .in = { QUANT(type_, 0.11f, zero_, 2, 3, 1), QUANT(type_, 0.05f, (zero_) / 2, 2, 3, 7) },                                \
      .out = QUANTS(type_, 0.08f, zero_) },                                                                                    \
    { #type_ " in vectors", .in = { QUANT(type_, 0.02f, zero_, 3, 67), QUANT(type_, 0.007f, (zero_) / 2, 3, 67) },             \
      .out = QUANTS(type_, 0.019f, zero_) }

#define SUM_CASES(opt_t)                                                                                                       \
    QUANT_CASES(opt_t, INT8, -9),                                                                                              \
    QUANT_CASES(opt_t, UINT8, 119),                                                                                            \
    { "INT16", .in = { QUANT(INT16, 0.0002f, 0, 2, 3, 7), QUANT(INT16, 0.0005f, 0, 2, 3, 7) },                                 \
      .out = QUANTS(INT16, 0.0004f, 0) },                                                                                      \
    { "INT16 broadcast", .in = { QUANT(INT16, 0.0002f, 0, 2, 3, 7), QUANT(INT16, 0.0005f, 0, 7) },                             \
      .out = QUANTS(INT16, 0.0009f, 0) },                                                                                      \
    { "INT16 by shifts", .opt = &(struct opt_t){ .pot_scale_int16 = true },                                                    \
      .in = { QUANT(INT16, 0.00390625f, 0, 2, 3, 7), QUANT(INT16, 0.000244140625f, 0, 2, 3, 7) },                              \
      .out = QUANTS(INT16, 0.00390625f, 0) },                                                                                  \
    { "INT16 by shifts, finer on the left", .opt = &(struct opt_t){ .pot_scale_int16 = true },                                 \
      .in = { QUANT(INT16, 0.001953125f, 0, 2, 3, 7), QUANT(INT16, 0.00390625f, 0, 2, 3, 7) },                                 \
      .out = QUANTS(INT16, 0.00390625f, 0) },                                                                                  \
    { "INT8 without a scale", .in = { TENSOR(INT8, 3), TENSOR(INT8, 3) }, .no_golden = true, .fails = "scale" }

#define A8(...) QUANT(INT8, 0.02f, -9, __VA_ARGS__)
#define B8(...) QUANT(INT8, 0.05f, -4, __VA_ARGS__)
#define AU8(...) QUANT(UINT8, 0.02f, 119, __VA_ARGS__)
#define BU8(...) QUANT(UINT8, 0.05f, 59, __VA_ARGS__)
#define A16(...) QUANT(INT16, 0.0002f, 0, __VA_ARGS__)
#define B16(...) QUANT(INT16, 0.0005f, 0, __VA_ARGS__)
#define LARGE_CASES(y8_, y16_)                                                                                                 \
    LARGE_PAIRS(FLOAT32, F32, AWAY_FROM_0, { {TYPE_FLOAT32} }),                                                                \
    LARGE_PAIRS(INT8, A8, B8, QUANTS(INT8, y8_, -9)),                                                                          \
    LARGE_PAIRS(UINT8, AU8, BU8, QUANTS(UINT8, y8_, 119)),                                                                     \
    LARGE_PAIRS(INT16, A16, B16, QUANTS(INT16, y16_, 0))

const struct op_case add_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    ACTIVATION_CASES(opt_add),
    INT_CASES(opt_add),
    { "rank 6", .in = { F32(2, 1, 2, 1, 3, 2), F32(1, 3, 1, 2, 1, 2) } },
    { "scalar", .in = { F32(3, 5), F32_SCALAR } },
    { "a short row for each of two batches", .in = { F32(2, 37, 5), F32(2, 1, 5) } },
    { "int64 of both words, RELU", .opt = &(struct opt_add){ACT_RELU}, .in = { SPECIAL(INT64, 2, 3, 5), SPECIAL(INT64, 5) } },
    { "int64 of both words, RELU6, rank 5", .opt = &(struct opt_add){ACT_RELU6}, .in = { SPECIAL(INT64, 2, 1, 3, 2, 5), SPECIAL(INT64, 3, 1, 1) } },
    { "int64 of both words, RELU_N1_TO_1", .opt = &(struct opt_add){ACT_RELU_N1_TO_1}, .in = { SPECIAL(INT64, 5), SPECIAL(INT64, 1) } },
    { "many short rows of int64", .in = { TENSOR(INT64, 80, 7), TENSOR(INT64, 7) } },
    { "INT8, ties everywhere", .in = { QUANT(INT8, 0.5f, 0, 3, 67), QUANT(INT8, 0.5f, 0, 3, 67) }, .out = QUANTS(INT8, 1.0f, 0) },
    { "UINT8, fine output", .in = { QUANT(UINT8, 0.5f, 3, 3, 67), QUANT(UINT8, 0.002f, 250, 67) }, .out = QUANTS(UINT8, 0.001f, 9) },
    F16_PAIR(.opt = NULL),
    { "float16, relu6, specials", .opt = &(struct opt_add){ .activation = ACT_RELU6 },
      .in = { {TYPE_FLOAT16, CASE_DIMS(64), .fill = FILL_SPECIAL}, TENSOR(FLOAT16, 64) }, .tol = 1e-3 },
    SUM_CASES(opt_add),
    { "int16 without scale, wrapping", .in = { TENSOR(INT16, 2, 3, 5), TENSOR(INT16, 5) } },
    { "int16 without scale, relu", .opt = &(struct opt_add){ .activation = ACT_RELU }, .in = { TENSOR(INT16, 2, 3), TENSOR(INT16, 2, 3) } },
    LARGE_CASES(0.04f, 0.0004f),
    { 0 }
};

const struct op_case sub_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    ACTIVATION_CASES(opt_sub),
    INT_CASES(opt_sub),
    { "rank 5", .in = { F32(2, 1, 2, 1, 3), F32(1, 3, 1, 2, 1) } },
    SUM_CASES(opt_sub),
    { "INT8, output finer than the inputs (TFLite shifts by a negative number)", .no_golden = true, .in = { QUANT(INT8, 0.5f, 3, 2, 9), QUANT(INT8, 0.5f, 3, 2, 9) },
      .out = QUANTS(INT8, 0.0000005f, 0) },
    LARGE_CASES(0.04f, 0.0004f),
    { 0 }
};

const struct op_case mul_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    ACTIVATION_CASES(opt_mul),
    INT_CASES(opt_mul),
    { "rank 6", .in = { F32(2, 1, 2, 1, 3, 2), F32(1, 3, 1, 2, 1, 2) } },
    F16_PAIR(.opt = NULL),
    { "complex64", .in = { TENSOR(COMPLEX64, 2, 3, 5), TENSOR(COMPLEX64, 5) } },
    { "complex64, relu", .opt = &(struct opt_mul){ ACT_RELU }, .in = { TENSOR(COMPLEX64, 2), TENSOR(COMPLEX64, 2) },
      .fails = "fused" },
    { "uint32", .in = { TENSOR(UINT32, 2, 3, 5), TENSOR(UINT32, 3, 1) } },
    QUANT_CASES(opt_mul, INT8, -9),
    QUANT_CASES(opt_mul, UINT8, 119),
    { "INT16", .in = { QUANT(INT16, 0.0002f, 0, 2, 3, 7), QUANT(INT16, 0.0005f, 0, 2, 3, 7) },
      .out = QUANTS(INT16, 0.002f, 0) },
    { "INT16 broadcast, relu", .opt = &(struct opt_mul){ ACT_RELU },
      .in = { QUANT(INT16, 0.0002f, 0, 2, 3, 7), QUANT(INT16, 0.0005f, 0, 7) }, .out = QUANTS(INT16, 0.002f, 0) },
    { "INT16 to INT8", .in = { QUANT(INT16, 0.0000305f, 0, 2, 3, 7), QUANT(INT16, 0.0000305f, 0, 2, 3, 7) },
      .out = QUANTS(INT8, 0.0078125f, -3) },
    { "INT16 to UINT8", .in = { QUANT(INT16, 0.0000305f, 0, 2, 3, 7), QUANT(INT16, 0.0000305f, 0, 2, 3, 7) },
      .out = QUANTS(UINT8, 0.0078125f, 128) },
    { "INT16 with a zero point", .in = { QUANT(INT16, 0.1f, 1, 3), QUANT(INT16, 0.1f, 0, 3) }, .out = QUANTS(INT16, 0.1f, 0),
      .fails = "must be 0" },
    { "int16 without scale", .in = { TENSOR(INT16, 2, 3, 5), TENSOR(INT16, 2, 3, 5) } },
    LARGE_CASES(0.04f, 0.002f),
    { 0 }
};

#define DIVISOR8(...) {TYPE_UINT8, CASE_DIMS(__VA_ARGS__), .lo = 101, .hi = 199, .scale = 0.03f, .zero_point = 100}

const struct op_case div_cases[] = {
    BROADCAST_CASES(NULL, F32, AWAY_FROM_0),
    ACTIVATION_CASES(opt_div),
    { "rank 5", .in = { F32(2, 1, 2, 1, 3), AWAY_FROM_0(1, 3, 1, 2, 1) } },
    { "int32", .in = { {TYPE_INT32, CASE_DIMS(2, 3, 5), .lo = -99, .hi = 99}, {TYPE_INT32, CASE_DIMS(5), .lo = 1, .hi = 9} } },
    { "int32 by zero", .in = { TENSOR(INT32, 4), {TYPE_INT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (int32_t[]){1, 2, 0, 3}} },
      .fails = "division by zero at element 2" },
    { "UINT8", .in = { QUANT(UINT8, 0.05f, 100, 2, 3, 7), {TYPE_UINT8, CASE_DIMS(2, 3, 7), .lo = 10, .hi = 99, .scale = 0.03f,
      .zero_point = 100} }, .out = QUANTS(UINT8, 0.1f, 128) },
    { "UINT8 broadcast, relu", .opt = &(struct opt_div){ ACT_RELU },
      .in = { QUANT(UINT8, 0.05f, 100, 2, 3, 7), {TYPE_UINT8, CASE_DIMS(7), .lo = 101, .hi = 199, .scale = 0.03f,
      .zero_point = 100} }, .out = QUANTS(UINT8, 0.1f, 128) },
    { "UINT8 by zero", .in = { QUANT(UINT8, 0.05f, 100, 3), {TYPE_UINT8, CASE_DIMS(3), .lo = 100, .hi = 100, .scale = 0.03f,
      .zero_point = 100} }, .out = QUANTS(UINT8, 0.1f, 128), .fails = "division by zero" },
    { "INT8", .in = { QUANT(INT8, 0.05f, 3, 2, 3, 7), {TYPE_INT8, CASE_DIMS(2, 3, 7), .lo = 3, .hi = 99, .scale = 0.03f,
      .zero_point = 2} }, .out = QUANTS(INT8, 0.1f, -1) },
    { "INT8, quotients too small for TFLite's shift", .no_golden = true, .in = { QUANT(INT8, 0.001f, 1, 2, 3, 7), {TYPE_INT8, CASE_DIMS(7),
      .lo = 3, .hi = 99, .scale = 0.4f, .zero_point = 2} }, .out = QUANTS(INT8, 15, -88) },
    { "int32 extremes", .in = { {TYPE_INT32, CASE_DIMS(3), .fill = FILL_SPECIAL}, {TYPE_INT32, CASE_DIMS(1), .lo = -1, .hi = -1} } },
    { "int32, the one quotient that does not fit, with an activation", .opt = &(struct opt_div){ ACT_RELU6 },
      .in = { {TYPE_INT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const int32_t[]){ INT32_MIN, INT32_MIN, INT32_MAX, -7 }},
              {TYPE_INT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const int32_t[]){ -1, 1, -1, 2 }} } },
    LARGE_PAIRS(FLOAT32, F32, AWAY_FROM_0, { {TYPE_FLOAT32} }),
    LARGE_PAIRS(UINT8, AU8, DIVISOR8, QUANTS(UINT8, 0.1f, 128)),
    { 0 }
};
