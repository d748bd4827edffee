/* SPDX-License-Identifier: Apache-2.0 */
/* dequantize.c - cases of DEQUANTIZE. */
#include "bench/opcheck/opcheck.h"

#define FLOATS { {TYPE_FLOAT32} }

const struct op_case dequantize_cases[] = {
    { "float16 constant", .in = { CONST_F16(3, 7, 5) }, .out = FLOATS },
    { "float16 constant, special values", .in = { {TYPE_FLOAT16, CASE_DIMS(21), .fill = FILL_SPECIAL, .constant = true} },
      .out = FLOATS },
    { "int8", .in = { QUANT(INT8, 0.037f, -11, 3, 7, 5) }, .out = FLOATS },
    { "uint8", .in = { QUANT(UINT8, 0.037f, 131, 3, 7, 5) }, .out = FLOATS },
    { "int16", .in = { QUANT(INT16, 0.0001f, 0, 3, 7, 5) }, .out = FLOATS },
    { "int8 per channel", .out = FLOATS,
      .in = { {TYPE_INT8, CASE_DIMS(4, 3, 5), .constant = true, .scales = (float[]){0.1f, 0.2f, 0.03f, 0.007f}} } },
    { "int8 per channel, last dimension", .out = FLOATS,
      .in = { {TYPE_INT8, CASE_DIMS(3, 5, 4), .constant = true, .scales = (float[]){0.1f, 0.2f, 0.03f, 0.007f},
               .channel_dim = 2} } },
    { "int8 per channel, at run time", .out = FLOATS,
      .in = { {TYPE_INT8, CASE_DIMS(3, 5, 6), .scales = (float[]){0.1f, 0.2f, 0.03f, 0.007f, 0.5f}, .channel_dim = 1} } },
    { "uint8 per channel, at run time, zero points, last dimension", .out = FLOATS,
      .in = { {TYPE_UINT8, CASE_DIMS(3, 5), .scales = (float[]){0.1f, 0.2f, 0.03f, 0.007f, 0.5f}, .zero_point = 9,
               .channel_dim = 1} } },
    { "int4", .in = { CONST_QUANT(INT4, 0.3f, 1, 3, 7) }, .out = FLOATS },
    { "int4 per channel", .out = FLOATS,
      .in = { {TYPE_INT4, CASE_DIMS(4, 3), .constant = true, .scales = (float[]){0.1f, 0.2f, 0.03f, 0.007f}} } },
    { "int2", .in = { CONST_QUANT(INT2, 0.3f, 0, 3, 7) }, .out = FLOATS },
    { "uint4", .in = { CONST_QUANT(UINT4, 0.3f, 3, 3, 7) }, .out = FLOATS },
    { "int8, large (fast against reference)", .no_golden = true, .in = { QUANT(INT8, 0.037f, -11, 37, 53, 67) }, .out = FLOATS },
    { "int16, large (fast against reference)", .no_golden = true, .in = { QUANT(INT16, 0.0001f, 0, 37, 53, 67) }, .out = FLOATS },
    { "int8 per channel, large (fast against reference)", .no_golden = true, .out = FLOATS,
      .in = { {TYPE_INT8, CASE_DIMS(37, 4, 451), .constant = true, .scales = (float[]){0.1f, 0.2f, 0.03f, 0.007f}, .channel_dim = 1} } },
    { "int4, large (fast against reference)", .no_golden = true, .in = { CONST_QUANT(INT4, 0.3f, 1, 37, 53, 67) }, .out = FLOATS },
    { "not quantized", .in = { TENSOR(INT8, 2) }, .out = FLOATS, .no_golden = true, .fails = "no quantization" },
    { "int64", .in = { TENSOR(INT64, 2) }, .out = FLOATS, .fails = "INT64" },
    { 0 }
};
