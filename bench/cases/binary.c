/* SPDX-License-Identifier: Apache-2.0 */
/* binary.c - cases of MAXIMUM, MINIMUM, SQUARED_DIFFERENCE, POW, ATAN2, FLOOR_DIV, FLOOR_MOD, BITWISE_XOR, RIGHT_SHIFT, ADD_N. */
#include "elementwise.h"

#define POSITIVE(...) F32_IN(0.1, 3, __VA_ARGS__)
#define ONE_F32(v) {TYPE_FLOAT32, CASE_DIMS(1), .fill = FILL_GIVEN, .data = (float[]){v}, .constant = true}
#define EXPONENT(...) F32_IN(-2, 2, __VA_ARGS__)

#define EXTREMUM_CASES                                                                                                         \
    BROADCAST_CASES(NULL, F32, F32),                                                                                           \
    F16_PAIR(.opt = NULL),                                                                                                     \
    BF16_PAIR(.opt = NULL),                                                                                                    \
    { "specials", .in = { F32_SPECIAL(64), F32_SPECIAL(64) } },                                                                \
    { "int32", .in = { TENSOR(INT32, 2, 3, 5), TENSOR(INT32, 5) } },                                                           \
    { "int64", .in = { TENSOR(INT64, 2, 3, 5), TENSOR(INT64, 2, 3, 5) } },                                                     \
    { "uint8", .in = { QUANT(UINT8, 0.1f, 128, 2, 3, 5), QUANT(UINT8, 0.1f, 128, 5) } },                                       \
    { "int8", .in = { QUANT(INT8, 0.1f, -3, 2, 3, 5), QUANT(INT8, 0.1f, -3, 2, 1, 5) } },                                      \
    { "int16", .in = { QUANT(INT16, 0.1f, 0, 2, 3, 5), QUANT(INT16, 0.1f, 0, 2, 3, 5) } }

const struct op_case maximum_cases[] = { EXTREMUM_CASES, { 0 } };
const struct op_case minimum_cases[] = { EXTREMUM_CASES, { 0 } };

const struct op_case squared_difference_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    { "specials", .in = { F32_SPECIAL(64), F32_SPECIAL(64) } },
    { "int32", .in = { TENSOR(INT32, 2, 3, 5), TENSOR(INT32, 5) } },
    { "int8", .in = { QUANT(INT8, 0.02f, 5, 2, 3, 7), QUANT(INT8, 0.03f, -7, 2, 3, 7) }, .out = QUANTS(INT8, 0.2f, -100) },
    { "int8 broadcast", .in = { QUANT(INT8, 0.05f, 5, 2, 3, 7), QUANT(INT8, 0.03f, -7, 7) }, .out = QUANTS(INT8, 0.07f, 9) },
    { 0 }
};

const struct op_case pow_cases[] = {
    BROADCAST_CASES(NULL, POSITIVE, EXPONENT),
    { "squares of negatives", .in = { F32_IN(-3, 3, 2, 3, 5), ONE_F32(2.000005f) } },
    { "11th power, specials", .in = { F32_SPECIAL(67), ONE_F32(11) } },
    { "root", .in = { POSITIVE(2, 3, 5), ONE_F32(0.5f) } },
    { "reciprocal", .in = { POSITIVE(2, 3, 5), ONE_F32(-1) } },
    { "int32, cubes", .in = { TENSOR(INT32, 2, 3, 5), {TYPE_INT32, CASE_DIMS(1), .lo = 3, .hi = 3} } },
    { "specials", .in = { F32_SPECIAL(64), F32_IN(-2, 2, 64) } },
    { "int32", .in = { TENSOR(INT32, 2, 3, 5), {TYPE_INT32, CASE_DIMS(5), .hi = 5} } },
    { "int32, beyond the range (undefined in TFLite)", .no_golden = true,
      .in = { SPECIAL(INT32, 12), {TYPE_INT32, CASE_DIMS(12), .hi = 5} } },
    { "int32, negative exponent", .in = { TENSOR(INT32, 3), {TYPE_INT32, CASE_DIMS(3), .lo = -2, .hi = -2} },
      .fails = "must not be negative" },
    { 0 }
};

const struct op_case atan2_cases[] = {
    /* TFLite does not hold the shapes against each other. */
    { "float32", .apart = "empty", .in = { F32_IN(-3, 3, 3, 5, 7), F32_IN(-3, 3, 3, 5, 7) } },
    { "specials", .in = { F32_SPECIAL(67), F32_SPECIAL(67) } },
    { "float64", .in = { TENSOR(FLOAT64, 3, 5), TENSOR(FLOAT64, 3, 5) } },
    { "float16", .in = { TENSOR(FLOAT16, 3, 5), TENSOR(FLOAT16, 3, 5) } },
    { "bfloat16", .in = { TENSOR(BFLOAT16, 3, 5), TENSOR(BFLOAT16, 3, 5) } },
    { "empty", .in = { F32(0, 3), F32(0, 3) } },
    { "mismatch", .in = { F32(2, 3), F32(2, 4) }, .fails = "broadcast" },
    { 0 }
};

#define SIGNED(type_, ...)  {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = -100, .hi = 100}
#define DIVISOR(type_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = 1, .hi = 9}
#define NEGATIVE_DIVISOR(type_, ...) {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = -9, .hi = -1}

