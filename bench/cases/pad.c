/* SPDX-License-Identifier: Apache-2.0 */
/* pad.c - cases of PAD, PADV2, MIRROR_PAD. */
#include "bench/opcheck/opcheck.h"

#define COUNT(t_, ...) (int)(sizeof((t_[]){__VA_ARGS__}) / sizeof(t_))
#define PADS_OF(type_, t_, constant_, ...)                                                                            \
    {TYPE_##type_, .rank = 2, .dim = {COUNT(t_, __VA_ARGS__) / 2, 2}, .fill = FILL_GIVEN, .constant = constant_,      \
     .data = (const t_[]){__VA_ARGS__}}
#define PADS(...) PADS_OF(INT32, int32_t, true, __VA_ARGS__)
#define RUN_PADS(...) PADS_OF(INT32, int32_t, false, __VA_ARGS__)
#define VALUE(type_, t_, v_) {TYPE_##type_, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const t_[]){v_}}

const struct op_case pad_cases[] = {
    { "image", .in = { F32(1, 3, 5, 3), PADS(0, 0, 1, 2, 3, 0, 0, 0) } },
    { "every side", .in = { F32(2, 3, 2, 3), PADS(1, 0, 0, 2, 1, 1, 2, 1) } },
    { "channels by fours", .in = { F32(1, 2, 2, 3), PADS(0, 0, 1, 0, 0, 1, 4, 2) } },
    { "nothing", .in = { F32(2, 3), PADS(0, 0, 0, 0) } },
    { "vector", .in = { F32(5), PADS(2, 3) } },
    { "rank 5", .in = { F32(2, 1, 2, 3, 2), PADS(0, 1, 1, 0, 0, 1, 1, 0, 0, 1) } },
    { "two axes, rank 5", .in = { F32(1, 3, 2, 2, 5), PADS(0, 0, 1, 0, 0, 2, 0, 0, 0, 0) } },
    { "every side, rank 6 (TFLite pads five)", .no_golden = true, .in = { F32(2, 1, 2, 3, 2, 3), PADS(0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 2, 1) } },
    { "empty", .in = { F32(0, 2), PADS(1, 1, 1, 0) } },
    { "int64 paddings", .in = { F32(2, 3), PADS_OF(INT64, int64_t, true, 1, 0, 2, 1) } },
    { "int8 paddings", .in = { F32(2, 3), PADS_OF(INT8, int8_t, true, 1, 0, 2, 1) } },
    { "bool paddings", .in = { F32(2, 3), PADS_OF(BOOL, uint8_t, true, 1, 0, 0, 1) } },
    { "int16 paddings", .in = { F32(2, 3), PADS_OF(INT16, int16_t, true, 1, 0, 2, 1) } },
    { "paddings known while running", .in = { F32(2, 3), RUN_PADS(1, 0, 2, 1) } },
    { "int8", .in = { QUANT(INT8, 0.1f, -7, 1, 3, 3, 2), PADS(0, 0, 1, 2, 3, 0, 0, 0) } },
    { "uint8", .in = { QUANT(UINT8, 0.1f, 77, 1, 3, 3, 2), PADS(0, 0, 1, 2, 3, 0, 0, 0) } },
    { "int16", .in = { QUANT(INT16, 0.1f, 0, 3, 5), PADS(1, 2, 3, 0) } },
    { "int32", .in = { TENSOR(INT32, 3, 5), PADS(1, 2, 3, 0) } },
    { "int64", .in = { TENSOR(INT64, 3, 5), PADS(1, 2, 3, 0) } },
    { "bool", .in = { TENSOR(BOOL, 3, 5), PADS(1, 2, 3, 0) } },
    { "with a value", .in = { F32(2, 3), PADS(1, 0, 0, 2), VALUE(FLOAT32, float, -1.5f) } },
    { "with a value known while running", .in = { F32(2, 3), PADS(1, 0, 0, 2), F32(1) } },
    { "with a value beyond floats' integers", .in = { TENSOR(INT32, 3, 5), PADS(1, 2, 3, 0), VALUE(INT32, int32_t, 1 << 25 | 1) } },
    { "with a value of 64 bits", .in = { TENSOR(INT64, 3, 5), PADS(1, 2, 3, 0), VALUE(INT64, int64_t, 5000000000) } },
    { "negative", .in = { F32(3, 5), PADS(1, -2, 3, 0) }, .fails = "paddings 1 and -2" },
    { "overflow", .in = { F32(3, 5), PADS(INT32_MAX, INT32_MAX, 3, 0) }, .fails = "too long" },
    { "wrong shape", .in = { F32(3, 5), PADS(1, 2) }, .fails = "[2,2]" },
    { 0 }
};

