/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv.c - cases of TRANSPOSE_CONV and Convolution2DTransposeBias. */
#include <math.h>

#include "bench/opcheck/opcheck.h"
#include "bench/cases/large.h"

/* The output's type is not that of the first input, which is its shape. */
#define TCONV(pad, sw, sh, act) \
    .out = {{TYPE_FLOAT32}}, \
    .opt = &(struct opt_transpose_conv){ .padding = PAD_##pad, .stride_width = sw, .stride_height = sh, .activation = ACT_##act }

#define TCONV_TO(out_, pad, sw, sh) \
    .out = { out_ }, \
    .opt = &(struct opt_transpose_conv){ .padding = PAD_##pad, .stride_width = sw, .stride_height = sh }
#define BIAS(type, scale_, n) \
    {TYPE_##type, CASE_DIMS(n), .constant = true, .lo = -300, .hi = 300, .scale = (scale_)}
#define PER_CHANNEL(type, ...) \
    {TYPE_##type, CASE_DIMS(__VA_ARGS__), .constant = true, .scales = scales, .channel_dim = 0}

static const float scales[] = { .02f, .013f, .0371f, .005f, .029f };

const struct op_case transpose_conv_cases[] = {
    /* Nothing to add up gives zeros; TFLite refuses it. */
    { "3x3 same", .skip_golden = ", 2.1 empty|, 2.2 empty|, 1.3+2.3 empty", TCONV(SAME, 1, 1, NONE), .in = { I32S(1, 4, 5, 3), CONST_F32(3, 3, 3, 5), F32(1, 4, 5, 5) } },
    { "stride 2, same", TCONV(SAME, 2, 2, NONE), .in = { I32S(1, 6, 8, 5), CONST_F32(5, 3, 3, 2), F32(1, 3, 4, 2) } },
    { "stride 2, same, odd output, two images", TCONV(SAME, 2, 2, NONE),
      .in = { I32S(2, 5, 7, 3), CONST_F32(3, 4, 3, 3), F32(2, 3, 4, 3) } },
    { "stride 2, valid", TCONV(VALID, 2, 2, NONE), .in = { I32S(1, 7, 9, 3), CONST_F32(3, 3, 3, 2), F32(1, 3, 4, 2) } },
    { "strides 2 and 3, bias", TCONV(VALID, 2, 3, NONE), .version = 3,
      .in = { I32S(1, 8, 7, 3), CONST_F32(3, 2, 3, 4), F32(1, 3, 3, 4), CONST_F32(3) } },
    { "window smaller than the stride: gaps hold the bias", TCONV(SAME, 3, 3, RELU), .version = 4,
      .in = { I32S(1, 6, 9, 4), CONST_F32(4, 2, 1, 3), F32(1, 2, 3, 3), CONST_F32(4) } },
    { "fused RELU6", TCONV(SAME, 2, 2, RELU6), .version = 4,
      .in = { I32S(1, 4, 4, 3), CONST_F32(3, 3, 3, 2), F32_IN(-5, 5, 1, 2, 2, 2), CONST_F32(3) } },
    { "fused RELU_N1_TO_1", TCONV(SAME, 2, 2, RELU_N1_TO_1), .version = 4,
      .in = { I32S(1, 4, 4, 3), CONST_F32(3, 3, 3, 2), F32_IN(-5, 5, 1, 2, 2, 2), CONST_F32(3) } },
    { "19 channels", TCONV(SAME, 2, 2, NONE), .in = { I32S(1, 4, 2, 19), CONST_F32(19, 2, 2, 3), F32(1, 2, 1, 3) } },
    { "window far larger than the image", TCONV(SAME, 2, 2, NONE),
      .in = { I32S(1, 4, 4, 2), CONST_F32(2, 7, 5, 3), F32(1, 2, 2, 3) } },
    { "output larger than the input reaches (refused by newer TFLite)", TCONV(VALID, 2, 2, NONE),
      .in = { I32S(1, 9, 6, 2), CONST_F32(2, 2, 2, 3), F32(1, 2, 2, 3) }, .no_golden = true },
    { "shape at run time", TCONV(VALID, 2, 2, NONE),
      .in = { {TYPE_INT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (const int32_t[]){ 1, 4, 4, 2 }},
              CONST_F32(2, 2, 2, 3), F32(1, 2, 2, 3) } },
    { "filter at run time", TCONV(SAME, 2, 2, NONE), .in = { I32S(1, 4, 6, 3), F32(3, 3, 3, 2), F32(1, 2, 3, 2) } },
    { "specials in the filter: padding multiplies none of them", TCONV(SAME, 2, 2, NONE),
      .in = { I32S(1, 4, 6, 1),
              {TYPE_FLOAT32, CASE_DIMS(1, 3, 3, 2), .fill = FILL_GIVEN, .constant = true,
               .data = (const float[]){ INFINITY, 1, 2, -1, .5f, 1, 1, 1, 0, -2, 1, 1, NAN, 1, 3, 1, 1, -INFINITY }},
              F32(1, 2, 3, 2) } },
    { "specials in the input", TCONV(SAME, 2, 2, NONE),
      .in = { I32S(1, 6, 6, 3), CONST_F32(3, 3, 3, 2), F32_SPECIAL(1, 3, 3, 2) } },
    { "int8 per channel", TCONV_TO(QUANT(INT8, 1.3f, 5), SAME, 2, 2), .version = 2,
      .in = { I32S(1, 6, 8, 5), PER_CHANNEL(INT8, 5, 3, 3, 2), QUANT(INT8, .5f, -3, 1, 3, 4, 2) } },
    { "int8 with bias", TCONV_TO(QUANT(INT8, .7f, 5), VALID, 2, 1), .version = 3,
      .in = { I32S(1, 5, 9, 5), PER_CHANNEL(INT8, 5, 3, 3, 3), QUANT(INT8, .5f, -3, 1, 3, 4, 3), BIAS(INT32, 0, 5) } },
    { "uint8", TCONV_TO(QUANT(UINT8, 1.3f, 125), SAME, 2, 2),
      .in = { I32S(1, 6, 8, 5), CONST_QUANT(UINT8, .02f, 120, 5, 3, 3, 2), QUANT(UINT8, .5f, 127, 1, 3, 4, 2) } },
    { "uint8 with bias", TCONV_TO(QUANT(UINT8, 1.3f, 125), SAME, 2, 2), .version = 3,
      .in = { I32S(1, 6, 8, 5), CONST_QUANT(UINT8, .02f, 120, 5, 3, 3, 2), QUANT(UINT8, .5f, 127, 1, 3, 4, 2),
              BIAS(INT32, .01f, 5) } },
    { "int16 with 64-bit bias", TCONV_TO(QUANT(INT16, .0013f, 0), SAME, 2, 2), .version = 3,
      .in = { I32S(1, 6, 8, 5), PER_CHANNEL(INT8, 5, 3, 3, 2), QUANT(INT16, .0005f, 0, 1, 3, 4, 2), BIAS(INT64, 0, 5) } },
    { "int16 without bias", TCONV_TO(QUANT(INT16, .0013f, 0), SAME, 2, 2), .version = 2,
      .in = { I32S(1, 6, 8, 5), PER_CHANNEL(INT8, 5, 3, 3, 2), QUANT(INT16, .0005f, 0, 1, 3, 4, 2) } },
    { "hybrid, one scale", TCONV(SAME, 2, 2, NONE), .version = 2, .tol = 1e-9,
      .in = { I32S(2, 6, 8, 5), CONST_QUANT(INT8, .02f, 0, 5, 3, 3, 3), F32(2, 3, 4, 3) } },
    { "hybrid, a scale per channel, bias", TCONV(VALID, 2, 3, RELU), .version = 4, .tol = 1e-9,
      .in = { I32S(2, 8, 7, 5), PER_CHANNEL(INT8, 5, 2, 3, 7), F32_IN(-1, 3, 2, 3, 3, 7), CONST_F32(5) } },
    { "hybrid, gaps between windows, RELU6", TCONV(SAME, 3, 3, RELU6), .version = 4, .tol = 1e-9,
      .in = { I32S(1, 6, 9, 5), PER_CHANNEL(INT8, 5, 2, 1, 3), F32_IN(-9, -1, 1, 2, 3, 3), CONST_F32(5) } },
    { "hybrid, an image of zeros", TCONV(SAME, 2, 2, NONE), .version = 2,
      .in = { I32S(1, 4, 4, 5), PER_CHANNEL(INT8, 5, 3, 3, 2),
              {TYPE_FLOAT32, CASE_DIMS(1, 2, 2, 2), .fill = FILL_GIVEN, .data = (const float[8]){0}}, CONST_F32(5) } },
    { "hybrid, filter at run time", TCONV(SAME, 2, 2, NONE), .version = 2, .tol = 1e-9,
      .in = { I32S(1, 4, 6, 3), QUANT(INT8, .02f, 0, 3, 3, 3, 2), F32(1, 2, 3, 2) } },
    { "int8, filter at run time", TCONV_TO(QUANT(INT8, .9f, 5), SAME, 2, 2), .version = 3,
      .in = { I32S(1, 4, 6, 6), QUANT(INT8, .02f, 0, 6, 3, 3, 5), QUANT(INT8, .5f, -3, 1, 2, 3, 5), BIAS(INT32, .01f, 6) } },
    { "hybrid, large (fast against reference)", TCONV(SAME, 2, 2, NONE), .version = 2, .no_golden = true,
      .in = { I32S(1, 14, 18, 21), CONST_QUANT(INT8, .02f, 0, 21, 3, 3, 33), F32(1, 7, 9, 33) } },
    { "hybrid, a filter with a zero point", TCONV(SAME, 2, 2, NONE), .version = 2,
      .in = { I32S(1, 4, 6, 3), CONST_QUANT(INT8, .02f, 3, 3, 3, 3, 2), F32(1, 2, 3, 2) }, .fails = "zero point is not 0" },
    { "hybrid, two scales for three channels", TCONV(SAME, 2, 2, NONE), .version = 2,
      .in = { I32S(1, 4, 6, 3), {TYPE_INT8, CASE_DIMS(3, 3, 3, 2), .constant = true, .scales = scales, .channel_dim = 3},
              F32(1, 2, 3, 2) }, .fails = "scales" },
    { "channels differ", TCONV(SAME, 2, 2, NONE), .in = { I32S(1, 4, 6, 3), CONST_F32(3, 3, 3, 2), F32(1, 2, 3, 4) },
      .fails = "2 input channels, the input 4" },
    { "shape of other channels", TCONV(SAME, 2, 2, NONE), .in = { I32S(1, 4, 6, 2), CONST_F32(3, 3, 3, 2), F32(1, 2, 3, 2) },
      .fails = "does not fit" },
    { "negative stride", TCONV(SAME, -1, 2, NONE), .in = { I32S(1, 4, 6, 3), CONST_F32(3, 3, 3, 2), F32(1, 2, 3, 2) },
      .fails = "not positive" },
    { "large (fast against reference)", TCONV(SAME, 2, 2, NONE), .no_golden = true,
      .in = { I32S(1, 14, 18, 21), CONST_F32(21, 3, 3, 33), F32(1, 7, 9, 33) } },
    { "large, stride 2", TCONV(SAME, 2, 2, NONE), .version = 3, .large = true,
      .in = { I32S(1, 113, 117, 67), CONST_F32(67, 3, 3, 35), F32(1, 57, 59, 35), CONST_F32(67) } },
    { "large 5x4 window, strides 3 and 2, two images", TCONV(VALID, 3, 2, RELU), .version = 4, .large = true,
      .in = { I32S(2, 63, 127, 37), CONST_F32(37, 5, 4, 35), F32(2, 30, 42, 35), CONST_F32(37) } },
    { "windows of two strides, same", TCONV(SAME, 3, 2, RELU6), .version = 4, .no_golden = true,
      .in = { I32S(2, 9, 10, 5), CONST_F32(5, 4, 6, 3), F32_IN(-5, 5, 2, 5, 4, 3), CONST_F32(5) } },
    { "windows of three strides by one, valid", TCONV(VALID, 1, 2, NONE), .no_golden = true,
      .in = { I32S(1, 12, 6, 8), CONST_F32(8, 6, 3, 5), F32(1, 4, 4, 5) } },
    { "large, windows of two strides", TCONV(SAME, 3, 2, RELU), .version = 4, .large = true,
      .in = { I32S(2, 67, 118, 37), CONST_F32(37, 4, 6, 35), F32(2, 34, 40, 35), CONST_F32(37) } },
    { "large, 2x2 to one channel", TCONV(SAME, 2, 2, NONE), .version = 4, .large = true,
      .in = { I32S(1, 139, 141, 1), CONST_F32(1, 2, 2, 35), F32(1, 70, 71, 35), CONST_F32(1) } },
    { "large int8, windows of two strides", TCONV_TO(QUANT(INT8, .6f, 5), SAME, 2, 2), .version = 3, .large = true,
      .in = { I32S(1, 113, 117, 67), LARGE_FILTER(INT8, 0, 67, 4, 4, 35), QUANT(INT8, .05f, -3, 1, 57, 59, 35),
              BIAS(INT32, 0, 67) } },
    { "large int8, stride 2", TCONV_TO(QUANT(INT8, .6f, 5), SAME, 2, 2), .version = 3, .large = true,
      .in = { I32S(1, 113, 117, 67), LARGE_FILTER(INT8, 0, 67, 3, 3, 35), QUANT(INT8, .05f, -3, 1, 57, 59, 35),
              BIAS(INT32, 0, 67) } },
    { "large uint8, stride 1", TCONV_TO(QUANT(UINT8, 1.1f, 125), SAME, 1, 1), .version = 3, .large = true,
      .in = { I32S(1, 41, 43, 67), CONST_QUANT(UINT8, .02f, 120, 67, 3, 3, 35), QUANT(UINT8, .05f, 127, 1, 41, 43, 35),
              BIAS(INT32, .001f, 67) } },
    { "large int16, stride 2", TCONV_TO(QUANT(INT16, .0013f, 0), SAME, 2, 2), .version = 3, .large = true,
      .in = { I32S(1, 63, 59, 67), LARGE_FILTER(INT8, 0, 67, 3, 3, 35), QUANT(INT16, .0002f, 0, 1, 32, 30, 35),
              BIAS(INT64, 0, 67) } },
    { "large hybrid, stride 2", TCONV(SAME, 2, 2, NONE), .version = 2, .large = true,
      .in = { I32S(2, 63, 59, 67), LARGE_FILTER(INT8, 0, 67, 3, 3, 35), F32(2, 32, 30, 35) } },
    { "large hybrid, filter at run time", TCONV(VALID, 2, 2, NONE), .version = 2, .large = true,
      .in = { I32S(1, 43, 41, 37), QUANT(INT8, .02f, 0, 37, 3, 3, 35), F32(1, 21, 20, 35) } },
    { "long loops, 262150 channels", TCONV(SAME, 1, 1, RELU), .version = 4, .typical = 170 /* sqrt(n) / 3 */,
      .in = { I32S(1, 1, 2, 3), CONST_F32(3, 1, 1, 262150), F32(1, 1, 2, 262150), CONST_F32(3) } },
    { "long loops, a row of 140003 taps, few of which meet a pixel (TFLite refuses it)", TCONV(SAME, 2, 1, NONE), .no_golden = true,
      .in = { I32S(2, 1, 6, 2), CONST_F32(2, 1, 140003, 2), F32(2, 1, 3, 2) } },
    { 0 }
};

/* MediaPipe's op; TFLite has no kernel that could make golden outputs. */

#define CUSTOM_OPTIONS(pad, sw, sh) .custom = (const int32_t[]){ PAD_##pad, sw, sh, 0 }, .n_custom = 16, .no_golden = true

const struct op_case convolution_2d_transpose_bias_cases[] = {
    { "2x2 stride 2 (MediaPipe's op, unknown to TFLite)", CUSTOM_OPTIONS(SAME, 2, 2),
      .in = { F32(1, 3, 4, 5), CONST_F32(3, 2, 2, 5), CONST_F32(3) } },
    { "3x3 stride 2, same (unknown to TFLite)", CUSTOM_OPTIONS(SAME, 2, 2),
      .in = { F32(1, 3, 4, 2), CONST_F32(5, 3, 3, 2), CONST_F32(5) } },
    { "3x3 stride 2, valid (unknown to TFLite)", CUSTOM_OPTIONS(VALID, 2, 2),
      .in = { F32(2, 3, 2, 2), CONST_F32(5, 3, 3, 2), CONST_F32(5) } },
    { "int8 filter", CUSTOM_OPTIONS(SAME, 2, 2),
      .in = { F32(1, 3, 4, 5), CONST_QUANT(INT8, .02f, 0, 3, 2, 2, 5), CONST_F32(3) }, .fails = "type INT8" },
    { "short options", .custom = "\1\0\0\0", .n_custom = 4,
      .in = { F32(1, 3, 4, 5), CONST_F32(3, 2, 2, 5), CONST_F32(3) }, .fails = "4 option bytes" },
    { "no bias", CUSTOM_OPTIONS(SAME, 2, 2), .in = { F32(1, 3, 4, 5), CONST_F32(3, 2, 2, 5) }, .fails = "inputs" },
    { 0 }
};