#define FLOOR_CASES                                                                                                            \
    { "float32", .in = { F32_IN(-9, 9, 3, 5, 7), F32_IN(0.5, 3, 3, 5, 7) } },                                                  \
    { "float32 broadcast, negative divisors", .in = { F32_IN(-9, 9, 3, 5, 7), F32_IN(-3, -0.5, 7) } },                         \
    { "int32", .in = { SIGNED(INT32, 3, 5, 7), DIVISOR(INT32, 3, 5, 7) } },                                                    \
    { "int32 broadcast, negative divisors", .in = { SIGNED(INT32, 3, 5, 7), NEGATIVE_DIVISOR(INT32, 5, 1) } },                 \
    { "int8", .in = { SIGNED(INT8, 3, 5, 7), NEGATIVE_DIVISOR(INT8, 3, 5, 7) } },                                              \
    { "int16", .in = { SIGNED(INT16, 3, 5, 7), NEGATIVE_DIVISOR(INT16, 7) } },                                                 \
    { "int8 extremes", .in = { SPECIAL(INT8, 21), {TYPE_INT8, CASE_DIMS(1), .lo = -1, .hi = -1} } },                           \
    { "int16 extremes", .in = { SPECIAL(INT16, 21), {TYPE_INT16, CASE_DIMS(21), .lo = -3, .hi = -1} } },                       \
    { "lower rank on the left", .in = { F32_IN(-9, 9, 7), F32_IN(0.5, 3, 2, 3, 7) } },                                         \
    { "both sides repeat", .in = { F32_IN(-9, 9, 3, 1, 4, 1), F32_IN(0.5, 3, 2, 1, 5) } },                                                 \
    { "int32 extremes by -1 (TFLite divides undefined)", .no_golden = true,                                                    \
      .in = { {TYPE_INT32, CASE_DIMS(9), .fill = FILL_SPECIAL}, {TYPE_INT32, CASE_DIMS(1), .lo = -1, .hi = -1} } },            \
    { "int32 by zero", .in = { SIGNED(INT32, 3), {TYPE_INT32, CASE_DIMS(3), .fill = FILL_GIVEN, .data = (int32_t[]){1, 0, 2}} }, \
      .fails = "division by zero at element 1" }

const struct op_case floor_div_cases[] = {
    FLOOR_CASES,
    { "float32 by zero", .in = { F32(2), {TYPE_FLOAT32, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (float[]){0, 1}} },
      .fails = "division by zero" },
    { 0 }
};

const struct op_case floor_mod_cases[] = {
    FLOOR_CASES,
    { "int64", .in = { SIGNED(INT64, 3, 5, 7), NEGATIVE_DIVISOR(INT64, 7) } },
    { "int64 extremes", .in = { SPECIAL(INT64, 21), {TYPE_INT64, CASE_DIMS(21), .lo = -9, .hi = -2} } },
    { 0 }
};

#define BITWISE_CASES(lo_, hi_)                                                                                                \
    { "int8", .in = { TENSOR(INT8, 3, 7), {TYPE_INT8, CASE_DIMS(3, 7), .lo = (lo_), .hi = (hi_)} } },                          \
    { "uint8", .in = { TENSOR(UINT8, 3, 7), {TYPE_UINT8, CASE_DIMS(3, 7), .lo = 0, .hi = (hi_)} } },                           \
    { "int16", .in = { TENSOR(INT16, 3, 7), {TYPE_INT16, CASE_DIMS(3, 7), .lo = (lo_), .hi = (hi_)} } },                       \
    { "uint16", .in = { TENSOR(UINT16, 3, 7), {TYPE_UINT16, CASE_DIMS(3, 7), .lo = 0, .hi = (hi_)} } },                        \
    { "int32", .in = { SIGNED(INT32, 3, 7), {TYPE_INT32, CASE_DIMS(3, 7), .lo = (lo_), .hi = (hi_)} } },                       \
    { "int32 extremes", .in = { SPECIAL(INT32, 21), {TYPE_INT32, CASE_DIMS(21), .lo = (lo_), .hi = (hi_)} } },                 \
    { "both sides repeat", .in = { SIGNED(INT32, 3, 1, 4), {TYPE_INT32, CASE_DIMS(2, 1), .lo = (lo_), .hi = (hi_)} } },        \
    { "a scalar on the left", .in = { SIGNED(INT32, 1), {TYPE_INT32, CASE_DIMS(2, 5), .lo = (lo_), .hi = (hi_)} } },           \
    { "mismatch", .in = { SIGNED(INT32, 2), {TYPE_INT32, CASE_DIMS(3), .lo = (lo_), .hi = (hi_)} }, .fails = "broadcast" },    \
    { "uint32 broadcast", .in = { TENSOR(UINT32, 3, 7), {TYPE_UINT32, CASE_DIMS(7), .lo = 0, .hi = (hi_)} } },                 \
    { "float32", .in = { F32(3), F32(3) }, .fails = "FLOAT32" }

const struct op_case bitwise_xor_cases[] = { BITWISE_CASES(-99, 99), { 0 } };
const struct op_case right_shift_cases[] = {
    BITWISE_CASES(0, 7),
    { "by any number", .in = { SPECIAL(INT32, 21), SPECIAL(INT32, 21) } },
    { 0 }
};

const struct op_case add_n_cases[] = {
    { "three float32", .in = { F32(3, 5, 7), F32(3, 5, 7), F32(3, 5, 7) } },
    { "one float32 (TFLite wants two)", .no_golden = true, .in = { F32(3, 5) } },
    { "four int32", .in = { TENSOR(INT32, 3, 5), TENSOR(INT32, 3, 5), TENSOR(INT32, 3, 5), TENSOR(INT32, 3, 5) } },
    { "shapes differ", .in = { F32(3, 5), F32(5) }, .fails = "inputs 0 and 1 differ" },
    { "int64", .in = { TENSOR(INT64, 3), TENSOR(INT64, 3) }, .fails = "INT64" },
    { 0 }
};
