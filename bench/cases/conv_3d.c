/* SPDX-License-Identifier: Apache-2.0 */
/* conv_3d.c - cases of CONV_3D and CONV_3D_TRANSPOSE. */
#include "bench/opcheck/opcheck.h"

#define CONV(pad, s, d, act) \
    .opt = &(struct opt_conv_3d){ .padding = PAD_##pad, .stride_width = s, .stride_height = s, .stride_depth = s, \
                                  .dilation_width_factor = d, .dilation_height_factor = d, .dilation_depth_factor = d, \
                                  .activation = ACT_##act }
#define TCONV(pad, s, d, act) .out = {{TYPE_FLOAT32}}, CONV(pad, s, d, act)

const struct op_case conv_3d_cases[] = {
    /* A volume without voxels has a result of that size; TFLite refuses it. */
    { "3x3x3 same", .skip_golden = ", 0.1 empty|, 0.2 empty|, 0.3 empty", CONV(SAME, 1, 1, NONE), .in = { F32(1, 3, 4, 3, 2), CONST_F32(3, 3, 3, 2, 5), CONST_F32(5) } },
    { "stride 2, RELU, two images", CONV(SAME, 2, 1, RELU), .in = { F32(2, 3, 4, 5, 2), CONST_F32(2, 3, 2, 2, 3), CONST_F32(3) } },
    { "valid, RELU6", CONV(VALID, 1, 1, RELU6), .in = { F32_IN(-4, 4, 1, 4, 3, 3, 3), CONST_F32(2, 2, 2, 3, 4), CONST_F32(4) } },
    { "dilation 2", CONV(SAME, 1, 2, NONE), .in = { F32(1, 4, 5, 4, 2), CONST_F32(2, 3, 2, 2, 3), CONST_F32(3) } },
    { "without bias", CONV(SAME, 1, 1, RELU_N1_TO_1), .in = { F32(1, 3, 4, 3, 2), CONST_F32(2, 2, 2, 2, 3) } },
    { "different strides",
      .opt = &(struct opt_conv_3d){ PAD_VALID, .stride_width = 1, .stride_height = 2, .stride_depth = 3, 1, 1, 1 },
      .in = { F32(1, 7, 6, 4, 2), CONST_F32(2, 3, 2, 2, 3), CONST_F32(3) } },
    { "specials", CONV(SAME, 1, 1, NONE), .in = { F32_SPECIAL(1, 3, 4, 3, 2), CONST_F32(2, 2, 2, 2, 3), CONST_F32(3) } },
    { "channels differ", CONV(SAME, 1, 1, NONE), .in = { F32(1, 3, 4, 3, 3), CONST_F32(2, 2, 2, 2, 3), CONST_F32(3) },
      .fails = "2 input channels, the input 3" },
    { "rank 4", CONV(SAME, 1, 1, NONE), .in = { F32(3, 4, 3, 2), CONST_F32(2, 2, 2, 2, 3), CONST_F32(3) }, .fails = "rank 5" },
    { 0 }
};

const struct op_case conv_3d_transpose_cases[] = {
    /* Nothing to add up gives zeros; TFLite refuses it. */
    { "3x3x3 same", .skip_golden = ", 1.4+2.4 empty", TCONV(SAME, 1, 1, NONE), .in = { I32S(1, 2, 3, 3, 4), CONST_F32(3, 3, 3, 4, 2), F32(1, 2, 3, 3, 2) } },
    { "stride 2, bias, RELU", TCONV(SAME, 2, 1, RELU),
      .in = { I32S(2, 4, 3, 4, 3), CONST_F32(2, 3, 2, 3, 2), F32(2, 2, 2, 2, 2), CONST_F32(3) } },
    { "valid, stride 2", TCONV(VALID, 2, 1, NONE), .in = { I32S(1, 5, 7, 5, 3), CONST_F32(3, 3, 3, 3, 2), F32(1, 2, 3, 2, 2) } },
    { "dilation 2", TCONV(SAME, 1, 2, NONE), .in = { I32S(1, 3, 3, 4, 3), CONST_F32(2, 2, 3, 3, 2), F32(1, 3, 3, 4, 2) } },
    { "shape at run time", TCONV(VALID, 2, 1, NONE),
      .in = { {TYPE_INT32, CASE_DIMS(5), .fill = FILL_GIVEN, .data = (const int32_t[]){ 1, 4, 4, 4, 2 }},
              CONST_F32(2, 2, 2, 2, 3), F32(1, 2, 2, 2, 3) } },
    { "shape that belongs to another input", TCONV(VALID, 2, 1, NONE),
      .in = { I32S(1, 5, 7, 5, 3), CONST_F32(3, 3, 3, 3, 2), F32(1, 2, 2, 2, 2) }, .fails = "belongs to an input of 3" },
    { "channels differ", TCONV(SAME, 1, 1, NONE), .in = { I32S(1, 2, 3, 3, 4), CONST_F32(3, 3, 3, 4, 3), F32(1, 2, 3, 3, 2) },
      .fails = "3 input channels, the input 2" },
    { 0 }
};
