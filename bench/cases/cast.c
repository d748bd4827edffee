/* SPDX-License-Identifier: Apache-2.0 */
/* cast.c - cases of CAST. */
#include "bench/opcheck/opcheck.h"

#define TO(type_) { {TYPE_##type_} }
#define NUMBERS(type_) {TYPE_##type_, CASE_DIMS(3, 11), .lo = -100, .hi = 100}
#define UNSIGNED(type_) {TYPE_##type_, CASE_DIMS(3, 11), .lo = 0, .hi = 200}

#define CASTS_FROM(in_)                                                                                                        \
    { #in_ " to float32", .in = { in_ }, .out = TO(FLOAT32) },                                                                 \
    { #in_ " to float64", .in = { in_ }, .out = TO(FLOAT64) },                                                                 \
    { #in_ " to float16", .in = { in_ }, .out = TO(FLOAT16) },                                                                 \
    { #in_ " to int8", .in = { in_ }, .out = TO(INT8) },                                                                       \
    { #in_ " to uint8", .in = { in_ }, .out = TO(UINT8) },                                                                     \
    { #in_ " to int16", .in = { in_ }, .out = TO(INT16) },                                                                     \
    { #in_ " to int32", .in = { in_ }, .out = TO(INT32) },                                                                     \
    { #in_ " to uint32", .in = { in_ }, .out = TO(UINT32) },                                                                   \
    { #in_ " to int64", .in = { in_ }, .out = TO(INT64) },                                                                     \
    { #in_ " to bool", .in = { in_ }, .out = TO(BOOL) }

#define CAST_ENDS(type_)                                                                                                       \
    { "ends of " #type_ " to float32", .in = { SPECIAL(type_, 12) }, .out = TO(FLOAT32) },                                     \
    { "ends of " #type_ " to float16", .in = { SPECIAL(type_, 12) }, .out = TO(FLOAT16) },                                     \
    { "ends of " #type_ " to int8", .in = { SPECIAL(type_, 12) }, .out = TO(INT8) },                                           \
    { "ends of " #type_ " to uint8", .in = { SPECIAL(type_, 12) }, .out = TO(UINT8) },                                         \
    { "ends of " #type_ " to int32", .in = { SPECIAL(type_, 12) }, .out = TO(INT32) },                                         \
    { "ends of " #type_ " to int64", .in = { SPECIAL(type_, 12) }, .out = TO(INT64) },                                         \
    { "ends of " #type_ " to bool", .in = { SPECIAL(type_, 12) }, .out = TO(BOOL) }

const struct op_case cast_cases[] = {
    /* Exact in half precision, too. */
    { "FLOAT32 to int32",
      .in = { { TYPE_FLOAT32, CASE_DIMS(2, 5), .fill = FILL_GIVEN,
                .data = (const float[]){ 0, -0.0f, 0.75f, -0.75f, 1, 33.5f, -33.75f, 100.25f, -1999, 2047 } } },
      .out = TO(INT32) },
    { "FLOAT32 to int64", .in = { F32_IN(-100, 100, 3, 11) }, .out = TO(INT64) },
    { "FLOAT32 to bool, rank 5", .in = { F32(2, 3, 1, 2, 5) }, .out = TO(BOOL) },
    { "FLOAT32 to uint8", .in = { F32_IN(0, 255, 3, 11) }, .out = TO(UINT8) },
    { "FLOAT32 to float16", .in = { F32_IN(-100, 100, 3, 11) }, .out = TO(FLOAT16) },
    { "FLOAT32 to int32, specials", .in = { F32_SPECIAL(67) }, .out = TO(INT32) },
    { "FLOAT32 to uint8, out of range", .in = { F32_IN(-500, 500, 67) }, .out = TO(UINT8) },
    { "FLOAT32 to bfloat16", .in = { F32_IN(-100, 100, 3, 11) }, .out = TO(BFLOAT16) },
    { "FLOAT32 to bfloat16, specials", .in = { F32_SPECIAL(67) }, .out = TO(BFLOAT16) },
    { "FLOAT32 to int2", .in = { F32_IN(-3, 3, 3, 11) }, .out = TO(INT2) },
    { "BFLOAT16 to float32", .in = { TENSOR(BFLOAT16, 3, 11) }, .out = TO(FLOAT32) },
    { "BFLOAT16 to int32, specials", .in = { {TYPE_BFLOAT16, CASE_DIMS(67), .fill = FILL_SPECIAL} }, .out = TO(INT32) },
    { "FLOAT32 to complex64", .in = { F32_IN(-100, 100, 3, 11) }, .out = TO(COMPLEX64) },
    { "FLOAT32 to int4", .in = { F32_IN(-10, 10, 3, 11) }, .out = TO(INT4) },
    { "INT4 to float32", .in = { CONST(INT4, 3, 11) }, .out = TO(FLOAT32) },
    { "INT2 to float32", .in = { CONST(INT2, 3, 11) }, .out = TO(FLOAT32) },
    { "FLOAT16 to int32", .in = { {TYPE_FLOAT16, CASE_DIMS(3, 11), .lo = -99, .hi = 99, .constant = true} }, .out = TO(INT32) },
    { "FLOAT64 to float32", .in = { TENSOR(FLOAT64, 3, 11) }, .out = TO(FLOAT32) },
    { "COMPLEX64 to float32", .in = { TENSOR(COMPLEX64, 3, 11) }, .out = TO(FLOAT32) },
    { "FLOAT32 to bool, specials", .in = { F32_SPECIAL(67) }, .out = TO(BOOL) },
    { "FLOAT32 to float64, specials", .in = { F32_SPECIAL(67) }, .out = TO(FLOAT64) },
    CASTS_FROM(NUMBERS(INT8)),
    CASTS_FROM(UNSIGNED(UINT8)),
    CASTS_FROM(NUMBERS(INT16)),
    CASTS_FROM(NUMBERS(INT32)),
    CASTS_FROM(UNSIGNED(UINT32)),
    CASTS_FROM(NUMBERS(INT64)),
    CASTS_FROM(TENSOR(BOOL, 3, 11)),
    CASTS_FROM(UNSIGNED(FLOAT64)),
    { "FLOAT32 to uint32", .in = { F32_IN(0, 4e9, 3, 11) }, .out = TO(UINT32) },
    { "FLOAT64 to int64, large", .in = { {TYPE_FLOAT64, CASE_DIMS(3, 11), .lo = -9e18, .hi = 9e18} }, .out = TO(INT64) },
    { "FLOAT64 to float32, small", .in = { {TYPE_FLOAT64, CASE_DIMS(21), .fill = FILL_GIVEN, .data = (const double[]){
        0, -0.0, 1, 1 + 0x1p-24, 1 + 0x3p-24, 1 + 0x1.1p-24, -0x1.fffffep127, 0x1.fffffefp127, 0x1.ffffffp127, -1e300, 0x1p-126, 0x1p-127,
        -0x1.8p-148, 0x1p-149, 0x1p-150, 0x1.1p-150, -0x1p-151, 1e-300, 0x1.fffffffp-127, 3.7, -1e10 } } }, .out = TO(FLOAT32) },
    { "FLOAT64 to complex64", .in = { {TYPE_FLOAT64, CASE_DIMS(3, 11), .lo = -9, .hi = 9} }, .out = TO(COMPLEX64) },
    { "ends of INT64 to float64", .in = { SPECIAL(INT64, 21) }, .out = TO(FLOAT64) },
    CAST_ENDS(INT8), CAST_ENDS(UINT8), CAST_ENDS(INT16), CAST_ENDS(INT32), CAST_ENDS(UINT32), CAST_ENDS(INT64),
    { "constant float16 to float32, special values", .in = { {TYPE_FLOAT16, CASE_DIMS(21), .fill = FILL_SPECIAL, .constant = true} },
      .out = TO(FLOAT32) },
    { "constant float16 to float32", .in = { CONST_F16(3, 11) }, .out = TO(FLOAT32) },
    { "string", .in = { TENSOR(STRING, 2) }, .out = TO(FLOAT32), .no_golden = true, .fails = "STRING" },
    { 0 }
};
