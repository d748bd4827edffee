/* conv.c - cases of CONV_2D. */
#include <math.h>

#include "../opcheck.h"

#define CONV(pad, s, d, act) \
    .opt = &(struct opt_conv_2d){ .padding = PAD_##pad, .stride_width = s, .stride_height = s, \
                                  .activation = ACT_##act, .dilation_width_factor = d, .dilation_height_factor = d }

const struct op_case conv_cases[] = {
    { "3x3 same", CONV(SAME, 1, 1, NONE), .in = { F32(1, 5, 6, 3), CONST_F32(7, 3, 3, 3), CONST_F32(7) } },
    { "3x3 stride 2, odd edges, two images", CONV(SAME, 2, 1, RELU),
      .in = { F32(2, 5, 7, 4), CONST_F32(5, 3, 3, 4), CONST_F32(5) } },
    { "3x3 valid", CONV(VALID, 1, 1, RELU6), .in = { F32_IN(-4, 4, 1, 6, 5, 5), CONST_F32(3, 3, 3, 5), CONST_F32(3) } },
    { "valid leaves a rest", CONV(VALID, 3, 1, RELU_N1_TO_1),
      .in = { F32(1, 8, 9, 2), CONST_F32(4, 2, 2, 2), CONST_F32(4) } },
    { "1x1", CONV(SAME, 1, 1, NONE), .in = { F32(2, 3, 5, 9), CONST_F32(17, 1, 1, 9), CONST_F32(17) } },
    { "1x1 stride 2", CONV(SAME, 2, 1, NONE), .in = { F32(1, 5, 4, 3), CONST_F32(6, 1, 1, 3), CONST_F32(6) } },
    { "33 channels", CONV(SAME, 1, 1, NONE), .in = { F32(1, 2, 3, 2), CONST_F32(33, 2, 2, 2), CONST_F32(33) } },
    { "5x3 window", CONV(SAME, 1, 1, NONE), .in = { F32(1, 7, 4, 3), CONST_F32(4, 5, 3, 3), CONST_F32(4) } },
    { "window larger than the image", CONV(SAME, 1, 1, NONE),
      .in = { F32(1, 2, 3, 2), CONST_F32(3, 7, 5, 2), CONST_F32(3) } },
    { "dilation 2", CONV(SAME, 1, 2, NONE), .in = { F32(1, 7, 6, 3), CONST_F32(5, 3, 3, 3), CONST_F32(5) } },
    { "dilation 3, valid", CONV(VALID, 1, 3, NONE), .in = { F32(1, 8, 9, 3), CONST_F32(4, 3, 3, 3), CONST_F32(4) } },
    { "dilation 30000: only the middle column meets the image", CONV(SAME, 1, 30000, NONE),
      .in = { F32(1, 3, 3, 2), CONST_F32(3, 3, 3, 2), CONST_F32(3) } },
    { "different strides and dilations",
      .opt = &(struct opt_conv_2d){ .padding = PAD_SAME, .stride_width = 1, .stride_height = 2,
                                    .dilation_width_factor = 2, .dilation_height_factor = 1 },
      .in = { F32(1, 7, 8, 3), CONST_F32(5, 3, 3, 3), CONST_F32(5) } },
    { "2 groups", CONV(SAME, 1, 1, NONE), .in = { F32(1, 4, 5, 6), CONST_F32(8, 3, 3, 3), CONST_F32(8) } },
    { "as many groups as channels", CONV(SAME, 2, 1, NONE),
      .in = { F32(2, 4, 5, 5), CONST_F32(10, 3, 3, 1), CONST_F32(10) } },
    { "filter at run time", CONV(SAME, 1, 1, NONE), .in = { F32(1, 4, 3, 3), F32(5, 3, 3, 3), F32(5) } },
    { "without bias (TFLite wants one)", CONV(SAME, 1, 1, NONE), .in = { F32(1, 4, 3, 3), CONST_F32(5, 3, 3, 3) },
      .no_golden = true },
    { "specials in the input", CONV(SAME, 1, 1, NONE),
      .in = { F32_SPECIAL(1, 5, 6, 2), CONST_F32(3, 3, 3, 2), CONST_F32(3) } },
    { "specials in the filter: padding multiplies none of them", CONV(SAME, 1, 1, RELU6),
      .in = { F32(1, 4, 5, 2),
              {TYPE_FLOAT32, CASE_DIMS(1, 3, 3, 2), .fill = FILL_GIVEN, .constant = true,
               .data = (const float[]){ INFINITY, 1, 2, -1, .5f, 1, 1, 1, 0, -2, 1, 1, NAN, 1, 3, 1, 1, -INFINITY }},
              CONST_F32(1) } },
    { "empty image", CONV(SAME, 1, 1, NONE), .in = { F32(0, 4, 3, 3), CONST_F32(5, 3, 3, 3), CONST_F32(5) },
      .no_golden = true },
    { "channels that do not divide", CONV(SAME, 1, 1, NONE), .in = { F32(1, 4, 3, 5), CONST_F32(4, 3, 3, 3), CONST_F32(4) },
      .fails = "multiple" },
    { "groups that do not divide the output", CONV(SAME, 1, 1, NONE),
      .in = { F32(1, 4, 3, 6), CONST_F32(5, 3, 3, 3), CONST_F32(5) }, .fails = "groups" },
    { "short bias", CONV(SAME, 1, 1, NONE), .in = { F32(1, 4, 3, 3), CONST_F32(5, 3, 3, 3), CONST_F32(4) },
      .fails = "4 bias values for 5 output channels" },
    { "stride 0", CONV(SAME, 0, 1, NONE), .in = { F32(1, 4, 3, 3), CONST_F32(5, 3, 3, 3), CONST_F32(5) },
      .fails = "stride" },
    { "window does not fit", CONV(VALID, 1, 1, NONE), .in = { F32(1, 2, 3, 3), CONST_F32(5, 3, 3, 3), CONST_F32(5) },
      .fails = "does not fit" },
    { "an activation that is no clamp", CONV(SAME, 1, 1, TANH), .in = { F32(1, 4, 3, 3), CONST_F32(5, 3, 3, 3), CONST_F32(5) },
      .fails = "fused activation" },
    { "deep", CONV(SAME, 1, 1, NONE), .in = { F32(1, 3, 3, 1101), CONST_F32(21, 1, 1, 1101), CONST_F32(21) } },
    { "large 1x1 (fast against reference)", CONV(SAME, 1, 1, RELU6), .no_golden = true,
      .in = { F32(1, 13, 17, 70), CONST_F32(67, 1, 1, 70), CONST_F32(67) } },
    { "large 3x3 stride 2 (fast against reference)", CONV(SAME, 2, 1, NONE), .no_golden = true,
      .in = { F32(2, 19, 23, 37), CONST_F32(45, 3, 3, 37), CONST_F32(45) } },
    { 0 }
};
