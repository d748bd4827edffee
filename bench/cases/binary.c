/* SPDX-License-Identifier: Apache-2.0 */
/* binary.c - cases of MAXIMUM, MINIMUM, SQUARED_DIFFERENCE, POW, ATAN2. */
#include "bench/cases/elementwise.h"

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
    { "int16", .in = { QUANT(INT16, 0.1f, 0, 2, 3, 5), QUANT(INT16, 0.1f, 0, 2, 3, 5) } },                                     \
    LARGE_PAIRS(FLOAT32, F32, F32, { {TYPE_FLOAT32} })

const struct op_case maximum_cases[] = { EXTREMUM_CASES, { 0 } };

const struct op_case minimum_cases[] = { EXTREMUM_CASES, { 0 } };

const struct op_case squared_difference_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    { "specials", .in = { F32_SPECIAL(64), F32_SPECIAL(64) } },
    { "int32", .in = { TENSOR(INT32, 2, 3, 5), TENSOR(INT32, 5) } },
    { "int8", .in = { QUANT(INT8, 0.02f, 5, 2, 3, 7), QUANT(INT8, 0.03f, -7, 2, 3, 7) }, .out = QUANTS(INT8, 0.2f, -100) },
    { "int8 broadcast", .in = { QUANT(INT8, 0.05f, 5, 2, 3, 7), QUANT(INT8, 0.03f, -7, 7) }, .out = QUANTS(INT8, 0.07f, 9) },
    { "int16", .in = { QUANT(INT16, 0.02f, 0, 1, 9), QUANT(INT16, 0.03f, 0, 1, 9) }, .out = QUANTS(INT16, 0.2f, 0),
      .fails = "no CPU kernel for input 0 of type INT16" },
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
    { "float32", .skip_golden = "empty", .in = { F32_IN(-3, 3, 3, 5, 7), F32_IN(-3, 3, 3, 5, 7) } },
    { "rank 5", .in = { F32_IN(-3, 3, 2, 3, 1, 2, 5), F32_IN(-3, 3, 2, 3, 1, 2, 5) } },
    { "specials", .in = { F32_SPECIAL(67), F32_SPECIAL(67) } },
    { "float64", .in = { TENSOR(FLOAT64, 3, 5), TENSOR(FLOAT64, 3, 5) } },
    { "float16", .in = { TENSOR(FLOAT16, 3, 5), TENSOR(FLOAT16, 3, 5) } },
    { "bfloat16", .in = { TENSOR(BFLOAT16, 3, 5), TENSOR(BFLOAT16, 3, 5) } },
    { "empty", .in = { F32(0, 3), F32(0, 3) } },
    { "mismatch", .in = { F32(2, 3), F32(2, 4) }, .fails = "broadcast" },
    { 0 }
};
