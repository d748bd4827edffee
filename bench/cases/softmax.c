/* SPDX-License-Identifier: Apache-2.0 */
/* softmax.c - cases of SOFTMAX, LOG_SOFTMAX. */
#include "bench/opcheck/opcheck.h"

#define BETA(b) .opt = &(struct opt_softmax){ .beta = b }

const struct op_case softmax_cases[] = {
    { "rows of 10", BETA(1), .in = { F32_IN(-5, 5, 7, 10) } },
    { "rank 1", BETA(1), .in = { F32(13) } },
    { "long rows", BETA(1), .in = { F32_IN(-5, 5, 2, 131) } },
    { "rank 3", BETA(1), .in = { F32(2, 3, 5) } },
    { "rank 4, beta 0.5", BETA(.5f), .in = { F32_IN(-5, 5, 2, 3, 2, 5) } },
    { "rank 5", BETA(1), .in = { F32_IN(-5, 5, 2, 3, 1, 2, 5) } },
    { "rank 6", BETA(2), .in = { F32_IN(-5, 5, 1, 2, 3, 2, 2, 6) } },
    { "large values, beta 2", BETA(2), .in = { F32_IN(-1000, 1000, 5, 9) } },
    { "rows of 1", BETA(1), .in = { F32(5, 1) } },
    { "specials", BETA(1), .in = { F32_SPECIAL(24, 4) } },
    { "int8", BETA(1), .version = 2, .in = { QUANT(INT8, .1f, 3, 7, 9) }, .out = { QUANT(INT8, 1.f / 256, -128) } },
    { "int8, coarse, beta 0.5", BETA(.5f), .version = 2, .in = { QUANT(INT8, 1, 3, 5, 7) }, .out = { QUANT(INT8, 1.f / 256, -128) } },
    { "int8, fine", BETA(1), .version = 2, .in = { QUANT(INT8, .004f, 3, 5, 7) }, .out = { QUANT(INT8, 1.f / 256, -128) } },
    { "int8 to int16", BETA(1), .version = 2, .in = { QUANT(INT8, .05f, 3, 5, 7) }, .out = { QUANT(INT16, 1.f / 65536, -32768) } },
    /* TFLite ends the process (gemmlowp asserts that it shifts by less than a word). */
    { "int8, more than 512 equals", BETA(1), .version = 2, .no_golden = true, .in = { {TYPE_INT8, CASE_DIMS(2, 600), .scale = .1f, .lo = 5, .hi = 5} },
      .out = { QUANT(INT8, 1.f / 256, -128) } },
    { "uint8", BETA(1), .in = { QUANT(UINT8, .1f, 130, 7, 9) }, .out = { QUANT(UINT8, 1.f / 256, 0) } },
    { "uint8, coarse, rows of 1", BETA(2), .in = { QUANT(UINT8, 2, 130, 7, 1) }, .out = { QUANT(UINT8, 1.f / 256, 0) } },
    { "int16", BETA(1), .version = 3, .in = { QUANT(INT16, .0003f, 0, 7, 9) }, .out = { QUANT(INT16, 1.f / 32768, 0) } },
    /* Sums where tables made in float would be off by one. */
    { "int16, tables in double", BETA(1), .version = 3, .out = { QUANT(INT16, 1.f / 32768, 0) },
      .in = { {TYPE_INT16, CASE_DIMS(4, 2), .scale = 10.f / 65535, .fill = FILL_GIVEN,
               .data = (const int16_t[]){32767, 32767 - 3617, 32767, 32767 - 3634, 32767, 32767 - 7596, 32767, 32767 - 7629}} } },
    { "int16, beta 2", BETA(2), .version = 3, .in = { QUANT(INT16, .0001f, 0, 4, 5) }, .out = { QUANT(INT16, 1.f / 32768, 0) } },
    { "float16", BETA(1), .in = { {TYPE_FLOAT16, CASE_DIMS(7, 11), .lo = -5, .hi = 5} } },
    { "float16, specials, beta 0.5", BETA(.5f), .in = { {TYPE_FLOAT16, CASE_DIMS(24, 4), .fill = FILL_SPECIAL} } },
    { "float16 to float32", BETA(1), .in = { TENSOR(FLOAT16, 7, 11) }, .out = { {TYPE_FLOAT32} }, .no_golden = true, .fails = "FLOAT16" },
    { "scalar", BETA(1), .in = { F32_SCALAR }, .fails = "scalar" },
    { "large (fast against reference)", BETA(1), .no_golden = true, .in = { F32_IN(-9, 9, 37, 1001) } },
    { "large, short rows (fast against reference)", BETA(1), .no_golden = true, .in = { F32_IN(-9, 9, 1973, 67) } },
    { 0 }
};

const struct op_case log_softmax_cases[] = {
    { "rows of 10", .in = { F32_IN(-5, 5, 7, 10) } },
    { "rank 1", .in = { F32(13) } },
    { "rank 4", .in = { F32_IN(-5, 5, 2, 3, 2, 5) } },
    { "rank 6", .in = { F32_IN(-5, 5, 2, 2, 1, 3, 2, 5) } },
    { "large values", .in = { F32_IN(-1000, 1000, 5, 9) } },
    { "specials", .in = { F32_SPECIAL(24, 4) } },
    { "int8", .version = 2, .in = { QUANT(INT8, .1f, 3, 7, 9) }, .out = { QUANT(INT8, 16.f / 256, 127) } },
    { "int8, coarse", .version = 2, .in = { QUANT(INT8, 1, 3, 5, 7) }, .out = { QUANT(INT8, 16.f / 256, 127) } },
    { "int8, fine", .version = 2, .in = { QUANT(INT8, .004f, 3, 5, 17) }, .out = { QUANT(INT8, 16.f / 256, 127) } },
    { "uint8", .in = { QUANT(UINT8, .1f, 130, 7, 9) }, .out = { QUANT(UINT8, 16.f / 256, 255) } },
    { "scalar", .in = { F32_SCALAR }, .fails = "scalar" },
    { "long rows (for the GPU)", .no_golden = true, .in = { F32_IN(-5, 5, 2, 131) } },
    { 0 }
};
