/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - cases of QUANTIZE. */
#include "bench/opcheck/opcheck.h"

#define TO(type_, scale_, zero_) { {TYPE_##type_, .scale = (scale_), .zero_point = (zero_)} }

/* C++ leaves open which integers NaN and what is out of range become. */
#define NOT_GOLDEN .skip_golden = "special values"

/* Beyond every chunk and thread's piece of the fast kernels; too long as text. */
#define LARGE .no_golden = true

const struct op_case quantize_cases[] = {
    { "int8 to uint8, many", .in = { QUANT(INT8, 0.037f, -11, 5, 67) }, .out = TO(UINT8, 0.05f, 131) },
    { "float32 to int8, zero point out of range", NOT_GOLDEN, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(INT8, 0.02f, -1000) },
    { "float32 to int8", NOT_GOLDEN, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(INT8, 0.02f, -5) },
    { "float32 to uint8", NOT_GOLDEN, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(UINT8, 0.02f, 120) },
    { "float32 to int16", NOT_GOLDEN, .in = { F32_IN(-3, 3, 3, 7, 5) }, .out = TO(INT16, 0.0001f, 0) },
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
    { "float32 to int4", NOT_GOLDEN, .in = { F32_IN(-3, 3, 3, 7) }, .out = TO(INT4, 0.3f, 1) },
    { "float32 to int8 per channel", .in = { F32_IN(-3, 3, 3, 7, 4) },
      .out = { {TYPE_INT8, CASE_DIMS(3, 7, 4), .scales = (float[]){0.1f, 0.2f, 0.03f, 0.02f}, .channel_dim = 2} } },
    { "float32 to uint8 per channel, zero points", .in = { F32_IN(-3, 3, 5, 7) },
      .out = { {TYPE_UINT8, CASE_DIMS(5, 7), .scales = (float[]){0.1f, 0.2f, 0.03f, 0.02f, 0.5f}, .zero_point = 100} } },
    { "float32 to int8 per channel, last dimension", .in = { F32_IN(-3, 3, 2, 3, 5) },
      .out = { {TYPE_INT8, CASE_DIMS(2, 3, 5), .scales = (float[]){0.1f, 0.2f, 0.03f, 0.02f, 0.5f}, .channel_dim = 2} } },
    { "float32 to int16 per channel", .in = { F32_IN(-3, 3, 2, 3, 5) },
      .out = { {TYPE_INT16, CASE_DIMS(2, 3, 5), .scales = (float[]){0.1f, 0.002f, 0.0003f}, .channel_dim = 1} } },
    { "float32 to int64", .in = { F32(2) }, .out = { {TYPE_INT64} }, .no_golden = true, .fails = "INT64" },
    { "float32 to int8, large (fast against reference)", LARGE, .in = { F32_IN(-3, 3, 37, 53, 67) }, .out = TO(INT8, 0.02f, -5) },
    { "float32 to uint8, large (fast against reference)", LARGE, .in = { F32_IN(-3, 3, 37, 53, 67) }, .out = TO(UINT8, 0.02f, 120) },
    { "float32 to int16, large (fast against reference)", LARGE, .in = { F32_IN(-3, 3, 37, 53, 67) }, .out = TO(INT16, 0.0001f, 0) },
    { "float32 to int4, large (fast against reference)", LARGE, .in = { F32_IN(-3, 3, 37, 53, 67) }, .out = TO(INT4, 0.3f, 1) },
    { "float32 to int8 per channel, large (fast against reference)", LARGE, .in = { F32_IN(-3, 3, 37, 4, 451) },
      .out = { {TYPE_INT8, CASE_DIMS(37, 4, 451), .scales = (float[]){0.1f, 0.2f, 0.03f, 0.02f}, .channel_dim = 1} } },
    { "int8 to int8, large (fast against reference)", LARGE, .in = { QUANT(INT8, 0.03f, 7, 37, 53, 67) }, .out = TO(INT8, 0.05f, -9) },
    { "uint8 to int8, large (fast against reference)", LARGE, .in = { QUANT(UINT8, 0.07f, 100, 37, 53, 67) }, .out = TO(INT8, 0.05f, -9) },
    { "int8 to int16, large (fast against reference)", LARGE, .in = { QUANT(INT8, 0.03f, 7, 37, 53, 67) }, .out = TO(INT16, 0.0002f, 0) },
    { "int16 to int8, large (fast against reference)", LARGE, .in = { QUANT(INT16, 0.0001f, 0, 37, 53, 67) }, .out = TO(INT8, 0.03f, 3) },
    { "no scale", .in = { F32(2) }, .out = { {TYPE_INT8} }, .no_golden = true, .fails = "no quantization" },
    { 0 }
};
