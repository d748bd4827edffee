/* SPDX-License-Identifier: Apache-2.0 */
/* concatenation.c - cases of CONCATENATION, PACK, SPLIT, SPLIT_V, UNPACK, TRANSPOSE. */
#include "../opcheck.h"

#define AXIS(a) .opt = &(struct opt_concatenation){ .axis = (a) }

const struct op_case concatenation_cases[] = {
    { "channels", AXIS(3), .in = { F32(1, 3, 5, 3), F32(1, 3, 5, 1), F32(1, 3, 5, 4) } },
    { "channels by fours", AXIS(3), .in = { F32(1, 3, 2, 4), F32(1, 3, 2, 8), F32(1, 3, 2, 3) } },
    { "eleven inputs", AXIS(-1), .in = { F32(2, 3), F32(2, 1), F32(2, 4), F32(2, 1), F32(2, 5), F32(2, 1), F32(2, 2), F32(2, 4),
                                         F32(2, 3), F32(2, 1), F32(2, 7) } },
    { "batch", AXIS(0), .in = { F32(1, 3, 2), F32(2, 3, 2) } },
    { "height", AXIS(1), .in = { F32(2, 3, 2, 3), F32(2, 1, 2, 3) } },
    { "negative axis", AXIS(-2), .in = { F32(2, 3, 2, 3), F32(2, 3, 4, 3) } },
    { "one input", AXIS(1), .in = { F32(2, 3) } },
    { "with a constant", AXIS(1), .in = { F32(2, 3), CONST_F32(2, 2) } },
    { "vectors", AXIS(0), .in = { F32(2), F32(3), F32(1) } },
    { "scalars", AXIS(0), .in = { {TYPE_FLOAT32, .rank = 0, .constant = true}, {TYPE_FLOAT32, .rank = 0, .constant = true}, {TYPE_FLOAT32, .rank = 0, .constant = true} }, .no_golden = true },
    { "an empty one", AXIS(1), .in = { F32(2, 0), F32(2, 3) } },
    { "all empty", AXIS(0), .in = { F32(0, 3), F32(0, 3) } },
    { "rank 5", AXIS(2), .in = { F32(2, 1, 2, 3, 2), F32(2, 1, 1, 3, 2) } },
    { "relu6", .opt = &(struct opt_concatenation){ .axis = 1, .activation = ACT_RELU6 }, .no_golden = true,
      .in = { F32_IN(-9, 9, 2, 3), F32_IN(-9, 9, 2, 5) } },
    { "uint8, one scale", AXIS(3), .in = { QUANT(UINT8, 0.5f, 128, 1, 3, 3, 3), QUANT(UINT8, 0.5f, 128, 1, 3, 3, 2) } },
    { "uint8, other scales", AXIS(1), .in = { QUANT(UINT8, 0.5f, 128, 2, 60), QUANT(UINT8, 0.3f, 17, 2, 60), QUANT(UINT8, 1.7f, 200, 2, 20) },
      .out = { {TYPE_UINT8, .scale = 0.5f, .zero_point = 128} } },
    { "uint8, all rescaled", AXIS(0), .in = { QUANT(UINT8, 0.5f, 128, 90), QUANT(UINT8, 0.3f, 17, 90) },
      .out = { {TYPE_UINT8, .scale = 0.21f, .zero_point = 99} } },
    { "int8", AXIS(1), .in = { QUANT(INT8, 0.5f, 3, 2, 3), QUANT(INT8, 0.5f, 3, 2, 5) } },
    { "int16", AXIS(1), .in = { QUANT(INT16, 0.5f, 0, 2, 3), QUANT(INT16, 0.5f, 0, 2, 5) } },
    { "int32", AXIS(1), .in = { TENSOR(INT32, 2, 3), TENSOR(INT32, 2, 5) } },
    { "int64", AXIS(1), .in = { TENSOR(INT64, 2, 3), TENSOR(INT64, 2, 5) } },
    { "uint32", AXIS(1), .in = { TENSOR(UINT32, 2, 3), TENSOR(UINT32, 2, 5) } },
    { "bool", AXIS(1), .in = { TENSOR(BOOL, 2, 3), TENSOR(BOOL, 2, 5) } },
    { "int8, scales differ", AXIS(1), .in = { QUANT(INT8, 0.5f, 3, 2, 3), QUANT(INT8, 0.25f, 3, 2, 5) }, .fails = "scale 0.25" },
    { "types differ", AXIS(1), .in = { F32(2, 3), TENSOR(INT32, 2, 3) }, .fails = "must be the same" },
    { "shapes differ", AXIS(1), .in = { F32(2, 3), F32(3, 3) }, .fails = "differ in dimension 0" },
    { "ranks differ", AXIS(1), .in = { F32(2, 3), F32(2) }, .fails = "rank 1" },
    { "axis beyond", AXIS(2), .in = { F32(2, 3), F32(2, 3) }, .fails = "axis 2" },
    { "tanh is not fused", .opt = &(struct opt_concatenation){ .axis = 0, .activation = ACT_TANH }, .in = { F32(2) },
      .fails = "not a clamp" },
    { 0 }
};

