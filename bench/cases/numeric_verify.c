/* SPDX-License-Identifier: Apache-2.0 */
/* numeric_verify.c - cases of NumericVerify. */
#include "bench/opcheck/opcheck.h"

static const char silent[] = "log_if_failed=false tolerance=5.0";
static const char strict[] = "log_if_failed=true tolerance=5.0";
static const char loose[] = "log_if_failed=true tolerance=0.05";

#define OPTIONS(text) .flex = text
#define REAL {{TYPE_FLOAT32}}

const struct op_case numeric_verify_cases[] = {
    /* TFLite ends in it. */
    { "int8", .skip_golden = "1.0 empty|1.1 empty", OPTIONS(silent), .in = { QUANT(INT8, .02f, -5, 3, 7), F32_IN(-3, 3, 3, 7) }, .out = REAL },
    { "uint8", OPTIONS(silent), .in = { QUANT(UINT8, .02f, 130, 2, 3, 5), F32_IN(-3, 3, 2, 3, 5) }, .out = REAL },
    { "int16", OPTIONS(silent), .in = { QUANT(INT16, .0001f, 0, 3, 7), F32_IN(-3, 3, 3, 7) }, .out = REAL },
    { "int8 per channel", OPTIONS(silent), .out = REAL,
      .in = { {TYPE_INT8, CASE_DIMS(3, 2), .constant = true, .scales = (const float[]){ .1f, .02f, .3f }, .channel_dim = 0},
              F32(3, 2) } },
    { "float16", OPTIONS(silent), .in = { CONST_F16(3, 7), F32(3, 7) }, .out = REAL },
    { "specials in the twin", OPTIONS(silent), .in = { QUANT(INT8, .02f, -5, 3, 7), F32_SPECIAL(3, 7) }, .out = REAL },
    { "within the tolerance", OPTIONS(strict), .out = REAL,
      .in = { {TYPE_INT8, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const int8_t[]){ 10, -20, 30, 0 }, .scale = .1f},
              {TYPE_FLOAT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const float[]){ 1.4f, -2.3f, 3, -.25f }} } },
    { "beyond the tolerance", OPTIONS(strict), .out = REAL, .fails = "more than the tolerance of 0.5",
      .in = { {TYPE_INT8, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const int8_t[]){ 10, -20, 30, 0 }, .scale = .1f},
              {TYPE_FLOAT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const float[]){ 1.4f, -2.3f, 3, -.75f }} } },
    { "a tolerance too small to be checked", OPTIONS(loose), .in = { QUANT(INT8, .02f, -5, 3, 7), F32_IN(-3, 3, 3, 7) },
      .out = REAL },
    { "sizes that differ", OPTIONS(silent), .in = { QUANT(INT8, .02f, -5, 3, 7), F32(3, 6) }, .out = REAL, .fails = "is larger than" },
    { "no quantization", OPTIONS(silent), .in = { TENSOR(INT8, 3, 7), F32(3, 7) }, .out = REAL, .fails = "no quantization" },
    { "int32", OPTIONS(silent), .in = { TENSOR(INT32, 3, 7), F32(3, 7) }, .out = REAL, .fails = "type INT32" },
    { "no options", .in = { QUANT(INT8, .02f, -5, 3, 7), F32(3, 7) }, .out = REAL, .fails = "no FlexBuffer" },
    { 0 }
};
