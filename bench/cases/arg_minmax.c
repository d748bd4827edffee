/* SPDX-License-Identifier: Apache-2.0 */
/* arg_minmax.c - cases of ARG_MAX, ARG_MIN. */
#include <float.h>
#include <math.h>

#include "bench/opcheck/opcheck.h"

#define TO32(name_) .opt = &(struct opt_##name_){ TYPE_INT32 }, .out = { {TYPE_INT32} }
#define TO64(name_) .opt = &(struct opt_##name_){ TYPE_INT64 }, .out = { {TYPE_INT64} }

#define NANS                                                                                                          \
    {TYPE_FLOAT32, CASE_DIMS(3, 3), .fill = FILL_GIVEN, .data = (const float[]){NAN, 1, 2, NAN, NAN, NAN, -3, 4, NAN}}

/* With NaN in a row of four and more, TFLite's answer depends on its vector code. */
#define NAN_NOT_GOLDEN .skip_golden = "special values"

#define INFINITIES                                                                                                    \
    {TYPE_FLOAT32, CASE_DIMS(3, 7), .fill = FILL_GIVEN,                                                               \
     .data = (const float[]){1, INFINITY, INFINITY, -INFINITY, 0, 3, -INFINITY, -0.0f, 0, -0.0f, 1e-42f, -1e-42f, 1e-42f, \
                             -1e-42f, FLT_MAX, -FLT_MAX, FLT_MAX, INFINITY, -INFINITY, -FLT_MAX, 0}}

/* Hardly two are equal, as floats would be that are stored as halves. */
#define WIDE(...) {TYPE_INT32, CASE_DIMS(__VA_ARGS__), .lo = -1e9, .hi = 1e9}

#define ARG_CASES(name_)                                                                                              \
    { "channels", TO32(name_), .in = { F32(1, 3, 5, 7), I32_SCALAR(3) } },                                            \
    { "channels, int64", TO64(name_), NAN_NOT_GOLDEN, .in = { F32(1, 3, 5, 7), I32_SCALAR(-1) } },                                    \
    { "height", TO32(name_), .in = { F32(2, 5, 3), I32_SCALAR(1) } },                                                 \
    { "channels, rank 5", TO32(name_), .in = { F32(2, 3, 1, 2, 5), I32_SCALAR(-1) } },                                \
    { "in the middle, rank 6", TO32(name_), .in = { F32(2, 3, 2, 4, 2, 5), I32_SCALAR(3) } },                         \
    { "front, rank 5", TO32(name_), .in = { F32(4, 3, 2, 3, 5), I32_SCALAR(0) } },                                    \
    { "vector", TO32(name_), .in = { F32(9), I32S(0) } },                                                             \
    { "int64 axis", TO32(name_), NAN_NOT_GOLDEN, .in = { F32(3, 5), {TYPE_INT64, .rank = 0, .fill = FILL_GIVEN, .constant = true,     \
                                                      .data = (int64_t[]){1}} } },                                    \
    { "axis known while running", TO32(name_), .in = { F32(3, 5), {TYPE_INT32, CASE_DIMS(1), .lo = 1, .hi = 1} } },   \
    { "the first of equals", TO32(name_), .in = { {TYPE_INT32, CASE_DIMS(5, 9), .lo = 0, .hi = 2}, I32_SCALAR(1) } }, \
    { "specials", TO32(name_), .in = { F32_SPECIAL(8, 16), I32_SCALAR(1) } },                                         \
    { "specials, columns", TO32(name_), .in = { F32_SPECIAL(16, 8), I32_SCALAR(0) } },                                \
    { "infinities", TO64(name_), .in = { INFINITIES, I32_SCALAR(1) } },                                               \
    { "NaN first", TO32(name_), .in = { NANS, I32_SCALAR(1) } },                                                      \
    { "NaN first, columns", TO32(name_), .in = { NANS, I32_SCALAR(0) } },                                             \
    { "long loops, rows", TO32(name_), .in = { WIDE(70000, 3), I32S(0) } },                                           \
    { "long loops, height", TO32(name_), .in = { WIDE(1, 70001, 1, 5), I32S(1) } },                                   \
    { "long loops, batch", TO32(name_), .in = { WIDE(70001, 1, 1, 2), I32S(0) } },                                    \
    { "long loops, channels", TO32(name_), .in = { WIDE(2, 3, 70001), I32S(2) } },                                    \
    { "long loops, the first of equals", TO32(name_), .in = { {TYPE_INT32, CASE_DIMS(3, 70001), .lo = 0, .hi = 5000}, I32S(1) } }, \
    { "long loops, the first of equals, columns", TO32(name_), .in = { {TYPE_INT32, CASE_DIMS(70001, 3), .lo = 0, .hi = 5000}, I32S(0) } }, \
    { "long loops, specials", TO32(name_), NAN_NOT_GOLDEN, .no_golden = true, .in = { F32_SPECIAL(70001, 5), I32S(0) } },                       \
    { "int8", TO32(name_), .in = { QUANT(INT8, 0.5f, 3, 3, 40), I32_SCALAR(1) } },                                    \
    { "uint8", TO32(name_), .in = { QUANT(UINT8, 0.5f, 3, 3, 40), I32_SCALAR(1) } },                                  \
    { "int32", TO64(name_), .in = { TENSOR(INT32, 4, 7), I32_SCALAR(0) } },                                           \
    { "bool", TO32(name_), .in = { TENSOR(BOOL, 4, 7), I32_SCALAR(1) } },                                             \
    { "empty result", TO32(name_), .in = { F32(0, 5), I32_SCALAR(1) } },                                              \
    { "empty axis", TO32(name_), .in = { F32(5, 0), I32_SCALAR(1) }, .fails = "is empty" },                           \
    { "axis beyond", TO32(name_), .in = { F32(5), I32_SCALAR(1) }, .fails = "axis 1" },                               \
    { "float output", .in = { F32(5), I32_SCALAR(0) }, .fails = "FLOAT32" },                                          \
    { 0 }

const struct op_case arg_max_cases[] = { ARG_CASES(arg_max) };

const struct op_case arg_min_cases[] = { ARG_CASES(arg_min) };
