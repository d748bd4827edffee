/* depthwise_conv.c - cases of DEPTHWISE_CONV_2D. */
#include <math.h>

#include "../opcheck.h"

#define DW(pad, s, d, m, act) \
    .opt = &(struct opt_depthwise_conv_2d){ .padding = PAD_##pad, .stride_width = s, .stride_height = s, \
                                            .depth_multiplier = m, .activation = ACT_##act, \
                                            .dilation_width_factor = d, .dilation_height_factor = d }

const struct op_case depthwise_conv_cases[] = {
    { "3x3 same", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 5, 6, 7), CONST_F32(1, 3, 3, 7), CONST_F32(7) } },
    { "3x3 stride 2, odd edges, two images", DW(SAME, 2, 1, 1, RELU),
      .in = { F32(2, 5, 7, 5), CONST_F32(1, 3, 3, 5), CONST_F32(5) } },
    { "3x3 valid, wide", DW(VALID, 1, 1, 1, RELU6), .in = { F32_IN(-4, 4, 1, 4, 9, 6), CONST_F32(1, 3, 3, 6), CONST_F32(6) } },
    { "31 channels", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 2, 4, 31), CONST_F32(1, 3, 3, 31), CONST_F32(31) } },
    { "5x2 window, stride 3", DW(SAME, 3, 1, 1, RELU_N1_TO_1),
      .in = { F32(1, 8, 7, 4), CONST_F32(1, 5, 2, 4), CONST_F32(4) } },
    { "dilation 2", DW(SAME, 1, 2, 1, NONE), .in = { F32(1, 6, 7, 5), CONST_F32(1, 3, 3, 5), CONST_F32(5) } },
    { "dilation 30000", DW(SAME, 1, 30000, 1, NONE), .in = { F32(1, 3, 4, 5), CONST_F32(1, 3, 3, 5), CONST_F32(5) } },
    { "window larger than the image", DW(SAME, 1, 1, 1, NONE),
      .in = { F32(1, 2, 3, 5), CONST_F32(1, 7, 5, 5), CONST_F32(5) } },
    { "multiplier 2", DW(SAME, 1, 1, 2, NONE), .in = { F32(1, 4, 5, 3), CONST_F32(1, 3, 3, 6), CONST_F32(6) } },
    { "multiplier 8 of one channel", DW(SAME, 2, 1, 8, RELU), .in = { F32(2, 5, 4, 1), CONST_F32(1, 3, 2, 8), CONST_F32(8) } },
    { "multiplier left at 0", DW(SAME, 1, 1, 0, NONE), .in = { F32(1, 3, 3, 3), CONST_F32(1, 3, 3, 6), CONST_F32(6) } },
    { "filter at run time", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 4, 3, 3), F32(1, 3, 3, 3), F32(3) } },
    { "without bias", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 4, 3, 3), CONST_F32(1, 3, 3, 3) } },
    { "specials in the input", DW(SAME, 1, 1, 1, NONE),
      .in = { F32_SPECIAL(1, 5, 6, 3), CONST_F32(1, 3, 3, 3), CONST_F32(3) } },
    { "specials in the filter: padding multiplies none of them", DW(SAME, 1, 1, 1, RELU6),
      .in = { F32(1, 4, 5, 2),
              {TYPE_FLOAT32, CASE_DIMS(1, 3, 3, 2), .fill = FILL_GIVEN, .constant = true,
               .data = (const float[]){ INFINITY, 1, 2, -1, .5f, 1, 1, 1, 0, -2, 1, 1, NAN, 1, 3, 1, 1, -INFINITY }},
              CONST_F32(2) } },
    { "channels that do not divide", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 4, 3, 5), CONST_F32(1, 3, 3, 7), CONST_F32(7) },
      .fails = "multiple" },
    { "filter of two", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 4, 3, 5), CONST_F32(2, 3, 3, 5), CONST_F32(5) },
      .fails = "first dimension" },
    { "short bias", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 4, 3, 5), CONST_F32(1, 3, 3, 5), CONST_F32(4) },
      .fails = "4 bias values for 5 output channels" },
    { "large (fast against reference)", DW(SAME, 1, 1, 1, RELU6), .no_golden = true,
      .in = { F32(2, 17, 19, 70), CONST_F32(1, 3, 3, 70), CONST_F32(70) } },
    { "large, stride 2, multiplier 3 (fast against reference)", DW(SAME, 2, 1, 3, NONE), .no_golden = true,
      .in = { F32(1, 19, 33, 35), CONST_F32(1, 5, 5, 105), CONST_F32(105) } },
    { 0 }
};
