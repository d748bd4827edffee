/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c - cases of FILL, RANGE, ONE_HOT, BROADCAST_ARGS. */
#include <math.h>

#include "bench/cases/inputs.h"

#define SCALAR(type_, t_, v_) {TYPE_##type_, .rank = 0, .fill = FILL_GIVEN, .data = (const t_[]){v_}}
#define CONST_SCALAR(type_, t_, v_) {TYPE_##type_, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const t_[]){v_}}

const struct op_case fill_cases[] = {
    { "float32", .in = { I32S(2, 3), SCALAR(FLOAT32, float, -1.5f) }, .out = { {TYPE_FLOAT32} } },
    { "int64 dimensions", .in = { I64S(2, 3), SCALAR(FLOAT32, float, -1.5f) }, .out = { {TYPE_FLOAT32} } },
    { "dimensions known while running", .in = { RUN_I32S(2, 1, 3), SCALAR(FLOAT32, float, 7) }, .out = { {TYPE_FLOAT32} } },
    { "empty", .in = { I32S(2, 0), SCALAR(FLOAT32, float, 7) }, .out = { {TYPE_FLOAT32} } },
    { "int8", .in = { I32S(2, 3), {TYPE_INT8, .rank = 0, .scale = 0.5f, .zero_point = 3} },
      .out = { {TYPE_INT8, .scale = 0.5f, .zero_point = 3} } },
    { "int16", .in = { I32S(2, 3), {TYPE_INT16, .rank = 0, .scale = 0.5f} }, .out = { {TYPE_INT16, .scale = 0.5f} } },
    { "int32", .in = { I32S(2, 3), SCALAR(INT32, int32_t, -70000) }, .out = { {TYPE_INT32} } },
    { "int64", .in = { I32S(2, 3), SCALAR(INT64, int64_t, 5000000000) }, .out = { {TYPE_INT64} } },
    { "bool", .in = { I32S(2, 3), SCALAR(BOOL, uint8_t, 1) }, .out = { {TYPE_BOOL} } },
    { "strings", .in = { I32S(2, 3), {TYPE_STRING, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const char *const[]){"abc"}} },
      .out = { {TYPE_STRING} } },
    { "NaN", .in = { I32S(2, 3), SCALAR(FLOAT32, float, NAN) }, .out = { {TYPE_FLOAT32} } },
    { "the lowest int64", .in = { I32S(1, 3), SCALAR(INT64, int64_t, INT64_MIN) }, .out = { {TYPE_INT64} } },
    { "a scalar", .in = { {TYPE_INT32, .rank = 1, .dim = {0}, .fill = FILL_GIVEN, .constant = true, .data = (int32_t[]){0}},
                          SCALAR(INT32, int32_t, INT32_MAX) }, .out = { {TYPE_INT32} } },
    { "negative", .in = { I32S(2, -3), SCALAR(FLOAT32, float, 7) }, .out = { {TYPE_FLOAT32} }, .fails = "negative dimension" },
    { "two values", .in = { I32S(2), F32(2) }, .out = { {TYPE_FLOAT32} }, .fails = "2 elements" },
    { "types differ", .in = { I32S(2), F32_SCALAR }, .out = { {TYPE_INT32} }, .fails = "must be the same" },
    { 0 }
};

