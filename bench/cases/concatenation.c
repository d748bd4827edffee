/* SPDX-License-Identifier: Apache-2.0 */
/* concatenation.c - cases of CONCATENATION, PACK. */
#include "bench/opcheck/opcheck.h"

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
    { "front, rank 5", AXIS(0), .in = { F32(2, 3, 1, 2, 5), F32(1, 3, 1, 2, 5) } },
    { "channels, rank 6", AXIS(5), .in = { F32(2, 1, 3, 2, 1, 5), F32(2, 1, 3, 2, 1, 2), F32(2, 1, 3, 2, 1, 4) } },
    { "in the middle, rank 6, relu6", .opt = &(struct opt_concatenation){ .axis = 3, .activation = ACT_RELU6 }, .no_golden = true,
      .in = { F32_IN(-9, 9, 2, 3, 2, 1, 2, 5), F32_IN(-9, 9, 2, 3, 2, 2, 2, 5) } },
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
    { "to rank 5 in the middle", STACK(3, 2), .in = { F32(2, 3, 2, 5), F32(2, 3, 2, 5), F32(2, 3, 2, 5) } },
    { "to rank 5 at the end", STACK(2, 4), .in = { F32(1, 3, 2, 5), F32(1, 3, 2, 5) } },
    { "to rank 6 at the front", STACK(2, 0), .in = { F32(2, 3, 1, 2, 5), F32(2, 3, 1, 2, 5) } },
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
