/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - cases of EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, LOGICAL_AND, LOGICAL_OR. */
#include "bench/cases/elementwise.h"

#define BOOLS { {TYPE_BOOL} }
#define SMALL_QUANT(scale_, ...) {TYPE_INT16, CASE_DIMS(__VA_ARGS__), .lo = -3, .hi = 3, .scale = (scale_)}
#define ENDS16(scale_) {TYPE_INT16, CASE_DIMS(21), .fill = FILL_SPECIAL, .scale = (scale_)}

#define WORDS(...)                                                                                                             \
    {TYPE_STRING, .rank = 1, .dim = {sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)}, .fill = FILL_GIVEN,              \
     .data = (const char *const[]){__VA_ARGS__}}
#define SMALL(type_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = -2, .hi = 2}

/* Other random floats are never equal: -2, -1, 0, 1. */
#define FEW_F32(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .lo = -2, .hi = 2, .whole = true}

/* These are given: equal and unequal neighbours, zeros of both signs. */
#define SOME_EQUAL(type_, c_type_, ...)                                                                                         \
    {TYPE_##type_, CASE_DIMS(2, 5), .fill = FILL_GIVEN, .data = (const c_type_[]){__VA_ARGS__}}
#define LEFT_F32               SOME_EQUAL(FLOAT32, float, 1, 2.5f, -3, 0, -0.0f, 60000, -0.001f, 7, 7.00390625f, -8)
#define RIGHT_F32              SOME_EQUAL(FLOAT32, float, 1, 2.25f, -3, -0.0f, 0, 60000, 0.001f, 7.00390625f, 7, -8)
#define LEFT_F16               SOME_EQUAL(FLOAT16, uint16_t, 0x3c00, 0x4100, 0xc200, 0, 0x8000, 0x7bff, 0x8001, 0x4700, 0x4701, 0xc800)
#define RIGHT_F16              SOME_EQUAL(FLOAT16, uint16_t, 0x3c00, 0x4080, 0xc200, 0x8000, 0, 0x7bff, 1, 0x4701, 0x4700, 0xc800)
#define FEW_INT8(zero_, ...)   {TYPE_INT8, CASE_DIMS(__VA_ARGS__), .lo = -2, .hi = 2, .scale = 0.02f, .zero_point = (zero_)}
#define FEW_UINT8(zero_)       {TYPE_UINT8, CASE_DIMS(3, 7), .lo = 100, .hi = 104, .scale = 0.02f, .zero_point = (zero_)}

#define ORDER_CASES                                                                                                            \
    { "same shape, odd sizes", .in = { FEW_F32(1, 5, 7, 3), FEW_F32(1, 5, 7, 3) }, .out = BOOLS },                             \
    { "one value per channel", .in = { FEW_F32(1, 3, 5, 6), FEW_F32(6) }, .out = BOOLS },                                      \
    { "both sides repeat", .in = { FEW_F32(3, 1, 4, 1), FEW_F32(1, 2, 1, 5) }, .out = BOOLS },                                 \
    { "both sides repeat, rank 5", .in = { FEW_F32(3, 1, 1, 4, 1), FEW_F32(1, 2, 3, 1, 5) }, .out = BOOLS },                   \
    { "specials", .in = { F32_SPECIAL(64), F32_SPECIAL(64) }, .out = BOOLS },                                                  \
    F16_PAIR(.out = BOOLS),                                                                                                    \
    { "int32", .in = { SMALL(INT32, 2, 3, 5), SMALL(INT32, 2, 3, 5) }, .out = BOOLS },                                         \
    { "int32 with a scalar", .in = { SMALL(INT32, 2, 3, 5), {TYPE_INT32, CASE_DIMS(1), .lo = -1, .hi = -1} }, .out = BOOLS },                                 \
    { "int64", .in = { SMALL(INT64, 2, 3, 5), SMALL(INT64, 3, 1) }, .out = BOOLS },                                            \
    { "int8", .in = { QUANT(INT8, 0.02f, 5, 3, 7), QUANT(INT8, 0.03f, -9, 3, 7) }, .out = BOOLS },                              \
    { "int8, same scale, broadcast", .in = { FEW_INT8(5, 9, 7), FEW_INT8(5, 7) }, .out = BOOLS },                              \
    { "uint8", .in = { QUANT(UINT8, 0.02f, 5, 3, 7), QUANT(UINT8, 0.03f, 99, 3, 7) }, .out = BOOLS },                          \
    { "int32 extremes", .in = { SPECIAL(INT32, 21), SPECIAL(INT32, 21) }, .out = BOOLS },                                      \
    { "int64 extremes", .in = { SPECIAL(INT64, 21), SPECIAL(INT64, 21) }, .out = BOOLS },                                      \
    { "some equal", .in = { LEFT_F32, RIGHT_F32 }, .out = BOOLS },                                                             \
    { "float16, some equal", .in = { LEFT_F16, RIGHT_F16 }, .out = BOOLS },                                                    \
    { "int8, some equal", .in = { FEW_INT8(1, 3, 7), FEW_INT8(0, 3, 7) }, .out = BOOLS },                                                  \
    { "uint8, some equal", .in = { FEW_UINT8(102), FEW_UINT8(101) }, .out = BOOLS },                                           \
    { "lower rank on the left", .in = { FEW_F32(3, 1), FEW_F32(2, 2, 3, 4) }, .out = BOOLS },                                  \
    { "a scalar on the left", .in = { {TYPE_FLOAT32, .rank = 0, .lo = 0, .hi = 1, .whole = true}, FEW_F32(2, 3, 5) }, .out = BOOLS }, \
    { "empty", .in = { F32(2, 0, 3), F32(2, 0, 3) }, .out = BOOLS },                                                           \
    { "mismatch", .in = { F32(2, 3), F32(2, 4) }, .out = BOOLS, .fails = "broadcast" }

#define EQUALITY_CASES                                                                                                         \
    ORDER_CASES,                                                                                                               \
    { "int16", .in = { SMALL_QUANT(0.02f, 3, 7), SMALL_QUANT(0.03f, 3, 7) }, .out = BOOLS },                                   \
    { "int16 extremes", .in = { ENDS16(0.02f), ENDS16(0.03f) }, .out = BOOLS },                                                \
    { "int16 broadcast", .in = { SMALL_QUANT(0.02f, 3, 7), SMALL_QUANT(0.02f, 7) }, .out = BOOLS },                            \
    { "bool", .in = { TENSOR(BOOL, 2, 3, 5), TENSOR(BOOL, 3, 1) }, .out = BOOLS },                                             \
    { "strings", .in = { WORDS("a", "b", "abc", ""), WORDS("a", "c", "ab", "") }, .out = BOOLS },                              \
    { "strings broadcast", .in = { WORDS("a", "b", "abc", ""), WORDS("b") }, .out = BOOLS }

const struct op_case equal_cases[] = {
    EQUALITY_CASES,
    { "int16 without scale", .in = { SMALL(INT16, 3, 7), SMALL(INT16, 3, 7) }, .out = BOOLS },
    { 0 }
};

const struct op_case not_equal_cases[] = {
    EQUALITY_CASES,
    { "int16 without scale (TFLite leaves the output unwritten)", .no_golden = true,
      .in = { SMALL(INT16, 3, 7), SMALL(INT16, 3, 7) }, .out = BOOLS },
    { 0 }
};

const struct op_case less_cases[] = {
    ORDER_CASES,
    { "int16", .in = { SMALL_QUANT(0.02f, 3, 7), SMALL_QUANT(0.03f, 3, 7) }, .out = BOOLS },
    { "int16 extremes", .in = { ENDS16(0.02f), ENDS16(0.03f) }, .out = BOOLS },
    BF16_PAIR(.out = BOOLS),
    { 0 }
};

const struct op_case less_equal_cases[] = { ORDER_CASES, { 0 } };

const struct op_case greater_cases[] = { ORDER_CASES, BF16_PAIR(.out = BOOLS), { 0 } };

const struct op_case greater_equal_cases[] = { ORDER_CASES, { 0 } };

#define LOGICAL_CASES(scalar_)                                                                                                          \
    { "same shape", .in = { TENSOR(BOOL, 3, 5, 7), TENSOR(BOOL, 3, 5, 7) } },                                                  \
    { "broadcast", .in = { TENSOR(BOOL, 3, 1, 7), TENSOR(BOOL, 2, 1) } },                                                      \
    { "lower rank on the left", .in = { TENSOR(BOOL, 7), TENSOR(BOOL, 2, 1, 7) } },                                            \
    { "a scalar", .in = { TENSOR(BOOL, 2, 5), scalar_ } },                                                             \
    { "mismatch", .in = { TENSOR(BOOL, 2), TENSOR(BOOL, 3) }, .fails = "broadcast" },                                                      \
    { "not bool", .in = { F32(2), F32(2) }, .fails = "FLOAT32" }

#define TRUE_SCALAR {TYPE_BOOL, CASE_DIMS(1), .lo = 1, .hi = 1}

const struct op_case logical_and_cases[] = { LOGICAL_CASES(TRUE_SCALAR), { 0 } };

const struct op_case logical_or_cases[] = { LOGICAL_CASES(TENSOR(BOOL, 1)), { 0 } };
