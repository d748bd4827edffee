/* SPDX-License-Identifier: Apache-2.0 */
/* prelu.c - cases of PRELU. */
#include "bench/cases/elementwise.h"

const struct op_case prelu_cases[] = {
    { "one slope per channel", .in = { F32_IN(-8, 8, 1, 5, 7, 3), CONST_F32(1, 1, 3) } },
    { "one slope", .in = { F32_IN(-8, 8, 1, 5, 7, 3), CONST_F32(1) } },
    { "one slope per channel, rank 5", .in = { F32_IN(-8, 8, 2, 3, 1, 2, 5), CONST_F32(1, 1, 1, 5) } },
    { "one slope per element", .in = { F32_IN(-8, 8, 2, 3, 5), F32(2, 3, 5) } },
    { "specials", .in = { F32_SPECIAL(67), F32(67) } },
    { "int8", .in = { QUANT(INT8, 0.05f, 3, 3, 5, 7), QUANT(INT8, 0.01f, -9, 7) }, .out = QUANTS(INT8, 0.04f, 11) },
    { "uint8", .in = { QUANT(UINT8, 0.05f, 130, 3, 5, 7), QUANT(UINT8, 0.01f, 90, 3, 5, 7) },
      .out = QUANTS(UINT8, 0.04f, 111) },
    { "int16 (TFLite reads the slopes as bytes)", .no_golden = true,
      .in = { QUANT(INT16, 0.0003f, 0, 3, 5, 7), QUANT(INT16, 0.0001f, 0, 7) }, .out = QUANTS(INT16, 0.0002f, 0) },
    { "int16, int8 slopes", .in = { QUANT(INT16, 0.0003f, 0, 3, 5, 7), QUANT(INT8, 0.01f, -9, 7) }, .out = QUANTS(INT16, 0.0002f, 0) },
    { "int16 with zero points, int8 slopes", .in = { QUANT(INT16, 0.0003f, 500, 3, 5), QUANT(INT8, 0.01f, 3, 3, 5) },
      .out = QUANTS(INT16, 0.0002f, -70) },
    { "int8, int16 slopes", .in = { QUANT(INT8, 0.05f, 3, 3, 5, 7), QUANT(INT16, 0.0001f, 0, 7) }, .fails = "INT8 and INT16" },
    { "slopes larger than the input", .in = { F32(1, 3), F32(2, 3) }, .fails = "slopes" },
    { LARGE_CASE("float32"), .in = { F32_IN(-8, 8, LARGE), CONST_F32(1, 67) } },
    { LARGE_CASE("int8"), .in = { QUANT(INT8, 0.05f, 3, LARGE), QUANT(INT8, 0.01f, -9, 67) }, .out = QUANTS(INT8, 0.04f, 11) },
    { LARGE_CASE("uint8"), .in = { QUANT(UINT8, 0.05f, 130, LARGE), QUANT(UINT8, 0.01f, 90, LARGE) },
      .out = QUANTS(UINT8, 0.04f, 111) },
    { LARGE_CASE("int16, int8 slopes"), .in = { QUANT(INT16, 0.0003f, 0, LARGE), QUANT(INT8, 0.01f, -9, 67) },
      .out = QUANTS(INT16, 0.0002f, 0) },
    { 0 }
};