#define RANGE_OF(type_, t_, a, b, c)                                                                                  \
    .in = { CONST_SCALAR(type_, t_, a), CONST_SCALAR(type_, t_, b), CONST_SCALAR(type_, t_, c) }, .out = { {TYPE_##type_} }
#define RUN_RANGE(type_, t_, a, b, c)                                                                                 \
    .in = { SCALAR(type_, t_, a), SCALAR(type_, t_, b), SCALAR(type_, t_, c) }, .out = { {TYPE_##type_} }

const struct op_case range_cases[] = {
    { "int32", RANGE_OF(INT32, int32_t, 3, 10, 2) },
    { "int32, down", RANGE_OF(INT32, int32_t, 10, -4, -3) },
    { "int32, running", RUN_RANGE(INT32, int32_t, 0, 9, 3) },
    { "int32, empty, which Python cannot fetch", RUN_RANGE(INT32, int32_t, 4, 4, 3), .no_golden = true },
    { "int64", RUN_RANGE(INT64, int64_t, 5000000000, 5000000009, 4) },
    { "float32", RUN_RANGE(FLOAT32, float, 0, 2, 0.1f) },
    { "float32, down", RANGE_OF(FLOAT32, float, 1, -1, -0.3f) },
    { "int32, to the last number", RANGE_OF(INT32, int32_t, INT32_MAX - 5, INT32_MAX, 2) },
    { "int32, over all numbers (TFLite's difference overflows)", .no_golden = true, RUN_RANGE(INT32, int32_t, INT32_MIN, INT32_MAX, 1 << 30) },
    { "float32, to infinity", RUN_RANGE(FLOAT32, float, 0, INFINITY, 1), .fails = "lead from 0 to inf" },
    { "NaN", RUN_RANGE(FLOAT32, float, 0, NAN, 1), .fails = "nan" },
    { "step 0", RUN_RANGE(INT32, int32_t, 0, 9, 0), .fails = "step is 0" },
    { "wrong way", RUN_RANGE(INT32, int32_t, 0, 9, -1), .fails = "no steps of -1 lead from 0 to 9" },
    { "endless", RUN_RANGE(FLOAT32, float, 0, 1e30f, 1), .fails = "1e+30 numbers" },
    { 0 }
};

#define ON_OFF(type_, t_, on, off) SCALAR(type_, t_, on), SCALAR(type_, t_, off)

const struct op_case one_hot_cases[] = {
    { "last axis", .opt = &(struct opt_one_hot){ -1 },
      .in = { {TYPE_INT32, CASE_DIMS(2, 4), .lo = -1, .hi = 5}, I32_SCALAR(5), ON_OFF(FLOAT32, float, 1, 0) }, .out = { {TYPE_FLOAT32} } },
    { "first axis", .opt = &(struct opt_one_hot){ 0 },
      .in = { {TYPE_INT32, CASE_DIMS(2, 3), .lo = 0, .hi = 3}, I32_SCALAR(4), ON_OFF(FLOAT32, float, 2, -1) }, .out = { {TYPE_FLOAT32} } },
    { "middle axis, rank 5", .opt = &(struct opt_one_hot){ 2 },
      .in = { {TYPE_INT32, CASE_DIMS(2, 3, 2, 5), .lo = 0, .hi = 3}, I32_SCALAR(4), ON_OFF(FLOAT32, float, 2, -1) }, .out = { {TYPE_FLOAT32} } },
    { "last axis, rank 6", .opt = &(struct opt_one_hot){ -1 },
      .in = { {TYPE_INT32, CASE_DIMS(2, 1, 3, 2, 2), .lo = 0, .hi = 3}, I32_SCALAR(5), ON_OFF(FLOAT32, float, 2, -1) }, .out = { {TYPE_FLOAT32} } },
    { "middle axis, int64 indices", .opt = &(struct opt_one_hot){ 1 },
      .in = { {TYPE_INT64, CASE_DIMS(2, 3), .lo = 0, .hi = 3}, I32_SCALAR(4), ON_OFF(INT32, int32_t, 7, -1) }, .out = { {TYPE_INT32} } },
    { "int64 indices that 32 bits cut", .opt = &(struct opt_one_hot){ -1 },
      .in = { SPECIAL(INT64, 21), I32_SCALAR(3), ON_OFF(INT8, int8_t, INT8_MAX, INT8_MIN) }, .out = { {TYPE_INT8} } },
    { "infinity and NaN", .opt = &(struct opt_one_hot){ -1 },
      .in = { {TYPE_INT32, CASE_DIMS(3), .lo = -1, .hi = 5}, I32_SCALAR(3), ON_OFF(FLOAT32, float, INFINITY, NAN) },
      .out = { {TYPE_FLOAT32} } },
    { "scalar index", .opt = &(struct opt_one_hot){ -1 },
      .in = { {TYPE_INT32, .rank = 0, .lo = 2, .hi = 2}, I32_SCALAR(4), ON_OFF(INT64, int64_t, 7, -1) }, .out = { {TYPE_INT64} } },
    { "depth known while running", .opt = &(struct opt_one_hot){ -1 },
      .in = { {TYPE_INT32, CASE_DIMS(3), .lo = 0, .hi = 3}, SCALAR(INT32, int32_t, 4), ON_OFF(INT8, int8_t, 7, -1) },
      .out = { {TYPE_INT8} } },
    { "uint8", .opt = &(struct opt_one_hot){ -1 },
      .in = { {TYPE_INT32, CASE_DIMS(3), .lo = 0, .hi = 3}, I32_SCALAR(4), ON_OFF(UINT8, uint8_t, 200, 1) }, .out = { {TYPE_UINT8} } },
    { "bool", .opt = &(struct opt_one_hot){ -1 },
      .in = { {TYPE_INT32, CASE_DIMS(3), .lo = 0, .hi = 3}, I32_SCALAR(4), ON_OFF(BOOL, uint8_t, 1, 0) }, .out = { {TYPE_BOOL} } },
    { "negative depth", .opt = &(struct opt_one_hot){ -1 }, .in = { TENSOR(INT32, 3), I32_SCALAR(-1), F32_SCALAR, F32_SCALAR },
      .out = { {TYPE_FLOAT32} }, .fails = "depth" },
    { "axis beyond", .opt = &(struct opt_one_hot){ 2 }, .in = { TENSOR(INT32, 3), I32_SCALAR(1), F32_SCALAR, F32_SCALAR },
      .out = { {TYPE_FLOAT32} }, .fails = "axis 2" },
    { 0 }
};

const struct op_case broadcast_args_cases[] = {
    { "int32", .in = { RUN_I32S(3, 1, 5), RUN_I32S(4, 1) }, .out = { {TYPE_INT32} } },
    { "int64", .in = { I64S(1, 5), I64S(2, 3, 5) }, .out = { {TYPE_INT64} } },
    { "of a scalar", .in = { RUN_I32S(3, 1, 5), {TYPE_INT32, .rank = 1, .dim = {0}, .fill = FILL_GIVEN, .data = (int32_t[]){0}} },
      .out = { {TYPE_INT32} } },
    { "mismatch", .in = { RUN_I32S(3, 2), RUN_I32S(4, 2) }, .out = { {TYPE_INT32} }, .fails = "3 and 4 in dimension 0" },
    { 0 }
};
