/* pool.c - cases of the 2-D pooling ops. */
#include "../opcheck.h"

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
    { "rank 3", POOL(SAME, 2, 1, NONE), .in = { F32(4, 6, 5) }, .fails = "rank" }

const struct op_case average_pool_cases[] = { FLOAT_CASES, { 0 } };
const struct op_case max_pool_cases[] = { FLOAT_CASES, { 0 } };
