/* SPDX-License-Identifier: Apache-2.0 */
/* reverse.c - cases of REVERSE_V2, REVERSE_SEQUENCE. */
#include "bench/opcheck/opcheck.h"

#define AXES(n, ...) {TYPE_INT32, CASE_DIMS(n), .fill = FILL_GIVEN, .data = (const int32_t[]){__VA_ARGS__}}

const struct op_case reverse_cases[] = {
    { "last axis", .in = { F32(2, 3, 5), I32S(2) } },
    { "first axis", .in = { F32(2, 3, 5), I32S(0) } },
    { "negative", .in = { F32(2, 3, 5), I32S(-2) } },
    { "two axes", .in = { F32(2, 3, 5), I32S(1, 2) } },
    { "one axis, rank 5", .in = { F32(2, 1, 3, 2, 5), I32S(2) } },
    { "three axes, rank 6", .in = { F32(2, 3, 1, 2, 3, 5), I32S(3, 4, 5) } },
    { "three axes apart, rank 6 (TFLite wants neighbours)", .no_golden = true, .in = { F32(2, 3, 1, 2, 3, 5), I32S(0, 3, 5) } },
    { "empty", .in = { F32(2, 0, 5), I32S(1) } },
    { "axis known while running", .in = { F32(2, 3), {TYPE_INT32, CASE_DIMS(1), .lo = 1, .hi = 1} } },
    { "two axes known while running, rank 5", .in = { F32(2, 3, 1, 2, 5), AXES(2, -2, 2) } },
    { "int64, axes known while running", .in = { SPECIAL(INT64, 2, 3, 5), AXES(2, 0, 1) } },
    { "int8, axis known while running", .in = { QUANT(INT8, 0.5f, 3, 2, 3, 4), AXES(1, 2) } },
    { "bool, axis known while running", .in = { TENSOR(BOOL, 2, 9), AXES(1, -1) } },
    { "int16", .in = { TENSOR(INT16, 2, 3), I32S(1) } },
    { "int32", .in = { TENSOR(INT32, 2, 3), I32S(1) } },
    { "int64", .in = { TENSOR(INT64, 2, 3), I32S(1) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 2, 3), I32S(1) } },
    { "bool", .in = { TENSOR(BOOL, 2, 3), I32S(1) } },
    { "twice", .in = { F32(2, 3), I32S(1, -1) }, .fails = "named twice" },
    { "beyond", .in = { F32(2, 3), I32S(2) }, .fails = "axis 2" },
    { "far beyond", .in = { F32(2, 3), I32S(100000000) }, .fails = "axis 100000000" },
    { "before the first", .in = { F32(2, 3), I32S(-3) }, .fails = "axis -3" },
    { 0 }
};

#define DIMS(s, b) .opt = &(struct opt_reverse_sequence){ s, b }
#define LENGTHS(hi_, n) {TYPE_INT32, CASE_DIMS(n), .lo = 1, .hi = (hi_)}

const struct op_case reverse_sequence_cases[] = {
    /* Nothing to reverse: TFLite ends in it, or holds the lengths against dimension 0. */
    { "rows", .skip_golden = ", 0.0+1.0 empty|, 0.1 empty", DIMS(1, 0), .in = { F32(4, 5, 3), LENGTHS(5, 4) } },
    { "columns", DIMS(0, 1), .in = { F32(5, 4, 3), LENGTHS(5, 4) } },
    { "apart", DIMS(3, 1), .in = { F32(2, 3, 2, 5), LENGTHS(5, 3) } },
    { "apart, batch behind", DIMS(1, 3), .in = { F32(2, 5, 2, 3), LENGTHS(5, 3) } },
    { "int64 lengths", DIMS(1, 0), .in = { F32(4, 5), {TYPE_INT64, CASE_DIMS(4), .lo = 1, .hi = 5} } },
    { "uint8", DIMS(1, 0), .in = { QUANT(UINT8, 0.5f, 3, 4, 5), LENGTHS(5, 4) } },
    { "int16", DIMS(1, 0), .in = { TENSOR(INT16, 4, 5), LENGTHS(5, 4) } },
    { "int32", DIMS(1, 0), .in = { TENSOR(INT32, 4, 5), LENGTHS(5, 4) } },
    { "int64", DIMS(1, 0), .in = { TENSOR(INT64, 4, 5), LENGTHS(5, 4) } },
    { "too long", DIMS(1, 0), .in = { F32(4, 5), {TYPE_INT32, CASE_DIMS(4), .lo = 6, .hi = 6} }, .fails = "length 0 is 6" },
    { "same dimension", DIMS(1, 1), .in = { F32(4, 5), LENGTHS(5, 5) }, .fails = "seq_dim 1 and batch_dim 1" },
    { "lengths missing", DIMS(1, 0), .in = { F32(4, 5), LENGTHS(5, 3) }, .fails = "a vector of 4" },
    { 0 }
};
