/* SPDX-License-Identifier: Apache-2.0 */
/* activation.c - cases of RELU, RELU6, RELU_N1_TO_1, RELU_0_TO_1, ELU, TANH, LOGISTIC, HARD_SWISH, LEAKY_RELU, GELU. */
#include "bench/cases/elementwise.h"

#define ACTIVATION_CASES(opt_)                                                                                                 \
    { "odd sizes", .opt = opt_, .in = { F32_IN(-8, 8, 1, 5, 7, 3) } },                                                         \
    { "specials", .opt = opt_, .in = { F32_SPECIAL(67) } },                                                                    \
    { "rank 5", .opt = opt_, .in = { F32_IN(-20, 20, 2, 1, 3, 2, 5) } },                                                       \
    { "empty", .opt = opt_, .in = { F32(0, 3) } },                                                                             \
    { LARGE_CASE("float32"), .opt = opt_, .in = { F32_IN(-8, 8, LARGE) } },                                                    \
    { "int64", .opt = opt_, .in = { TENSOR(INT64, 2) }, .fails = "INT64" }

#define BYTE_CASES(opt_, y_scale_, y_zero_)                                                                                    \
    { "int8", .opt = opt_, .in = { ALL_OF(INT8, 0.05f, 7) }, .out = QUANTS(INT8, y_scale_, (y_zero_) - 128) },                 \
    { LARGE_CASE("int8"), .opt = opt_, .in = { QUANT(INT8, 0.05f, 7, LARGE) }, .out = QUANTS(INT8, y_scale_, (y_zero_) - 128) }, \
    { LARGE_CASE("uint8"), .opt = opt_, .in = { QUANT(UINT8, 0.06f, 119, LARGE) }, .out = QUANTS(UINT8, y_scale_, y_zero_) },   \
    { "uint8", .opt = opt_, .in = { ALL_OF(UINT8, 0.06f, 119) }, .out = QUANTS(UINT8, y_scale_, y_zero_) }

#define RELU_CASES                                                                                                             \
    ACTIVATION_CASES(NULL),                                                                                                    \
    BYTE_CASES(NULL, 0.03f, 10),                                                                                               \
    { "int8, same scale", .in = { ALL_OF(INT8, 0.05f, 7) } }
#define RELU16_CASE { LARGE_CASE("int16"), .in = { QUANT(INT16, 0.0003f, 0, LARGE) }, .out = QUANTS(INT16, 0.0002f, 0) }, { "int16", .in = { QUANT(INT16, 0.0003f, 0, 67) }, .out = QUANTS(INT16, 0.0002f, 0) }

const struct op_case relu_cases[] = { RELU_CASES, RELU16_CASE, { 0 } };

const struct op_case relu6_cases[] = { RELU_CASES, RELU16_CASE, { 0 } };

const struct op_case relu_n1_to_1_cases[] = { RELU_CASES, { 0 } };

const struct op_case relu_0_to_1_cases[] = { RELU_CASES, { 0 } };

const struct op_case elu_cases[] = {
    ACTIVATION_CASES(NULL),
    { "int8", .in = { ALL_OF(INT8, 0.05f, 7) }, .out = QUANTS(INT8, 0.04f, -90) },
    { 0 }
};

#define SIGMOID16_CASES                                                                                                        \
    { LARGE_CASE("int16"), .in = { QUANT(INT16, 0.0003f, 0, LARGE) }, .out = QUANTS(INT16, 1.0f / 32768, 0) },                 \
                                                                                                          \
    { "int16, scale 2^-12", .in = { QUANT(INT16, 1.0f / 4096, 0, 250) }, .out = QUANTS(INT16, 1.0f / 32768, 0) },              \
    { "int16, scale 2^-11", .in = { QUANT(INT16, 1.0f / 2048, 0, 250) }, .out = QUANTS(INT16, 1.0f / 32768, 0) },              \
    { "int16, any scale", .in = { QUANT(INT16, 0.0003f, 0, 250) }, .out = QUANTS(INT16, 1.0f / 32768, 0) },                    \
    { "int16, fine scale", .in = { QUANT(INT16, 0.00001f, 0, 250) }, .out = QUANTS(INT16, 1.0f / 32768, 0) },                  \
    { "int16, other output scale", .in = { QUANT(INT16, 0.0003f, 0, 5) }, .out = QUANTS(INT16, 0.0001f, 0),                    \
      .fails = "1/32768" }

const struct op_case tanh_cases[] = { ACTIVATION_CASES(NULL), BYTE_CASES(NULL, 1.0f / 128, 128), SIGMOID16_CASES, F16_CASE(NULL), BF16_CASE(NULL), { 0 } };

const struct op_case logistic_cases[] = {
    ACTIVATION_CASES(NULL), BYTE_CASES(NULL, 1.0f / 256, 0), SIGMOID16_CASES, F16_CASE(NULL), BF16_CASE(NULL),
    { 0 }
};

const struct op_case hard_swish_cases[] = {
    ACTIVATION_CASES(NULL),
    BYTE_CASES(NULL, 0.05f, 20),
    { "int8, coarse input", .in = { ALL_OF(INT8, 0.9f, 7) }, .out = QUANTS(INT8, 0.5f, -90) },
    { "int8, fine input", .in = { ALL_OF(INT8, 0.004f, 7) }, .out = QUANTS(INT8, 0.003f, -9) },
    { 0 }
};

const struct op_case leaky_relu_cases[] = {
    ACTIVATION_CASES((&(struct opt_leaky_relu){ 0.1f })),
    BYTE_CASES((&(struct opt_leaky_relu){ 0.3f }), 0.04f, 99),
    { "int16", .opt = &(struct opt_leaky_relu){ 0.3f }, .in = { QUANT(INT16, 0.0003f, 0, 67) },
      .out = QUANTS(INT16, 0.0002f, 0) },
    { "negative alpha, int8", .opt = &(struct opt_leaky_relu){ -0.5f }, .in = { ALL_OF(INT8, 0.05f, 7) }, .out = QUANTS(INT8, 0.05f, -9) },
    { "negative alpha, int16", .opt = &(struct opt_leaky_relu){ -1.5f }, .in = { QUANT(INT16, 0.5f, 0, 200) }, .out = QUANTS(INT16, 0.5f, 0) },
    { "alpha above 1", .opt = &(struct opt_leaky_relu){ 1.5f }, .in = { F32(2, 3, 5) } },
    { 0 }
};

const struct op_case gelu_cases[] = {
    ACTIVATION_CASES(NULL),
    { "approximate", .opt = &(struct opt_gelu){ true }, .in = { F32_IN(-8, 8, 1, 5, 7, 3) } },
    BYTE_CASES(NULL, 0.04f, 20),
    F16_CASE(NULL),
    { "int16", .in = { QUANT(INT16, 0.0003f, 0, 200) }, .out = QUANTS(INT16, 0.0002f, 0) },
    { "int16 with zero points", .in = { QUANT(INT16, 0.0003f, 700, 200) }, .out = QUANTS(INT16, 0.0002f, -50) },
    { "approximate, int8", .opt = &(struct opt_gelu){ true }, .in = { ALL_OF(INT8, 0.05f, 7) }, .out = QUANTS(INT8, 0.03f, -9) },
    { "approximate, float16", .opt = &(struct opt_gelu){ true }, .in = { {TYPE_FLOAT16, CASE_DIMS(3, 5, 7), .lo = -4, .hi = 4} } },
    { "approximate, specials", .opt = &(struct opt_gelu){ true }, .in = { F32_SPECIAL(67) } },
    { 0 }
};