#define STACK(n, a) .opt = &(struct opt_pack){ n, a }

const struct op_case stack_cases[] = {
    { "front", STACK(3, 0), .in = { F32(3, 5), F32(3, 5), F32(3, 5) } },
    { "middle", STACK(2, 1), .in = { F32(3, 5), F32(3, 5) } },
    { "end", STACK(2, 2), .in = { F32(3, 5), F32(3, 5) } },
    { "negative axis", STACK(2, -2), .in = { F32(3, 5), F32(3, 5) } },
    { "scalars", STACK(3, 0), .in = { F32_SCALAR, F32_SCALAR, F32_SCALAR } },
    { "one input", STACK(1, 0), .in = { F32(3) } },
    { "int8", STACK(2, 1), .in = { QUANT(INT8, 0.5f, 3, 3, 5), QUANT(INT8, 0.5f, 3, 3, 5) } },
    { "uint8", STACK(2, 1), .in = { QUANT(UINT8, 0.5f, 3, 3, 5), QUANT(UINT8, 0.5f, 3, 3, 5) } },
    { "int16", STACK(2, 1), .in = { TENSOR(INT16, 3, 5), TENSOR(INT16, 3, 5) } },
    { "int32", STACK(2, 1), .in = { TENSOR(INT32, 3, 5), TENSOR(INT32, 3, 5) } },
    { "int64", STACK(2, 1), .in = { TENSOR(INT64, 3, 5), TENSOR(INT64, 3, 5) } },
    { "bool, which TFLite does not pack", STACK(2, 1), .no_golden = true, .in = { TENSOR(BOOL, 3, 5), TENSOR(BOOL, 3, 5) } },
    { "shapes differ", STACK(2, 0), .in = { F32(3), F32(4) }, .fails = "different shapes" },
    { "count differs", STACK(3, 0), .in = { F32(3), F32(3) }, .fails = "says 3 inputs" },
    { "axis beyond", STACK(1, 2), .in = { F32(3) }, .fails = "axis 2" },
    { 0 }
};

#define OUTS2(type_) { {TYPE_##type_}, {TYPE_##type_} }
#define OUTS3(type_) { {TYPE_##type_}, {TYPE_##type_}, {TYPE_##type_} }
#define QOUTS2(type_, s, z) { {TYPE_##type_, .scale = s, .zero_point = z}, {TYPE_##type_, .scale = s, .zero_point = z} }
#define SPLIT(n) .opt = &(struct opt_split){ n }
#define SPLIT_V(n) .opt = &(struct opt_split_v){ n }

