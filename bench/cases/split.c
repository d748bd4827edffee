/* SPDX-License-Identifier: Apache-2.0 */
/* split.c - cases of SPLIT, SPLIT_V, UNPACK. */
#include "bench/opcheck/opcheck.h"

#define OUTS2(type_) { {TYPE_##type_}, {TYPE_##type_} }
#define OUTS3(type_) { {TYPE_##type_}, {TYPE_##type_}, {TYPE_##type_} }
#define QOUTS2(type_, s, z) { {TYPE_##type_, .scale = s, .zero_point = z}, {TYPE_##type_, .scale = s, .zero_point = z} }
#define SPLIT(n) .opt = &(struct opt_split){ n }
#define SPLIT_V(n) .opt = &(struct opt_split_v){ n }

const struct op_case split_cases[] = {
    { "channels", SPLIT(3), .in = { I32_SCALAR(3), F32(1, 3, 5, 6) }, .out = OUTS3(FLOAT32) },
    { "height", SPLIT(2), .in = { I32_SCALAR(1), F32(2, 4, 3, 3) }, .out = OUTS2(FLOAT32) },
    { "channels, rank 5", SPLIT(3), .in = { I32_SCALAR(4), F32(2, 3, 1, 5, 6) }, .out = OUTS3(FLOAT32) },
    { "in the middle, rank 6", SPLIT(2), .in = { I32_SCALAR(2), F32(2, 3, 4, 2, 3, 5) }, .out = OUTS2(FLOAT32) },
    { "front, rank 5", SPLIT(2), .in = { I32_SCALAR(0), F32(4, 3, 2, 3, 5) }, .out = OUTS2(FLOAT32) },
    { "negative axis", SPLIT(2), .in = { I32S(-1), F32(3, 10) }, .out = OUTS2(FLOAT32) },
    { "axis known while running", SPLIT(2), .in = { {TYPE_INT32, .rank = 1, .dim = {1}, .lo = 1, .hi = 1}, F32(3, 10) },
      .out = OUTS2(FLOAT32) },
    { "int8", SPLIT(2), .in = { I32_SCALAR(1), QUANT(INT8, 0.5f, 2, 3, 10) }, .out = QOUTS2(INT8, 0.5f, 2) },
    { "uint8", SPLIT(2), .in = { I32_SCALAR(1), QUANT(UINT8, 0.5f, 2, 3, 10) }, .out = QOUTS2(UINT8, 0.5f, 2) },
    { "int16", SPLIT(2), .in = { I32_SCALAR(1), TENSOR(INT16, 3, 10) }, .out = OUTS2(INT16) },
    { "int32", SPLIT(2), .in = { I32_SCALAR(1), TENSOR(INT32, 3, 10) }, .out = OUTS2(INT32) },
    { "unequal", SPLIT(2), .in = { I32_SCALAR(1), F32(3, 5) }, .out = OUTS2(FLOAT32), .fails = "does not split into 2" },
    { "count differs", SPLIT(3), .in = { I32_SCALAR(1), F32(3, 6) }, .out = OUTS2(FLOAT32), .fails = "says 3 outputs" },
    { "types differ", SPLIT(2), .in = { I32_SCALAR(1), F32(3, 6) }, .out = OUTS2(INT32), .fails = "must be the same" },
    { 0 }
};

