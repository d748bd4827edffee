/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - cases of the 2-D pooling ops. */
#include <math.h>

#include "bench/opcheck/opcheck.h"

#define POOL(pad, k, s, act) \
    .opt = &(struct opt_pool_2d){ .padding = PAD_##pad, .stride_width = s, .stride_height = s, .filter_width = k, \
                                  .filter_height = k, .activation = ACT_##act }

#define FLOAT_CASES \
    { "2x2 stride 2", POOL(VALID, 2, 2, NONE), .in = { F32(1, 4, 6, 5) } }, \
    { "3x3 stride 2, same, odd edges, two images", POOL(SAME, 3, 2, NONE), .in = { F32(2, 5, 7, 3) } }, \
    { "3x3 stride 1, same, RELU", POOL(SAME, 3, 1, RELU), .in = { F32(1, 4, 5, 6) } }, \
    { "RELU6", POOL(SAME, 2, 1, RELU6), .in = { F32_IN(-9, 12, 1, 4, 5, 3) } }, \
    { "RELU_N1_TO_1", POOL(SAME, 2, 1, RELU_N1_TO_1), .in = { F32_IN(-9, 12, 1, 4, 5, 3) } }, \
    { "the whole image", POOL(VALID, 7, 1, NONE), .in = { F32(1, 7, 7, 3) } }, \
    { "window larger than the image", POOL(SAME, 9, 4, NONE), .in = { F32(1, 3, 5, 3) } }, \
    { "3 by 2 window, strides 1 and 2", \
      .opt = &(struct opt_pool_2d){ .padding = PAD_VALID, .stride_width = 1, .stride_height = 2, .filter_width = 3, \
                                    .filter_height = 2 }, .in = { F32(1, 6, 5, 4) } }, \
    { "33 channels", POOL(SAME, 2, 2, NONE), .in = { F32(1, 3, 2, 33) } }, \
    { "specials", POOL(SAME, 3, 2, NONE), .in = { F32_SPECIAL(1, 7, 8, 3) } }, \
    { "window does not fit", POOL(VALID, 5, 1, NONE), .in = { F32(1, 4, 6, 5) }, .fails = "does not fit" }, \
    { "window 0", POOL(SAME, 0, 1, NONE), .in = { F32(1, 4, 6, 5) }, .fails = "must be at least 1" }, \
    { "large (fast against reference)", POOL(SAME, 3, 2, NONE), .no_golden = true, .in = { F32(2, 33, 27, 71) } }, \
    { "large, valid (fast against reference)", POOL(VALID, 5, 1, RELU6), .no_golden = true, .in = { F32_IN(-9, 12, 1, 33, 27, 35) } }, \
    { "rank 3", POOL(SAME, 2, 1, NONE), .in = { F32(4, 6, 5) }, .fails = "rank" }

/* Elements whose maxima and means differ: all negative, or of mean 0. */
#define LONG_CASES(lo, hi, act) \
    { "long loops, 300x300", POOL(VALID, 300, 1, NONE), .in = { F32_IN(lo, hi, 1, 300, 300, 2) } }, \
    { "long loops, windows beyond the borders, " #act, POOL(SAME, 299, 150, act), .in = { F32_IN(lo, hi, 1, 303, 311, 1) } }, \
    { "long loops, one row", .opt = &(struct opt_pool_2d){ .padding = PAD_VALID, .stride_width = 70000, .stride_height = 1, \
                                                           .filter_width = 70000, .filter_height = 1 }, \
      .in = { F32_IN(lo, hi, 1, 1, 140001, 2) } }

#define QUANT_CASES \
    { "int8", POOL(SAME, 3, 2, NONE), .version = 2, .in = { QUANT(INT8, .1f, -5, 2, 5, 7, 3) } }, \
    { "int8, RELU6", POOL(VALID, 2, 2, RELU6), .version = 2, .in = { QUANT(INT8, .1f, -50, 1, 5, 7, 6) } }, \
    { "uint8", POOL(SAME, 3, 1, NONE), .in = { QUANT(UINT8, .1f, 120, 1, 5, 6, 5) } }, \
    { "uint8, RELU", POOL(SAME, 2, 2, RELU), .in = { QUANT(UINT8, .1f, 120, 1, 5, 6, 5) } }, \
    { "uint8, 67 channels", POOL(VALID, 2, 1, NONE), .in = { QUANT(UINT8, .1f, 120, 1, 2, 3, 67) } }, \
    { "int16", POOL(SAME, 3, 2, RELU_N1_TO_1), .version = 3, .in = { QUANT(INT16, .0001f, 0, 1, 5, 7, 3) } }
#define LARGE_QUANTS \
    { "int8, large (fast against reference)", POOL(SAME, 3, 2, NONE), .version = 2, .no_golden = true, \
      .in = { QUANT(INT8, .1f, -5, 2, 33, 27, 131) } }, \
    { "uint8, large (fast against reference)", POOL(VALID, 5, 1, RELU), .no_golden = true, \
      .in = { QUANT(UINT8, .1f, 120, 2, 33, 27, 131) } }, \
    { "int16, large (fast against reference)", POOL(SAME, 3, 1, NONE), .version = 3, .no_golden = true, \
      .in = { QUANT(INT16, .0001f, 0, 1, 33, 27, 131) } }
#define OTHER_SCALE \
    { "another scale at the output is ignored", POOL(SAME, 3, 1, NONE), .in = { QUANT(UINT8, .1f, 120, 1, 5, 6, 5) }, \
      .out = { QUANT(UINT8, .2f, 110) } }

const struct op_case average_pool_cases[] = { FLOAT_CASES, LONG_CASES(-1, 1, RELU_N1_TO_1), QUANT_CASES, LARGE_QUANTS, OTHER_SCALE, { 0 } };
/* Windows in which a NaN follows a number, follows the largest, ends, and stands alone. */
const struct op_case max_pool_cases[] = {
    FLOAT_CASES, LONG_CASES(-30000, 0, RELU_N1_TO_1), QUANT_CASES, LARGE_QUANTS, OTHER_SCALE,
    { "NaN among numbers", POOL(VALID, 2, 2, NONE),
      .in = { { TYPE_FLOAT32, CASE_DIMS(1, 2, 8, 1), .fill = FILL_GIVEN,
                .data = (const float[]){ 1, NAN, 7, -2, 4, 3, NAN, NAN, 2, -3, NAN, 6, 1, NAN, NAN, NAN } } } },
    { 0 }
};
const struct op_case l2_pool_cases[] = {
    FLOAT_CASES,
    { "int8", POOL(SAME, 3, 2, NONE), .in = { QUANT(INT8, .1f, -5, 2, 5, 7, 3) }, .fails = "INT8" },
    { 0 }
};