const struct op_case split_cases[] = {
    { "channels", SPLIT(3), .in = { I32_SCALAR(3), F32(1, 3, 5, 6) }, .out = OUTS3(FLOAT32) },
    { "height", SPLIT(2), .in = { I32_SCALAR(1), F32(2, 4, 3, 3) }, .out = OUTS2(FLOAT32) },
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
    { "front", UNSTACK(3, 0), .in = { F32(3, 5, 2) }, .out = OUTS3(FLOAT32) },
    { "middle", UNSTACK(2, 1), .in = { F32(3, 2, 5) }, .out = OUTS2(FLOAT32) },
    { "negative axis", UNSTACK(2, -1), .in = { F32(3, 5, 2) }, .out = OUTS2(FLOAT32) },
    { "to scalars", UNSTACK(3, 0), .in = { F32(3) }, .out = OUTS3(FLOAT32) },
    { "int8", UNSTACK(2, 1), .in = { QUANT(INT8, 0.5f, 3, 3, 2, 5) }, .out = QOUTS2(INT8, 0.5f, 3) },
    { "uint8", UNSTACK(2, 1), .in = { QUANT(UINT8, 0.5f, 3, 3, 2, 5) }, .out = QOUTS2(UINT8, 0.5f, 3) },
    { "int16", UNSTACK(2, 1), .in = { TENSOR(INT16, 3, 2) }, .out = OUTS2(INT16) },
    { "int32", UNSTACK(2, 1), .in = { TENSOR(INT32, 3, 2) }, .out = OUTS2(INT32) },
    { "bool", UNSTACK(2, 1), .in = { TENSOR(BOOL, 3, 2) }, .out = OUTS2(BOOL) },
    { "length differs", UNSTACK(2, 0), .in = { F32(3, 2) }, .out = OUTS2(FLOAT32), .fails = "is 3 long, but there are 2" },
    { "axis beyond", UNSTACK(2, 2), .in = { F32(3, 2) }, .out = OUTS2(FLOAT32), .fails = "axis 2" },
    { 0 }
};

const struct op_case transpose_cases[] = {
    { "NHWC to NCHW", .in = { F32(2, 3, 5, 3), I32S(0, 3, 1, 2) } },
    { "NHWC to NCHW, more channels", .in = { F32(2, 3, 3, 6), I32S(0, 3, 1, 2) } },
    { "NCHW to NHWC", .in = { F32(2, 5, 3, 5), I32S(0, 2, 3, 1) } },
    { "2-D", .in = { F32(7, 9), I32S(1, 0) } },
    { "3-D", .in = { F32(3, 4, 5), I32S(2, 0, 1) } },
    { "in place", .in = { F32(3, 4, 5), I32S(0, 1, 2) } },
    { "negative", .in = { F32(3, 4, 5), I32S(-1, 1, 0) } },
    { "rank 5", .in = { F32(2, 3, 2, 3, 2), I32S(4, 1, 3, 0, 2) } },
    { "rank 6", .in = { F32(2, 3, 2, 3, 2, 2), I32S(5, 4, 1, 3, 0, 2) } },
    { "vector", .in = { F32(5), I32S(0) } },
    { "empty", .in = { F32(3, 0, 5), I32S(2, 0, 1) } },
    { "permutation known while running", .in = { F32(3, 5), {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN,
                                                             .data = (int32_t[]){1, 0}} } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 3, 4, 5), I32S(2, 0, 1) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 3, 3, 4, 5), I32S(2, 0, 1) } },
    { "int16", .in = { TENSOR(INT16, 3, 4, 5), I32S(2, 0, 1) } },
    { "int32", .in = { TENSOR(INT32, 3, 4, 5), I32S(2, 0, 1) } },
    { "int64", .in = { TENSOR(INT64, 3, 4, 5), I32S(2, 0, 1) } },
    { "int4", .in = { TENSOR(INT4, 3, 5), I32S(1, 0) } },
    { "bool", .in = { TENSOR(BOOL, 3, 4, 5), I32S(2, 0, 1) } },
    { "strips and a rest", .in = { F32(7, 37), I32S(1, 0) } },
    { "strips and a rest of four", .in = { F32(2, 7, 36), I32S(0, 2, 1) } },
    { "strips of int8", .in = { QUANT(INT8, 0.5f, 3, 7, 37), I32S(1, 0) } },
    { "strips of int16", .in = { TENSOR(INT16, 5, 3, 19), I32S(2, 0, 1) } },
    { "strips of int64", .in = { TENSOR(INT64, 3, 33), I32S(1, 0) } },
    { "large (threads against one)", .no_golden = true, .in = { F32(301, 514), I32S(1, 0) } },
    { "twice the same", .in = { F32(3, 4), I32S(1, 1) }, .fails = "has 1 twice" },
    { "too short", .in = { F32(3, 4), I32S(0) }, .fails = "a permutation of 1 for rank 2" },
    { "beyond", .in = { F32(3, 4), I32S(0, 2) }, .fails = "axis 2" },
    { 0 }
};
