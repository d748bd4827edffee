/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - cases of QUANTIZE, DEQUANTIZE and FAKE_QUANT. */
#include "elementwise.h"

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
    { "int4", .in = { CONST_QUANT(INT4, 0.3f, 1, 3, 7) }, .out = FLOATS },
    { "int4 per channel", .out = FLOATS,
      .in = { {TYPE_INT4, CASE_DIMS(4, 3), .constant = true, .scales = (float[]){0.1f, 0.2f, 0.03f, 0.007f}} } },
    { "int2", .in = { CONST_QUANT(INT2, 0.3f, 0, 3, 7) }, .out = FLOATS },
    { "uint4", .in = { CONST_QUANT(UINT4, 0.3f, 3, 3, 7) }, .out = FLOATS },
    { "not quantized", .in = { TENSOR(INT8, 2) }, .out = FLOATS, .no_golden = true, .fails = "no quantization" },
    { "int64", .in = { TENSOR(INT64, 2) }, .out = FLOATS, .fails = "INT64" },
    { 0 }
};

#define TO(type_, scale_, zero_) { {TYPE_##type_, .scale = (scale_), .zero_point = (zero_)} }

/* C++ leaves open which integers NaN and what is out of range become. */
#define APART .apart = "special values"

const struct op_case quantize_cases[] = {
    { "int8 to uint8, many", .in = { QUANT(INT8, 0.037f, -11, 5, 67) }, .out = TO(UINT8, 0.05f, 131) },
    { "float32 to int8, zero point out of range", APART, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(INT8, 0.02f, -1000) },
    { "float32 to int8", APART, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(INT8, 0.02f, -5) },
    { "float32 to uint8", APART, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(UINT8, 0.02f, 120) },
    { "float32 to int16", APART, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(INT16, 0.0001f, 0) },
    { "float32 to int8, halves", .in = { {TYPE_FLOAT32, CASE_DIMS(8), .fill = FILL_GIVEN,
                                          .data = (float[]){-2.5f, -1.5f, -0.5f, -0.49999997f, 0.49999997f, 0.5f, 1.5f, 2.5f}} },
      .out = TO(INT8, 1, 0) },
    { "int8 to int8", .in = { QUANT(INT8, 0.03f, 7, 3, 7, 5) }, .out = TO(INT8, 0.05f, -9) },
    { "int8 to uint8, same scale", .in = { QUANT(INT8, 0.05f, 0, 3, 7, 5) }, .out = TO(UINT8, 0.05f, 128) },
    { "uint8 to int8", .in = { QUANT(UINT8, 0.07f, 100, 3, 7, 5) }, .out = TO(INT8, 0.05f, -9) },
    { "uint8 to uint8", .in = { QUANT(UINT8, 0.01f, 100, 3, 7, 5) }, .out = TO(UINT8, 0.05f, 9) },
    { "int8 to int16", .in = { QUANT(INT8, 0.03f, 7, 3, 7, 5) }, .out = TO(INT16, 0.0002f, 0) },
    { "uint8 to int16, saturating", .in = { QUANT(UINT8, 0.07f, 100, 3, 7, 5) }, .out = TO(INT16, 0.00007f, 3) },
    { "int16 to int8", .in = { QUANT(INT16, 0.0001f, 0, 3, 7, 5) }, .out = TO(INT8, 0.03f, 3) },
    { "int16 to int16", .in = { QUANT(INT16, 0.0001f, 0, 3, 7, 5) }, .out = TO(INT16, 0.00007f, 0) },
    { "int16 to int32", .in = { QUANT(INT16, 0.0001f, 0, 3, 7, 5) }, .out = TO(INT32, 0.00003f, 0) },
    { "int32 to int8", .in = { {TYPE_INT32, CASE_DIMS(3, 7), .lo = -9999, .hi = 9999, .scale = 0.001f} },
      .out = TO(INT8, 0.07f, 3) },
    { "int32 to int16", .in = { {TYPE_INT32, CASE_DIMS(3, 7), .lo = -9999, .hi = 9999, .scale = 0.001f} },
      .out = TO(INT16, 0.0007f, 0) },
    { "float32 to int4", APART, .in = { F32_IN(-3, 3, 3, 7) }, .out = TO(INT4, 0.3f, 1) },
    { "float32 to int8 per channel", .in = { F32_IN(-3, 3, 3, 7, 4) },
      .out = { {TYPE_INT8, CASE_DIMS(3, 7, 4), .scales = (float[]){0.1f, 0.2f, 0.03f, 0.02f}, .channel_dim = 2} } },
    { "float32 to int64", .in = { F32(2) }, .out = { {TYPE_INT64} }, .no_golden = true, .fails = "INT64" },
    { "no scale", .in = { F32(2) }, .out = { {TYPE_INT8} }, .no_golden = true, .fails = "no quantization" },
    { 0 }
};

const struct op_case fake_quant_cases[] = {
    { "8 bits", .opt = &(struct opt_fake_quant){ -1.3f, 2.1f, 8, false }, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "8 bits, narrow (TFLite leaves that to weights)", .opt = &(struct opt_fake_quant){ -1.3f, 2.1f, 8, true },
      .no_golden = true, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "4 bits, from 0", .opt = &(struct opt_fake_quant){ 0, 2.1f, 4, false }, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "16 bits", .opt = &(struct opt_fake_quant){ -2, 0, 16, false }, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "17 bits", .opt = &(struct opt_fake_quant){ -2, 1, 17, false }, .in = { F32(3) }, .no_golden = true, .fails = "17 bits" },
    { "range without 0", .opt = &(struct opt_fake_quant){ 1, 2, 8, false }, .in = { F32(3) }, .no_golden = true,
      .fails = "does not hold 0" },
    { 0 }
};
