/* SPDX-License-Identifier: Apache-2.0 */
/* unary.c - cases of LOGICAL_NOT, ABS, NEG, EXP, LOG, SQRT, RSQRT, SQUARE, FLOOR, CEIL, SIN, COS, ROUND, SIGN, ZEROS_LIKE. */
#include "bench/cases/elementwise.h"

const struct op_case logical_not_cases[] = {
    { "bool", .in = { TENSOR(BOOL, 3, 5, 7) } },
    { "not bool", .in = { F32(2) }, .fails = "FLOAT32" },
    { 0 }
};

#define MAP_CASES(lo_, hi_)                                                                                                    \
    { "odd sizes", .in = { F32_IN(lo_, hi_, 1, 5, 7, 3) } },                                                                   \
    VALUE_CASES(lo_, hi_)

/* Of functions with steps. */
#define STEP_CASES(lo_, hi_)                                                                                                   \
    { "odd sizes", .in = { F32_IN(lo_, hi_, 1, 5, 7, 3) } },                                                    \
    VALUE_CASES(lo_, hi_)

#define VALUE_CASES(lo_, hi_)                                                                                                  \
    { "specials", .in = { F32_SPECIAL(67) } },                                                                                 \
    { "scalar", .in = { {TYPE_FLOAT32, .rank = 0, .lo = (lo_), .hi = (hi_)} }, .gpu_tol_fp16 = 5e-2 /* of itself */ },         \
    { "empty", .in = { F32(0, 3) } },                                                                                          \
    { "strings", .in = { TENSOR(STRING, 2) }, .no_golden = true, .fails = "STRING" }

const struct op_case abs_cases[] = {
    MAP_CASES(-5, 5),
    { "int32", .in = { {TYPE_INT32, CASE_DIMS(2, 3, 7), .lo = -99, .hi = 99} } },
    { "int32 extremes", .in = { SPECIAL(INT32, 21) } },
    { "int8", .in = { ALL_OF(INT8, 0.05f, 7) }, .out = QUANTS(INT8, 0.03f, -20) },
    { "int8, same scale", .in = { ALL_OF(INT8, 0.05f, 7) }, .out = QUANTS(INT8, 0.05f, -128) },
    { "int16", .in = { QUANT(INT16, 0.0005f, 0, 67) }, .out = QUANTS(INT16, 0.0003f, 0) },
    { "int16 without scale", .in = { TENSOR(INT16, 67) } },
    { 0 }
};

const struct op_case neg_cases[] = {
    MAP_CASES(-5, 5),
    F16_CASE(NULL),
    BF16_CASE(NULL),
    { "int32", .in = { {TYPE_INT32, CASE_DIMS(2, 3, 7), .lo = -99, .hi = 99} } },
    { "int64", .in = { {TYPE_INT64, CASE_DIMS(2, 3, 7), .lo = -99, .hi = 99} } },
    { "int32 extremes", .in = { SPECIAL(INT32, 21) } },
    { "int64 extremes", .in = { SPECIAL(INT64, 21) } },
    { "int8, its scale ignored", .in = { ALL_OF(INT8, 0.05f, 7) } },
    { "int16", .in = { {TYPE_INT16, CASE_DIMS(67), .fill = FILL_SPECIAL} } },
    { 0 }
};

const struct op_case exp_cases[] = {
    MAP_CASES(-5, 5),
    { "int8", .in = { ALL_OF(INT8, 0.03f, 7) }, .out = QUANTS(INT8, 0.1f, -120) },
    { "int16", .in = { QUANT(INT16, 0.0001f, 0, 200) }, .out = QUANTS(INT16, 0.0008f, 0) },
    { "int16 with a zero point", .in = { QUANT(INT16, 0.0001f, 5, 200) }, .out = QUANTS(INT16, 0.0008f, 0), .fails = "must be 0" },
    { "int16, infinite (undefined in TFLite)", .no_golden = true, .in = { QUANT(INT16, 0.003f, 0, 200) }, .out = QUANTS(INT16, 0.0008f, 0) },
    { 0 }
};