const struct op_case split_v_cases[] = {
    { "channels", SPLIT_V(3), .in = { F32(1, 3, 5, 7), I32S(3, 0, 4), I32_SCALAR(3) }, .out = OUTS3(FLOAT32) },
    { "rank 5", SPLIT_V(2), .in = { F32(2, 3, 5, 2, 7), I32S(1, 4), I32_SCALAR(2) }, .out = OUTS2(FLOAT32) },
    { "the rest", SPLIT_V(3), .in = { F32(7, 5), I32S(3, -1, 2), I32_SCALAR(0) }, .out = OUTS3(FLOAT32) },
    { "negative axis", SPLIT_V(2), .in = { F32(2, 5, 3), I32S(1, 4), I32_SCALAR(-2) }, .out = OUTS2(FLOAT32) },
    { "int64 sizes", SPLIT_V(2), .in = { F32(2, 5), {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .constant = true,
                                                     .data = (int64_t[]){1, 4}}, I32_SCALAR(1) }, .out = OUTS2(FLOAT32) },
    { "sizes known while running", SPLIT_V(2), .in = { F32(2, 5), {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN,
                                                                   .data = (int32_t[]){1, 4}}, I32_SCALAR(1) },
      .out = OUTS2(FLOAT32) },
    { "int8", SPLIT_V(2), .in = { QUANT(INT8, 0.5f, 2, 2, 5), I32S(1, 4), I32_SCALAR(1) }, .out = QOUTS2(INT8, 0.5f, 2) },
    { "uint8", SPLIT_V(2), .in = { QUANT(UINT8, 0.5f, 2, 2, 5), I32S(1, 4), I32_SCALAR(1) }, .out = QOUTS2(UINT8, 0.5f, 2) },
    { "int16", SPLIT_V(2), .in = { TENSOR(INT16, 2, 5), I32S(1, 4), I32_SCALAR(1) }, .out = OUTS2(INT16) },
    { "int32", SPLIT_V(2), .in = { TENSOR(INT32, 2, 5), I32S(1, 4), I32_SCALAR(1) }, .out = OUTS2(INT32) },
    { "int64", SPLIT_V(2), .in = { TENSOR(INT64, 2, 5), I32S(1, 4), I32_SCALAR(1) }, .out = OUTS2(INT64) },
    { "wrong sum", SPLIT_V(2), .in = { F32(2, 5), I32S(1, 3), I32_SCALAR(1) }, .out = OUTS2(FLOAT32), .fails = "add up to 4" },
    { "two rests", SPLIT_V(2), .in = { F32(2, 5), I32S(-1, -1), I32_SCALAR(1) }, .out = OUTS2(FLOAT32), .fails = "size 1 is -1" },
    { "three sizes", SPLIT_V(2), .in = { F32(2, 5), I32S(1, 2, 2), I32_SCALAR(1) }, .out = OUTS2(FLOAT32), .fails = "a vector of 2" },
    { 0 }
};

#define UNSTACK(n, a) .opt = &(struct opt_unpack){ n, a }

const struct op_case unstack_cases[] = {
    /* Slices without elements; TFLite refuses them. */
    { "front", .skip_golden = ", 0.1 empty|, 0.2 empty", UNSTACK(3, 0), .in = { F32(3, 5, 2) }, .out = OUTS3(FLOAT32) },
    { "middle", UNSTACK(2, 1), .in = { F32(3, 2, 5) }, .out = OUTS2(FLOAT32) },
    { "negative axis", UNSTACK(2, -1), .in = { F32(3, 5, 2) }, .out = OUTS2(FLOAT32) },
    { "to scalars", UNSTACK(3, 0), .in = { F32(3) }, .out = OUTS3(FLOAT32) },
    { "query, key, value of rank 5", UNSTACK(3, 2), .in = { F32(2, 4, 3, 2, 5) }, .out = OUTS3(FLOAT32) },
    { "rank 6, last axis", UNSTACK(2, 5), .in = { F32(2, 3, 1, 2, 5, 2) }, .out = OUTS2(FLOAT32) },
    { "int8", UNSTACK(2, 1), .in = { QUANT(INT8, 0.5f, 3, 3, 2, 5) }, .out = QOUTS2(INT8, 0.5f, 3) },
    { "uint8", UNSTACK(2, 1), .in = { QUANT(UINT8, 0.5f, 3, 3, 2, 5) }, .out = QOUTS2(UINT8, 0.5f, 3) },
    { "int16", UNSTACK(2, 1), .in = { TENSOR(INT16, 3, 2) }, .out = OUTS2(INT16) },
    { "int32", UNSTACK(2, 1), .in = { TENSOR(INT32, 3, 2) }, .out = OUTS2(INT32) },
    { "bool", UNSTACK(2, 1), .in = { TENSOR(BOOL, 3, 2) }, .out = OUTS2(BOOL) },
    { "length differs", UNSTACK(2, 0), .in = { F32(3, 2) }, .out = OUTS2(FLOAT32), .fails = "is 3 long, but there are 2" },
    { "axis beyond", UNSTACK(2, 2), .in = { F32(3, 2) }, .out = OUTS2(FLOAT32), .fails = "axis 2" },
    { 0 }
};
