/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv.c - cases of DEPTHWISE_CONV_2D. */
#include <math.h>

#include "bench/models/builder.h"
#include "bench/opcheck/opcheck.h"
#include "bench/cases/large.h"

#define DW(pad, s, d, m, act) \
    .opt = &(struct opt_depthwise_conv_2d){ .padding = PAD_##pad, .stride_width = s, .stride_height = s, \
                                            .depth_multiplier = m, .activation = ACT_##act, \
                                            .dilation_width_factor = d, .dilation_height_factor = d }

#define BIAS(type, scale_, n) \
    {TYPE_##type, CASE_DIMS(n), .constant = true, .lo = -300, .hi = 300, .scale = (scale_)}
#define PER_CHANNEL(type, ...) \
    {TYPE_##type, CASE_DIMS(__VA_ARGS__), .constant = true, .scales = scales, .channel_dim = 3}

static const float scales[] = { .02f, .013f, .0371f, .005f, .029f, .017f, .011f, .041f };

/* Numbers of both signs that hardly any sum of which is the same. */
static const float *numbers(void)
{
    static float v[4096];

    for (int i = 0; i < 4096; i++)
        v[i] = (float)(i * 1543 % 2003 - 1001) / 1024;
    return v;
}

struct separable {
    int32_t images, height, width, channels, kernel, stride, dilation, out;
    enum activation between, after;
};

/* x -> DEPTHWISE_CONV_2D -> CONV_2D of 1x1 -> y. */
static void build_separable(struct builder *b, const struct separable *s)
{
    const int32_t h = (s->height + s->stride - 1) / s->stride, w = (s->width + s->stride - 1) / s->stride, c = s->channels;
    const struct opt_depthwise_conv_2d depthwise = { .padding = PAD_SAME, .stride_width = s->stride, .stride_height = s->stride, .depth_multiplier = 1, .activation = s->between,
                                                     .dilation_width_factor = s->dilation, .dilation_height_factor = s->dilation };
    const struct opt_conv_2d product = { .padding = PAD_SAME, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1, .activation = s->after };
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(s->images, s->height, s->width, c)), between = build_tensor(b, "between", TYPE_FLOAT32, SHAPE(s->images, h, w, c));
    const int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(s->images, h, w, s->out));

    build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 2, &depthwise,
             INDICES(x, build_const(b, "taps", TYPE_FLOAT32, SHAPE(1, s->kernel, s->kernel, c), numbers()), build_const(b, "bias", TYPE_FLOAT32, SHAPE(c), numbers())), INDICES(between));
    build_op(b, BUILTIN_CONV_2D, 1, &product,
             INDICES(between, build_const(b, "filter", TYPE_FLOAT32, SHAPE(s->out, 1, 1, c), numbers()), build_const(b, "shift", TYPE_FLOAT32, SHAPE(s->out), numbers() + 7)), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

#define SEPARABLE(name, ...) \
    static void build_##name(struct builder *b) \
    { \
        build_separable(b, &(struct separable){__VA_ARGS__}); \
    }
SEPARABLE(plain, 1, 25, 25, 67, 3, 1, 1, 3, ACT_RELU6, ACT_NONE)
SEPARABLE(stride_2, 2, 97, 99, 65, 3, 2, 1, 4, ACT_NONE, ACT_RELU)
SEPARABLE(dilated, 1, 26, 25, 66, 2, 1, 2, 2, ACT_RELU_N1_TO_1, ACT_NONE)
SEPARABLE(wide, 1, 71, 72, 62, 3, 1, 1, 31, ACT_RELU, ACT_RELU6)

const struct op_case depthwise_conv_cases[] = {
    /* An image without pixels has a result of that size; TFLite refuses it. */
    { "3x3 same", .skip_golden = ", 0.1 empty|, 0.2 empty", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 5, 6, 7), CONST_F32(1, 3, 3, 7), CONST_F32(7) } },
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
    { "multiplier 2, filter at run time", DW(SAME, 1, 1, 2, NONE), .in = { F32(1, 4, 5, 3), F32(1, 3, 3, 6), F32(6) } },
    { "filter at run time", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 4, 3, 3), F32(1, 3, 3, 3), F32(3) } },
    { "without bias", DW(SAME, 1, 1, 1, NONE), .in = { F32(1, 4, 3, 3), CONST_F32(1, 3, 3, 3) } },
    { "specials in the input", DW(SAME, 1, 1, 1, NONE),
      .in = { F32_SPECIAL(1, 5, 6, 3), CONST_F32(1, 3, 3, 3), CONST_F32(3) } },
    { "specials in the filter: padding multiplies none of them", DW(SAME, 1, 1, 1, RELU6),
      .in = { F32(1, 4, 5, 2),
              {TYPE_FLOAT32, CASE_DIMS(1, 3, 3, 2), .fill = FILL_GIVEN, .constant = true,
               .data = (const float[]){ INFINITY, 1, 2, -1, .5f, 1, 1, 1, 0, -2, 1, 1, NAN, 1, 3, 1, 1, -INFINITY }},
              CONST_F32(2) } },
    { "int8 per channel", DW(SAME, 1, 1, 1, NONE), .version = 3,
      .in = { QUANT(INT8, .5f, -3, 1, 5, 6, 7), PER_CHANNEL(INT8, 1, 3, 3, 7), BIAS(INT32, 0, 7) },
      .out = { QUANT(INT8, .8f, 5) } },
    { "int8 per tensor, RELU6, stride 2, 19 channels", DW(SAME, 2, 1, 1, RELU6), .version = 3,
      .in = { QUANT(INT8, .05f, -128, 1, 4, 3, 19), CONST_QUANT(INT8, .01f, 0, 1, 3, 3, 19), BIAS(INT32, .0005f, 19) },
      .out = { QUANT(INT8, .03f, -128) } },
    { "int8, multiplier 2, two images", DW(VALID, 1, 1, 2, RELU), .version = 3,
      .in = { QUANT(INT8, .5f, 127, 2, 4, 4, 3), PER_CHANNEL(INT8, 1, 2, 2, 6), BIAS(INT32, 0, 6) },
      .out = { QUANT(INT8, .4f, -10) } },
    { "int8, filter at run time", DW(SAME, 1, 1, 1, NONE), .version = 3,
      .in = { QUANT(INT8, .5f, -3, 1, 4, 4, 5), QUANT(INT8, .02f, 0, 1, 3, 3, 5), BIAS(INT32, .01f, 5) },
      .out = { QUANT(INT8, .8f, 5) } },
    { "int4 weights", DW(SAME, 1, 1, 1, NONE), .version = 6,
      .in = { QUANT(INT8, .5f, -3, 1, 5, 6, 7), PER_CHANNEL(INT4, 1, 3, 3, 7), BIAS(INT32, 0, 7) },
      .out = { QUANT(INT8, .3f, 5) } },
    { "uint8, dilation 2", DW(SAME, 1, 2, 1, RELU), .version = 2,
      .in = { QUANT(UINT8, .5f, 130, 1, 5, 6, 7), CONST_QUANT(UINT8, .02f, 117, 1, 3, 3, 7), BIAS(INT32, .01f, 7) },
      .out = { QUANT(UINT8, 1.1f, 100) } },
    { "uint8, multiplier 3", DW(VALID, 2, 1, 3, RELU6),
      .in = { QUANT(UINT8, .02f, 0, 2, 5, 6, 2), CONST_QUANT(UINT8, .01f, 128, 1, 2, 3, 6), BIAS(INT32, .0002f, 6) },
      .out = { QUANT(UINT8, .0235294f, 0) } },
    { "int16", DW(SAME, 1, 1, 1, NONE), .version = 5,
      .in = { QUANT(INT16, .0005f, 0, 1, 5, 6, 7), PER_CHANNEL(INT8, 1, 3, 3, 7), BIAS(INT64, 0, 7) },
      .out = { QUANT(INT16, .0013f, 0) } },
    { "hybrid, a scale per channel", DW(SAME, 2, 1, 1, RELU), .version = 6,
      .in = { F32_IN(-3, 5, 2, 4, 5, 7), PER_CHANNEL(INT8, 1, 3, 3, 7), CONST_F32(7) } },
    { "hybrid, multiplier 2", DW(SAME, 1, 1, 2, NONE), .version = 6,
      .in = { F32_IN(-3, 5, 1, 4, 5, 4), PER_CHANNEL(INT8, 1, 3, 3, 8), CONST_F32(8) } },
    { "int8 with a zero point in the filter", DW(SAME, 1, 1, 1, NONE), .version = 3,
      .in = { QUANT(INT8, .5f, -3, 1, 4, 4, 5), CONST_QUANT(INT8, .02f, 1, 1, 3, 3, 5), BIAS(INT32, .01f, 5) },
      .out = { QUANT(INT8, .8f, 5) }, .fails = "zero point" },
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
    { "large", DW(SAME, 1, 1, 1, RELU6), .large = true,
      .in = { F32_IN(-2, 3, 1, 113, 117, 67), CONST_F32(1, 3, 3, 67), CONST_F32(67) } },
    { "large, stride 2, dilation 2", DW(SAME, 2, 2, 1, NONE), .large = true,
      .in = { F32(2, 113, 117, 35), CONST_F32(1, 3, 3, 35), CONST_F32(35) } },
    { "large 5x5, multiplier 3", DW(VALID, 1, 1, 3, NONE), .large = true,
      .in = { F32(1, 61, 59, 23), CONST_F32(1, 5, 5, 69), CONST_F32(69) } },
    { "large int8", DW(SAME, 1, 1, 1, NONE), .version = 3, .large = true,
      .in = { QUANT(INT8, .05f, -3, 1, 113, 117, 67), LARGE_FILTER(INT8, 3, 1, 3, 3, 67), BIAS(INT32, 0, 67) },
      .out = { QUANT(INT8, .08f, 5) } },
    { "large int8, stride 2, dilation 2", DW(SAME, 2, 2, 1, RELU), .version = 3, .large = true,
      .in = { QUANT(INT8, .05f, -3, 2, 113, 117, 35), LARGE_FILTER(INT8, 3, 1, 3, 3, 35), BIAS(INT32, 0, 35) },
      .out = { QUANT(INT8, .08f, -30) } },
    { "large int8 5x5, multiplier 3", DW(VALID, 1, 1, 3, NONE), .version = 3, .large = true,
      .in = { QUANT(INT8, .05f, -3, 1, 61, 59, 23), LARGE_FILTER(INT8, 3, 1, 5, 5, 69), BIAS(INT32, 0, 69) },
      .out = { QUANT(INT8, .15f, 5) } },
    { "large int8, 291 channels", DW(SAME, 1, 1, 1, NONE), .version = 3, .large = true,
      .in = { QUANT(INT8, .05f, -3, 1, 23, 29, 291), CONST_QUANT(INT8, .02f, 0, 1, 3, 3, 291), BIAS(INT32, .001f, 291) },
      .out = { QUANT(INT8, .08f, 5) } },
    { "large uint8", DW(SAME, 1, 1, 1, NONE), .large = true,
      .in = { QUANT(UINT8, .05f, 131, 1, 61, 59, 67), CONST_QUANT(UINT8, .02f, 120, 1, 3, 3, 67), BIAS(INT32, .001f, 67) },
      .out = { QUANT(UINT8, .08f, 125) } },
    { "large int16", DW(SAME, 2, 1, 1, NONE), .version = 5, .large = true,
      .in = { QUANT(INT16, .0002f, 0, 1, 61, 59, 67), LARGE_FILTER(INT8, 3, 1, 3, 3, 67), BIAS(INT64, 0, 67) },
      .out = { QUANT(INT16, .0003f, 0) } },
    { "large hybrid", DW(SAME, 1, 1, 1, NONE), .version = 6, .large = true,
      .in = { F32(2, 61, 59, 67), LARGE_FILTER(INT8, 3, 1, 3, 3, 67), CONST_F32(67) } },
    { "long loops, 300x300", DW(VALID, 1, 1, 1, RELU), .in = { F32(1, 300, 301, 3), CONST_F32(1, 300, 300, 3), CONST_F32(3) } },
    { "long loops, 2 outputs a channel, two images", DW(VALID, 1, 1, 2, NONE),
      .in = { F32(2, 1, 70001, 2), CONST_F32(1, 1, 70001, 4), CONST_F32(4) } },
    { "moderately large, for the GPU", DW(SAME, 2, 2, 1, NONE), .no_golden = true,
      .in = { F32(1, 43, 45, 67), CONST_F32(1, 3, 3, 67), CONST_F32(67) } },
    { "uint8 with zero points, multiplier 2, filter at run time", DW(VALID, 1, 2, 2, RELU), .version = 3,
      .in = { QUANT(UINT8, .5f, 130, 2, 6, 5, 3), QUANT(UINT8, .02f, 117, 1, 2, 3, 6), BIAS(INT32, .01f, 6) },
      .out = { QUANT(UINT8, .8f, 100) } },
    { "hybrid, filter at run time", DW(SAME, 1, 1, 1, NONE), .version = 6,
      .in = { F32_IN(-3, 5, 2, 4, 5, 7), {TYPE_INT8, CASE_DIMS(1, 3, 3, 7), .scales = scales, .channel_dim = 3}, CONST_F32(7) } },
    /* As large as it takes for one dispatch to compute both. */
    { "then 1x1 (large, for the GPU)", .no_golden = true, .gpu_ways = "separable:2x2 separable:4x2 separable:apart", .build = build_plain, .in = { F32_IN(-4, 4, 1, 25, 25, 67) } },
    { "then 1x1, stride 2, two images (large, for the GPU)", .no_golden = true, .gpu_ways = "separable:4x2", .build = build_stride_2, .in = { F32_IN(-4, 4, 2, 97, 99, 65) } },
    { "then 1x1, dilation 2 (large, for the GPU)", .no_golden = true, .gpu_ways = "separable:2x2", .build = build_dilated, .in = { F32_IN(-4, 4, 1, 26, 25, 66) } },
    { "then 1x1 to 31 channels (large, for the GPU)", .no_golden = true, .build = build_wide, .in = { F32_IN(-4, 4, 1, 71, 72, 62) } },
    { "then 1x1, specials (large, for the GPU)", .no_golden = true, .gpu_ways = "separable:2x2", .build = build_plain, .in = { F32_SPECIAL(1, 25, 25, 67) } },
    { 0 }
};