const struct op_case log_cases[] = {
    MAP_CASES(0.01, 5),
    { "int8", .in = { ALL_OF(INT8, 0.03f, -20) }, .out = QUANTS(INT8, 0.04f, 50) },
    { "int16", .in = { QUANT(INT16, 0.0001f, 0, 200) }, .out = QUANTS(INT16, 0.0003f, 0) },
    { 0 }
};

#define NOT_NEGATIVE(type_, scale_, zero_, hi_)                                                                                \
    {TYPE_##type_, CASE_DIMS(200), .lo = (zero_), .hi = (hi_), .scale = (scale_), .zero_point = (zero_)}

const struct op_case sqrt_cases[] = {
    MAP_CASES(0, 5),
    { "int8", .in = { NOT_NEGATIVE(INT8, 0.03f, -100, 127) }, .out = QUANTS(INT8, 0.02f, -120) },
    { "int16", .in = { NOT_NEGATIVE(INT16, 0.0003f, 0, 32767) }, .out = QUANTS(INT16, 0.0002f, 0) },
    { "int8, negative", .in = { {TYPE_INT8, CASE_DIMS(3), .lo = 3, .hi = 4, .scale = 0.03f, .zero_point = 5} }, .out = QUANTS(INT8, 0.02f, -120), .fails = "negative" },
    { 0 }
};

const struct op_case rsqrt_cases[] = {
    MAP_CASES(0.01, 5),
    { "int8", .in = { NOT_NEGATIVE(INT8, 0.03f, -100, 127) }, .out = QUANTS(INT8, 0.02f, -120) },
    { "int8, coarse", .in = { NOT_NEGATIVE(INT8, 4, -128, 127) }, .out = QUANTS(INT8, 0.002f, 3) },
    { "int16", .in = { NOT_NEGATIVE(INT16, 0.0003f, 0, 32767) }, .out = QUANTS(INT16, 0.0004f, 0) },
    { "int8, negative", .in = { {TYPE_INT8, CASE_DIMS(3), .lo = 3, .hi = 4, .scale = 0.03f, .zero_point = 5} }, .out = QUANTS(INT8, 0.02f, -120), .fails = "negative" },
    { 0 }
};

const struct op_case square_cases[] = { MAP_CASES(-5, 5), { 0 } };

const struct op_case floor_cases[] = { STEP_CASES(-5, 5), F16_CASE(NULL), BF16_CASE(NULL), { 0 } };

const struct op_case ceil_cases[] = { STEP_CASES(-5, 5), { 0 } };

const struct op_case sin_cases[] = { MAP_CASES(-50, 50), F16_CASE(NULL), { 0 } };

const struct op_case cos_cases[] = { MAP_CASES(-50, 50), F16_CASE(NULL), { 0 } };

const struct op_case round_cases[] = {
    STEP_CASES(-5, 5),
    F16_CASE(NULL),
    BF16_CASE(NULL),
    { "halves", .in = { {TYPE_FLOAT32, CASE_DIMS(8), .fill = FILL_GIVEN,
                         .data = (float[]){-2.5f, -1.5f, -0.5f, -0.49999997f, 0.49999997f, 0.5f, 1.5f, 2.5f}} } },
    { 0 }
};

const struct op_case sign_cases[] = {
    STEP_CASES(-5, 5),
    { "float64", .in = { TENSOR(FLOAT64, 3, 5) } },
    { "int32", .in = { {TYPE_INT32, CASE_DIMS(3, 5), .lo = -2, .hi = 2} } },
    { "int32 extremes", .in = { SPECIAL(INT32, 21) } },
    { 0 }
};

const struct op_case zeros_like_cases[] = {
    { "float32", .in = { F32(3, 5) } },
    { "int32", .in = { TENSOR(INT32, 3, 5) } },
    { "int64", .in = { TENSOR(INT64, 3, 5) } },
    { "strings", .in = { TENSOR(STRING, 2) }, .no_golden = true, .fails = "STRING" },
    { 0 }
};
