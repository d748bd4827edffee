/* SPDX-License-Identifier: Apache-2.0 */
/* svdf.c - cases of SVDF. */
#include "bench/opcheck/opcheck.h"

#define SVDF(rank_, act) &(struct opt_svdf){.rank = rank_, .activation = act}
#define STATE(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .variable = true}
#define STATE16(scale_, ...) {TYPE_INT16, CASE_DIMS(__VA_ARGS__), .variable = true, .scale = (scale_)}
#define W8(...) CONST_QUANT(INT8, 0.01f, 0, __VA_ARGS__)
#define INT32_BIAS(lo_, hi_, ...) {TYPE_INT32, CASE_DIMS(__VA_ARGS__), .constant = true, .lo = lo_, .hi = hi_, .scale = 1e-4f}

const struct op_case svdf_cases[] = {
    /* TFLite ends in it. */
    { "rank 1", .skip_golden = ", 0.0+4.0 empty", .opt = SVDF(1, ACT_NONE), .runs = 4, .in = { F32(2, 5), CONST_F32(4, 5), CONST_F32(4, 3), CONST_F32(4),
      STATE(2, 12) } },
    { "rank 2, relu", .opt = SVDF(2, ACT_RELU), .runs = 5, .in = { F32(3, 7), CONST_F32(6, 7), CONST_F32(6, 4), CONST_F32(3),
      STATE(3, 24) } },
    { "no bias, memory of 1", .opt = SVDF(1, ACT_TANH), .runs = 2, .in = { F32(1, 9), CONST_F32(3, 9), CONST_F32(3, 1), OMITTED,
      STATE(1, 3) } },
    { "hybrid", .opt = SVDF(2, ACT_NONE), .version = 2, .runs = 4, .in = { F32(2, 5), W8(6, 5), W8(6, 3), CONST_F32(3),
      STATE(2, 18) } },
    { "hybrid, asymmetric", .opt = &(struct opt_svdf){.rank = 1, .activation = ACT_RELU6, .asymmetric_quantize_inputs = true},
      .version = 4, .runs = 4, .in = { F32_IN(-1, 4, 2, 5), W8(4, 5), W8(4, 3), CONST_F32(4), STATE(2, 12) } },
    /* TFLite takes their bytes for INT8's. */
    { "hybrid, UINT8 weights", .opt = SVDF(2, ACT_NONE), .version = 2, .runs = 4, .in = { F32(2, 5), CONST_QUANT(UINT8, 0.01f, 0, 6, 5),
      CONST_QUANT(UINT8, 0.01f, 0, 6, 3), CONST_F32(3), STATE(2, 18) } },
    { "hybrid, weights made at run time", .opt = SVDF(2, ACT_NONE), .version = 2, .runs = 4, .in = { F32(2, 5),
      QUANT(INT8, 0.01f, 0, 6, 5), QUANT(INT8, 0.01f, 0, 6, 3), F32(3), STATE(2, 18) } },
    { "hybrid, asymmetric, UINT8 weights made at run time", .opt = &(struct opt_svdf){.rank = 1, .activation = ACT_RELU6,
      .asymmetric_quantize_inputs = true}, .version = 4, .runs = 4, .in = { F32_IN(-1, 4, 2, 5), QUANT(UINT8, 0.01f, 0, 4, 5),
      QUANT(UINT8, 0.01f, 0, 4, 3), CONST_F32(4), STATE(2, 12) } },
    { "hybrid, weights that are a variable", .no_golden = true, .opt = SVDF(2, ACT_NONE), .version = 2, .in = { F32(2, 5),
      {TYPE_INT8, CASE_DIMS(6, 5), .variable = true, .scale = 0.01f}, W8(6, 3), CONST_F32(3), STATE(2, 18) } },
    { "large (fast against reference)", .opt = SVDF(1, ACT_NONE), .runs = 2, .no_golden = true,
      .in = { F32(3, 517), CONST_F32(131, 517), CONST_F32(131, 9), CONST_F32(131), STATE(3, 1179) } },
    { "hybrid, large (fast against reference)", .opt = SVDF(1, ACT_NONE), .version = 2, .runs = 2, .no_golden = true,
      .in = { F32(3, 517), W8(131, 517), W8(131, 9), CONST_F32(131), STATE(3, 1179) } },
    { "INT8", .opt = SVDF(1, ACT_RELU), .version = 3, .runs = 4, .in = { QUANT(INT8, 0.02f, -3, 2, 9), W8(6, 9),
      CONST_QUANT(INT16, 1e-4f, 0, 6, 3), INT32_BIAS(-9000, 9000, 6), STATE16(1e-3f, 2, 18) },
      .out = { QUANT(INT8, 0.5f, 4, 2, 6) } },
    { "INT8, rank 2, no bias", .opt = SVDF(2, ACT_RELU), .version = 3, .runs = 5, .in = { QUANT(INT8, 0.5f, 7, 1, 5), W8(8, 5),
      CONST_QUANT(INT16, 3e-5f, 0, 8, 4), OMITTED, STATE16(2e-4f, 1, 32) }, .out = { QUANT(INT8, 0.1f, -128, 1, 4) } },
    { "INT8 without relu", .opt = SVDF(1, ACT_NONE), .version = 3, .fails = "fused RELU", .in = { QUANT(INT8, 0.5f, 7, 1, 5),
      W8(8, 5), CONST_QUANT(INT16, 3e-5f, 0, 8, 4), OMITTED, STATE16(2e-4f, 1, 32) }, .out = { QUANT(INT8, 0.1f, -128, 1, 8) } },
    { "rank that does not divide", .opt = SVDF(4, ACT_NONE), .fails = "not a multiple of the rank", .in = { F32(2, 5),
      CONST_F32(6, 5), CONST_F32(6, 3), OMITTED, STATE(2, 18) }, .out = { F32(2, 1) } },
    { "rank 0", .opt = SVDF(0, ACT_NONE), .fails = "not a multiple of the rank", .in = { F32(2, 5),
      CONST_F32(6, 5), CONST_F32(6, 3), OMITTED, STATE(2, 18) }, .out = { F32(2, 6) } },
    { "state too short", .opt = SVDF(2, ACT_NONE), .fails = "expected FLOAT32[2,18]", .in = { F32(2, 5),
      CONST_F32(6, 5), CONST_F32(6, 3), OMITTED, STATE(2, 17) } },
    { 0 }
};
