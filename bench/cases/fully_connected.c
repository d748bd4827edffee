/* fully_connected.c - cases of FULLY_CONNECTED. */
#include "../opcheck.h"

#define FC(act, ...) .opt = &(struct opt_fully_connected){ .activation = ACT_##act, __VA_ARGS__ }

#define BIAS(type, scale_, n) \
    {TYPE_##type, CASE_DIMS(n), .constant = true, .lo = -300, .hi = 300, .scale = (scale_)}
#define PER_CHANNEL(type, ...) \
    {TYPE_##type, CASE_DIMS(__VA_ARGS__), .constant = true, .scales = scales, .channel_dim = 0}

static const float scales[] = { .02f, .013f, .0371f, .005f, .029f, .017f, .011f, .041f };

const struct op_case fully_connected_cases[] = {
    { "one row", FC(NONE), .in = { F32(1, 13), CONST_F32(7, 13), CONST_F32(7) } },
    { "nine rows, RELU", FC(RELU), .in = { F32(9, 5), CONST_F32(18, 5), CONST_F32(18) } },
    { "RELU6", FC(RELU6), .in = { F32_IN(-9, 9, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "RELU_N1_TO_1", FC(RELU_N1_TO_1), .in = { F32_IN(-9, 9, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "no bias", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6) } },
    { "bias omitted", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6), OMITTED } },
    { "input flattened", FC(NONE), .in = { F32(2, 3, 2, 3), CONST_F32(5, 6), CONST_F32(5) } },
    { "rank 1", FC(NONE), .in = { F32(6), CONST_F32(5, 6), CONST_F32(5) } },
    { "keep_num_dims", FC(NONE, .keep_num_dims = true), .version = 5, .in = { F32(2, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "weights at run time", FC(NONE), .in = { F32(2, 6), F32(5, 6), F32(5) } },
    { "specials", FC(NONE), .in = { F32_SPECIAL(8, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "specials, RELU", FC(RELU), .in = { F32_SPECIAL(8, 3), CONST_F32(5, 3), CONST_F32(5) } },
    { "int8", FC(NONE), .version = 4, .in = { QUANT(INT8, .5f, -3, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), BIAS(INT32, .01f, 7) },
      .out = { QUANT(INT8, 1.3f, 5) } },
    { "int8, zero point in the weights, RELU6", FC(RELU6), .version = 4,
      .in = { QUANT(INT8, .05f, 127, 5, 14), CONST_QUANT(INT8, .02f, -128, 19, 14), BIAS(INT32, .001f, 19) },
      .out = { QUANT(INT8, .03f, -128) } },
    { "int8 per channel", FC(RELU), .version = 4,
      .in = { QUANT(INT8, .5f, -3, 3, 13), PER_CHANNEL(INT8, 7, 13), BIAS(INT32, 0, 7) }, .out = { QUANT(INT8, 1.3f, 5) } },
    { "int8 without bias, saturating", FC(NONE), .version = 4,
      .in = { QUANT(INT8, .5f, -3, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13) }, .out = { QUANT(INT8, .001f, 5) } },
    { "int8, weights at run time", FC(NONE), .version = 4,
      .in = { QUANT(INT8, .5f, -3, 3, 13), QUANT(INT8, .02f, 0, 7, 13), BIAS(INT32, .01f, 7) },
      .out = { QUANT(INT8, 1.3f, 5) } },
    { "int8, int4 weights", FC(NONE), .version = 9,
      .in = { QUANT(INT8, .5f, -3, 3, 13), PER_CHANNEL(INT4, 7, 13), BIAS(INT32, 0, 7) }, .out = { QUANT(INT8, .3f, 5) } },
    { "uint8", FC(RELU_N1_TO_1), .in = { QUANT(UINT8, .02f, 130, 3, 13), CONST_QUANT(UINT8, .02f, 120, 7, 13), BIAS(INT32, .0004f, 7) },
      .out = { QUANT(UINT8, .01f, 100) } },
    { "uint8 to int16", FC(NONE), .in = { QUANT(UINT8, .5f, 130, 3, 13), CONST_QUANT(UINT8, .02f, 120, 7, 13), BIAS(INT32, .01f, 7) },
      .out = { QUANT(INT16, .003f, 0) } },
    { "int16 with 64-bit bias", FC(NONE), .version = 7,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), BIAS(INT64, .00001f, 7) },
      .out = { QUANT(INT16, .0013f, 0) } },
    { "int16 per channel, without bias", FC(NONE), .version = 11,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), PER_CHANNEL(INT8, 7, 13) }, .out = { QUANT(INT16, .0013f, 0) } },
    { "int16 with 32-bit bias", FC(NONE, .quantized_bias_type = TYPE_INT32), .version = 11,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), BIAS(INT32, .00001f, 7) },
      .out = { QUANT(INT16, .0013f, 0) } },
    { "hybrid", FC(NONE), .version = 3, .in = { F32(3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), CONST_F32(7) } },
    { "hybrid, asymmetric", FC(RELU, .asymmetric_quantize_inputs = true), .version = 9,
      .in = { F32_IN(-1, 4, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), CONST_F32(7) } },
    { "hybrid per channel, asymmetric, TANH", FC(TANH, .asymmetric_quantize_inputs = true), .version = 9,
      .in = { F32_IN(-1, 4, 3, 13), PER_CHANNEL(INT8, 7, 13), CONST_F32(7) } },
    { "hybrid per channel, symmetric, no bias, SIGN_BIT", FC(SIGN_BIT), .version = 9,
      .in = { F32_IN(-1, 4, 3, 13), PER_CHANNEL(INT8, 7, 13) } },
    { "hybrid, int4 weights", FC(NONE, .asymmetric_quantize_inputs = true), .version = 9,
      .in = { F32(3, 13), PER_CHANNEL(INT4, 7, 13), CONST_F32(7) } },
    { "hybrid, rows of zeros", FC(NONE), .version = 3,
      .in = { {TYPE_FLOAT32, CASE_DIMS(1, 4), .fill = FILL_GIVEN, .data = (const float[4]){ 0 }},
              CONST_QUANT(INT8, .02f, 0, 7, 4), CONST_F32(7) } },
    { "depth does not divide", FC(NONE), .in = { F32(2, 7), CONST_F32(5, 6), CONST_F32(5) }, .fails = "rows of 6" },
    { "keep_num_dims with another depth", FC(NONE, .keep_num_dims = true), .version = 5,
      .in = { F32(2, 6, 3), CONST_F32(5, 6), CONST_F32(5) }, .fails = "depth is 6" },
    { "short bias", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6), CONST_F32(4) }, .fails = "4 bias values for 5 units" },
    { "filter of rank 3", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6, 1), CONST_F32(5) }, .fails = "[units, depth]" },
    { "deep", FC(NONE), .in = { F32(2, 1101), CONST_F32(67, 1101), CONST_F32(67) } },
    { "large (fast against reference)", FC(RELU), .no_golden = true,
      .in = { F32(21, 1101), CONST_F32(67, 1101), CONST_F32(67) } },
    { 0 }
};
