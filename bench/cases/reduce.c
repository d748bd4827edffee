/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - cases of MEAN, SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ANY, REDUCE_ALL. */
#include <math.h>

#include "bench/opcheck/opcheck.h"

#define KEEP .opt = &(struct opt_reducer){ true }

/* The GPU's tolerance in both precisions; 0: the defaults. */
#define WITHIN(tol_) .gpu_tol = tol_, .gpu_tol_fp16 = tol_

/* x_ makes an input from its dimensions. */
#define AXIS_CASES(x_, type_) AXIS_CASES_WITHIN(x_, type_, 0)
#define AXIS_CASES_WITHIN(x_, type_, tol_)                                                                            \
    { #type_ " height and width, kept", KEEP, .in = { x_(2, 3, 5, 3), I32S(1, 2) }, WITHIN(tol_) },                   \
    { #type_ " width and height", .in = { x_(2, 3, 5, 3), I32S(2, 1) }, WITHIN(tol_) },                               \
    { #type_ " channels", .in = { x_(2, 3, 5, 3), I32S(3) }, WITHIN(tol_) },                                          \
    { #type_ " batch", .in = { x_(3, 2, 5), I32S(0) }, WITHIN(tol_) },                                                \
    { #type_ " outer and inner", .in = { x_(3, 2, 5), I32S(0, 2) }, WITHIN(tol_) },                                   \
    { #type_ " all", .in = { x_(3, 2, 5), I32S(0, 1, 2) }, WITHIN(tol_) }

/* x_ makes an input, long_ a long one; tol_ as in WITHIN. */
#define FLOAT_CASES(x_, long_, tol_)                                                                                  \
    AXIS_CASES_WITHIN(x_, FLOAT32, tol_),                                                                             \
    { "negative and repeated axes", KEEP, .in = { x_(3, 2, 5), I32S(-1, 2, -3) }, WITHIN(tol_) },                     \
    { "scalar axis", .in = { x_(3, 2, 5), I32_SCALAR(1) } },                                                          \
    { "no axes", .in = { F32(3, 5), {TYPE_INT32, .rank = 1, .dim = {0}, .fill = FILL_GIVEN, .constant = true,         \
                                     .data = (int32_t[]){0}} }, .no_golden = true },                                  \
    { "of a scalar", .in = { F32_SCALAR, I32S(0) } },                                                                 \
    { "rank 6", .in = { x_(2, 3, 2, 3, 2, 2), I32S(1, 4) } },                                                         \
    { "every other axis, rank 6", KEEP, .in = { x_(2, 3, 2, 1, 3, 5), I32S(0, 2, 4) }, WITHIN(tol_) },                \
    { "pixels of groups, rank 5", KEEP, .in = { x_(1, 3, 2, 4, 5), I32S(1, 2, 4) }, WITHIN(tol_) },                   \
    { "channels, rank 5", .in = { x_(2, 3, 1, 2, 7), I32S(-1) }, WITHIN(tol_) },                                      \
    { "frames, rank 5", .in = { x_(1, 5, 2, 3, 6), I32S(1) }, WITHIN(tol_) },                                         \
    { "long", .in = { long_(1, 513), I32S(1) }, WITHIN(tol_) },                                                       \
    { "many pixels", KEEP, .in = { long_(1, 37, 41, 3), I32S(1, 2) }, WITHIN(tol_) },                                 \
    { "axes known while running", .in = { x_(3, 2, 5), {TYPE_INT32, CASE_DIMS(1), .lo = 1, .hi = 1} } },              \
    { "specials", .in = { F32_SPECIAL(8, 16), I32S(1) } },                                                            \
    { "specials, columns", .in = { F32_SPECIAL(4, 16), I32S(0) } },                                                   \
    { "specials, all", .in = { F32_SPECIAL(16), I32S(0) } },                                                          \
    { "empty", .in = { F32(2, 0, 3), I32S(1) } },                                                                     \
    { "empty result", .in = { F32(2, 0, 3), I32S(0) } },                                                              \
    { "axis beyond", .in = { F32(3, 2), I32S(2) }, .fails = "axis 2" },                                               \
    { "types differ", .in = { F32(3, 2), I32S(1) }, .out = { {TYPE_INT32} }, .fails = "must be the same" }
/* llvmpipe ends the loops of an invocation after 65535 passes. That many, and one more, over W alone: its loop is the third. Of the
 * n terms in -1 ... 1 of a single output, sqrt(n / 3) is left on average (typical_). */
#define LONG_CASES(x_, typical_)                                                                                      \
    { "long loops, as long as they may be", .in = { x_(1, 1, 65530, 3), I32S(2) } },                                  \
    { "long loops, one pass more", .in = { x_(1, 1, 65531, 3), I32S(2) } },                                           \
    { "long loops, height", .in = { x_(1, 70001, 1, 5), I32S(1) } },                                                  \
    { "long loops, batch", .in = { x_(70001, 1, 1, 2), I32S(0) } },                                                   \
    { "long loops, channels", .typical = typical_, .in = { x_(300000), I32S(0) } },                                                        \
    { "long loops, all", .typical = typical_, .in = { x_(2, 131, 257, 7), I32S(0, 1, 2, 3) } },                                            \
    { "long loops, some", KEEP, .in = { x_(3, 307, 5, 433), I32S(1, 3) } }
#define I8(...) QUANT(INT8, 0.5f, -3, __VA_ARGS__)
#define U8(...) QUANT(UINT8, 0.5f, 100, __VA_ARGS__)
#define I16(...) QUANT(INT16, 0.5f, 0, __VA_ARGS__)
#define I32(...) {TYPE_INT32, CASE_DIMS(__VA_ARGS__), .lo = -99, .hi = 99}
#define I64(...) {TYPE_INT64, CASE_DIMS(__VA_ARGS__), .lo = -99, .hi = 99}

#define INT_EXTREMES                                                                                                  \
    { "int32 extremes", .in = { SPECIAL(INT32, 3, 9), I32S(1) } },                                                    \
    { "int64 extremes", .in = { SPECIAL(INT64, 3, 9), I32S(1) } }

/* Sums and means whose output has a scale of its own. */
#define UINT8_RESCALE_CASES                                                                                           \
    { "uint8 rescaled", KEEP, .in = { U8(2, 3, 5, 3), I32S(1, 2) }, .out = { {TYPE_UINT8, .scale = 0.3f, .zero_point = 7} } },   \
    { "uint8 rescaled, channels", .in = { U8(2, 3, 5, 7), I32S(3) }, .out = { {TYPE_UINT8, .scale = 1.9f, .zero_point = 99} } }

#define RESCALE_CASES                                                                                                 \
    UINT8_RESCALE_CASES,                                                                                              \
    { "int8 rescaled", KEEP, .in = { I8(2, 3, 5, 3), I32S(1, 2) }, .out = { {TYPE_INT8, .scale = 0.3f, .zero_point = 7} } },     \
    { "int8 rescaled, channels", .in = { I8(2, 3, 5, 7), I32S(3) }, .out = { {TYPE_INT8, .scale = 1.9f, .zero_point = -7} } },   \
    { "int16 rescaled", KEEP, .in = { I16(2, 3, 5, 3), I32S(1, 2) }, .out = { {TYPE_INT16, .scale = 0.3f} } },        \
    { "int8 empty", .in = { I8(2, 0, 3), I32S(1) } }

#define QUANT_REFUSALS                                                                                                \
    { "int16 with a zero point", .in = { QUANT(INT16, 0.5f, 1, 3), I32S(0) }, .fails = "must be 0" },                 \
    { "no output scale", .in = { I8(3), I32S(0) }, .out = { {TYPE_INT8, .scale = 1e-30f} }, .fails = "usable ratio" }

const struct op_case mean_cases[] = {
    FLOAT_CASES(F32, F32, 0),
    LONG_CASES(F32, 9e-4),
    { "long loops, a square of 512", .typical = 1e-3, .in = { F32(1, 512, 512), I32S(1, 2) } },
    { "long loops, columns of 2100", .typical = 1e-3, .in = { F32(1, 2100, 128), I32S(1, 2) } },
    { "long loops, a second of sound", .typical = 2e-3, .in = { F32(1, 44100, 1, 2), I32S(1, 3) } },
    AXIS_CASES(I8, INT8),
    AXIS_CASES(U8, UINT8),
    AXIS_CASES(I16, INT16),
    AXIS_CASES(I32, INT32),
    AXIS_CASES(I64, INT64),
    RESCALE_CASES,
    QUANT_REFUSALS,
    { "int32 empty", .in = { I32(2, 0, 3), I32S(1) } },
    INT_EXTREMES,
    { "int32, long loops", .in = { SPECIAL(INT32, 65539, 3), I32S(0) } },
    { "int64, long loops, all", .in = { SPECIAL(INT64, 3, 65539), I32S(0, 1) } },
    { "int64, every other axis of rank 6", .in = { SPECIAL(INT64, 2, 3, 2, 1, 3, 5), I32S(0, 2, 4) } },
    { "bool", .in = { TENSOR(BOOL, 2, 3), I32S(1) }, .fails = "BOOL" },
    { "int8 without scales", .in = { TENSOR(INT8, 2, 5, 7), I32S(1) } },
    { 0 }
};

/* The reference kernel of SUM in LiteRT 2.3 reads INT8 and INT16 as if they were UINT8, so its outputs are of no use. */
#define B(...) TENSOR(BOOL, __VA_ARGS__)
#define BOOL_EMPTY { "BOOL, empty", .in = { B(2, 0), I32S(1) } }
#define BOOL_CASES AXIS_CASES(B, BOOL), BOOL_EMPTY

/* For what is true only where all elements are: one is not. */
static const uint8_t all_but_one[90] = {[0 ... 3] = 1, [5 ... 89] = 1};
#define MOSTLY(...) {TYPE_BOOL, CASE_DIMS(__VA_ARGS__), .fill = FILL_GIVEN, .data = all_but_one}
#define MOSTLY_CASES AXIS_CASES(MOSTLY, BOOL), BOOL_EMPTY

const struct op_case sum_cases[] = {
    FLOAT_CASES(F32, F32, 0),
    LONG_CASES(F32, 300),
    BOOL_CASES,
    AXIS_CASES(U8, UINT8),
    AXIS_CASES(I32, INT32),
    AXIS_CASES(I64, INT64),
    UINT8_RESCALE_CASES,
    QUANT_REFUSALS,
    { "int8, misread by LiteRT", KEEP, .no_golden = true, .in = { I8(2, 3, 5, 3), I32S(1, 2) },
      .out = { {TYPE_INT8, .scale = 0.3f, .zero_point = 7} } },
    { "int16, misread by LiteRT", .no_golden = true, .in = { I16(2, 3, 5, 3), I32S(3) }, .out = { {TYPE_INT16, .scale = 1.3f} } },
    { "int64 extremes", .in = { SPECIAL(INT64, 3, 9), I32S(1) } },
    { "int32 wraps", .in = { {TYPE_INT32, CASE_DIMS(3, 9), .fill = FILL_SPECIAL}, I32S(1) } },
    { "long loops, int32", .in = { TENSOR(INT32, 70001, 3), I32S(0) } },
    { "int64, long loops, rows", .in = { SPECIAL(INT64, 70001, 3), I32S(0) } },
    { "int64, long loops, channels", .in = { SPECIAL(INT64, 2, 65539), I32S(1) } },
    { "int64, one", .in = { SPECIAL(INT64, 1), I32S(0) } },
    { 0 }
};

/* A NaN after the first number, after the extremum and at the end of a line, along both dimensions. */
#define NAN_AMONG_NUMBERS                                                                                             \
    {TYPE_FLOAT32, CASE_DIMS(4, 4), .fill = FILL_GIVEN,                                                               \
     .data = (const float[]){1, NAN, -3, 2, 5, -6, NAN, NAN, -2, 7, 4, NAN, NAN, -8, 9, 1}}

#define EXTREMUM_CASES                                                                                                \
    FLOAT_CASES(F32, F32, 1e-7 /* one of the inputs */),                                                                \
    AXIS_CASES(I8, INT8),                                                                                             \
    AXIS_CASES(U8, UINT8),                                                                                            \
    AXIS_CASES(I16, INT16),                                                                                           \
    AXIS_CASES(I32, INT32),                                                                                           \
    AXIS_CASES(I64, INT64),                                                                                           \
    INT_EXTREMES,                                                                                                     \
    { "NaN among numbers", .in = { NAN_AMONG_NUMBERS, I32S(1) } },                                                    \
    { "NaN among numbers, columns", .in = { NAN_AMONG_NUMBERS, I32S(0) } },                                           \
    { "scales differ", .in = { I8(3), I32S(0) }, .out = { {TYPE_INT8, .scale = 0.25f, .zero_point = -3} }, .fails = "0.25" }

const struct op_case reduce_max_cases[] = {
    EXTREMUM_CASES, BOOL_CASES,
    { "long loops, specials", .in = { F32_SPECIAL(1, 70001, 3), I32S(1) } },
    { "long loops, int32", .in = { SPECIAL(INT32, 263000), I32S(0) } },
    { "long loops, int64", .in = { SPECIAL(INT64, 263000), I32S(0) } },
    { "int64, every other axis of rank 6", .in = { SPECIAL(INT64, 2, 3, 2, 1, 3, 5), I32S(0, 2, 4) } },
    { 0 }
};

const struct op_case reduce_min_cases[] = {
    EXTREMUM_CASES, MOSTLY_CASES,
    { "long loops, int64", .in = { SPECIAL(INT64, 2, 65539, 3), I32S(1) } },
    { "long loops, specials", .in = { F32_SPECIAL(2, 263000), I32S(1) } }, /* one result of all may begin with a NaN */
    { 0 }
};

#define S8(...) {TYPE_INT8, CASE_DIMS(__VA_ARGS__), .lo = -3, .hi = 3}
#define SCALED8(...) QUANT(INT8, 0.02f, 3, __VA_ARGS__)

/* The mean of log|x| is 0 in both, so that products of many elements neither vanish nor overflow. */
#define PROD_F32(...)  F32_IN(-2.71828, 2.71828, __VA_ARGS__)
#define PROD_LONG(...) F32_IN(.5, 1.602, __VA_ARGS__)

const struct op_case reduce_prod_cases[] = {
    FLOAT_CASES(PROD_F32, PROD_LONG, 0),
    { "long loops", .in = { F32_IN(.95, 1.0508, 70001, 2), I32S(0) }, .gpu_tol_fp16 = .2 },
    MOSTLY_CASES,
    AXIS_CASES(I32, INT32),
    AXIS_CASES(I64, INT64),
    INT_EXTREMES,
    AXIS_CASES(S8, INT8),
    { "int64, long loops", .in = { {TYPE_INT64, CASE_DIMS(65539, 2), .lo = 3, .hi = 3}, I32S(0) } },
    { "int64, every other axis of rank 6", .in = { {TYPE_INT64, CASE_DIMS(2, 3, 2, 1, 3, 5), .lo = -9e18, .hi = 9e18}, I32S(1, 3, 5) } },
    AXIS_CASES(SCALED8, INT8 scaled),
    { "int8 rescaled", .in = { QUANT(INT8, 0.02f, 3, 5, 3), I32S(1) }, .out = { {TYPE_INT8, .scale = 0.05f, .zero_point = 9} } },
    { "int16 scaled", .in = { QUANT(INT16, 0.0001f, 0, 5, 3), I32S(1) }, .out = { {TYPE_INT16, .scale = 0.0003f} } },
    { 0 }
};

/* As an array with a designator it would keep the linter busy for minutes. */
static const struct {
    uint8_t zeros[262999], one;
} last_of_many = {.one = 1};

const struct op_case reduce_any_cases[] = {
    AXIS_CASES(B, BOOL),
    { "empty", .in = { B(2, 0), I32S(1) } },
    { "float", .in = { F32(2, 3), I32S(1) }, .fails = "FLOAT32" },
    { "long loops, the last one", .in = { {TYPE_BOOL, CASE_DIMS(263000), .fill = FILL_GIVEN, .data = &last_of_many}, I32S(0) } },
    { 0 }
};

const struct op_case reduce_all_cases[] = {
    AXIS_CASES(MOSTLY, BOOL),
    { "empty", .in = { B(2, 0), I32S(1) } },
    { "float", .in = { F32(2, 3), I32S(1) }, .fails = "FLOAT32" },
    { 0 }
};