const struct op_case padv2_cases[] = {
    { "image", .in = { F32(1, 3, 5, 3), PADS(0, 0, 1, 2, 3, 0, 0, 0), VALUE(FLOAT32, float, -1.5f) } },
    { "every side", .in = { F32(2, 3, 2, 3), PADS(1, 0, 0, 2, 1, 1, 2, 1), VALUE(FLOAT32, float, 7) } },
    { "every side, rank 5", .in = { F32(2, 1, 2, 3, 5), PADS(1, 0, 0, 2, 1, 1, 0, 1, 2, 0), VALUE(FLOAT32, float, 7) } },
    { "without a value", .in = { F32(2, 3), PADS(1, 0, 0, 2) } },
    { "value known while running", .in = { F32(2, 3), PADS(1, 0, 0, 2), F32(1) } },
    { "int8", .in = { QUANT(INT8, 0.1f, -7, 1, 3, 3, 2), PADS(0, 0, 1, 2, 3, 0, 0, 0),
                      {TYPE_INT8, .rank = 1, .dim = {1}, .constant = true, .scale = 0.1f, .zero_point = -7} } },
    { "uint8", .in = { QUANT(UINT8, 0.1f, 77, 1, 3, 3, 2), PADS(0, 0, 1, 2, 3, 0, 0, 0),
                       {TYPE_UINT8, .rank = 1, .dim = {1}, .constant = true, .scale = 0.1f, .zero_point = 77} } },
    { "int32", .in = { TENSOR(INT32, 3, 5), PADS(1, 2, 3, 0), VALUE(INT32, int32_t, -100000) } },
    { "int64", .in = { TENSOR(INT64, 3, 5), PADS(1, 2, 3, 0), VALUE(INT64, int64_t, 5000000000) } },
    { "bool", .in = { TENSOR(BOOL, 3, 5), PADS(1, 2, 3, 0), VALUE(BOOL, uint8_t, 1) } },
    { "other scale", .in = { QUANT(INT8, 0.1f, -7, 3), PADS(1, 2),
                             {TYPE_INT8, .rank = 1, .dim = {1}, .constant = true, .scale = 0.2f, .zero_point = -7} },
      .fails = "scale 0.2" },
    { "value of another type", .in = { F32(3), PADS(1, 2), VALUE(INT32, int32_t, 1) }, .fails = "must be the same" },
    { "two values", .in = { F32(3), PADS(1, 2), CONST_F32(2) }, .fails = "2 elements" },
    { 0 }
};

#define REFLECT .opt = &(struct opt_mirror_pad){ MIRROR_REFLECT }
#define SYMMETRIC .opt = &(struct opt_mirror_pad){ MIRROR_SYMMETRIC }

const struct op_case mirror_pad_cases[] = {
    /* A dimension of 0 that is not padded stays; TFLite refuses it. */
    { "reflect, image", .skip_golden = ", 0.0 empty|, 0.3 empty", REFLECT, .in = { F32(1, 4, 5, 3), PADS(0, 0, 1, 3, 3, 0, 0, 0) } },
    { "symmetric, image", SYMMETRIC, .in = { F32(1, 3, 5, 3), PADS(0, 0, 3, 2, 5, 0, 0, 0) } },
    { "reflect, rank 5", REFLECT, .in = { F32(2, 3, 2, 3, 5), PADS(1, 0, 0, 2, 0, 0, 1, 2, 0, 0) } },
    { "reflect, every side", REFLECT, .in = { F32(2, 3, 2, 3), PADS(1, 0, 0, 2, 1, 1, 2, 1) } },
    { "symmetric, every side", SYMMETRIC, .in = { F32(2, 3, 2, 3), PADS(1, 2, 0, 3, 2, 1, 0, 3) } },
    { "reflect, vector", REFLECT, .in = { F32(5), PADS(4, 2) } },
    { "nothing", SYMMETRIC, .in = { F32(2, 3), PADS(0, 0, 0, 0) } },
    { "int64 paddings", REFLECT, .in = { F32(2, 3), PADS_OF(INT64, int64_t, true, 1, 0, 2, 1) } },
    { "paddings known while running", REFLECT, .in = { F32(2, 3), RUN_PADS(1, 0, 2, 1) } },
    { "int8", REFLECT, .in = { QUANT(INT8, 0.1f, -7, 3, 5), PADS(1, 2, 3, 0) } },
    { "uint8", SYMMETRIC, .in = { QUANT(UINT8, 0.1f, 7, 3, 5), PADS(1, 2, 3, 0) } },
    { "int16", SYMMETRIC, .in = { TENSOR(INT16, 3, 5), PADS(1, 2, 3, 0) } },
    { "int32", REFLECT, .in = { TENSOR(INT32, 3, 5), PADS(1, 2, 3, 0) } },
    { "int64", REFLECT, .in = { TENSOR(INT64, 3, 5), PADS(1, 2, 3, 0) } },
    { "reflects too much", REFLECT, .in = { F32(3), PADS(3, 0) }, .fails = "more than dimension 0, 3 long, can mirror" },
    { "mirrors too much", SYMMETRIC, .in = { F32(3), PADS(0, 4) }, .fails = "more than dimension 0, 3 long, can mirror" },
    { 0 }
};
