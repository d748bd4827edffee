/* SPDX-License-Identifier: Apache-2.0 */
/* space.c - cases of DEPTH_TO_SPACE, SPACE_TO_DEPTH, SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND. */
#include "bench/opcheck/opcheck.h"

#define DTS(b) .opt = &(struct opt_depth_to_space){ b }
#define STD(b) .opt = &(struct opt_space_to_depth){ b }

const struct op_case depth_to_space_cases[] = {
    { "block 2", DTS(2), .in = { F32(2, 3, 2, 12) } },
    { "channels by fours", DTS(2), .in = { F32(2, 1, 3, 32) } },
    { "block 3", DTS(3), .in = { F32(1, 2, 3, 9) } },
    { "block 1", DTS(1), .in = { F32(1, 2, 3, 5) } },
    { "int8", DTS(2), .in = { QUANT(INT8, 0.5f, 3, 1, 3, 2, 8) } },
    { "uint8", DTS(2), .in = { QUANT(UINT8, 0.5f, 3, 1, 3, 2, 8) } },
    { "int32", DTS(2), .in = { TENSOR(INT32, 1, 3, 2, 8) } },
    { "int64", DTS(2), .in = { TENSOR(INT64, 1, 3, 2, 8) } },
    { "channels do not divide", DTS(2), .in = { F32(1, 2, 2, 6) }, .fails = "6 channels are no multiple" },
    { "block 0", DTS(0), .in = { F32(1, 2, 2, 6) }, .fails = "block size 0" },
    { "rank 3", DTS(2), .in = { F32(2, 2, 4) }, .fails = "rank 3" },
    { 0 }
};

const struct op_case space_to_depth_cases[] = {
    { "block 2", STD(2), .in = { F32(2, 4, 6, 3) } },
    { "channels by fours", STD(2), .in = { F32(2, 2, 4, 8) } },
    { "block 3", STD(3), .in = { F32(1, 6, 3, 2) } },
    { "block 1", STD(1), .in = { F32(1, 2, 3, 5) } },
    { "int8", STD(2), .in = { QUANT(INT8, 0.5f, 3, 1, 4, 2, 3) } },
    { "uint8", STD(2), .in = { QUANT(UINT8, 0.5f, 3, 1, 4, 2, 3) } },
    { "int32", STD(2), .in = { TENSOR(INT32, 1, 4, 2, 3) } },
    { "int64", STD(2), .in = { TENSOR(INT64, 1, 4, 2, 3) } },
    { "height does not divide", STD(2), .in = { F32(1, 3, 2, 6) }, .fails = "height 3" },
    { "block -1", STD(-1), .in = { F32(1, 2, 2, 6) }, .fails = "block size -1" },
    { 0 }
};

#define PAIRS(...)                                                                                                    \
    {TYPE_INT32, .rank = 2, .dim = {(int)(sizeof((int32_t[]){__VA_ARGS__}) / 8), 2}, .fill = FILL_GIVEN,              \
     .constant = true, .data = (const int32_t[]){__VA_ARGS__}}
#define RUN_PAIRS(...)                                                                                                \
    {TYPE_INT32, .rank = 2, .dim = {(int)(sizeof((int32_t[]){__VA_ARGS__}) / 8), 2}, .fill = FILL_GIVEN,              \
     .data = (const int32_t[]){__VA_ARGS__}}

const struct op_case space_to_batch_nd_cases[] = {
    { "no padding", .in = { F32(1, 4, 6, 3), I32S(2, 3), PAIRS(0, 0, 0, 0) } },
    { "padding", .in = { F32(2, 3, 5, 3), I32S(2, 3), PAIRS(1, 0, 2, 2) } },
    { "padding wider than a block", .in = { F32(1, 2, 3, 2), I32S(2, 2), PAIRS(5, 3, 0, 3) } },
    { "block 1", .in = { F32(1, 3, 2, 2), I32S(1, 1), PAIRS(0, 1, 0, 0) } },
    { "rank 3", .in = { F32(2, 5, 3), I32S(3), PAIRS(0, 1) } },
    { "66000 batches (too large for text)", .no_golden = true, .in = { F32(33000, 4, 3), I32S(2), PAIRS(0, 0) } },
    { "400000 slices of batches, more than a grid has (too large for text)", .no_golden = true,
      .in = { F32(100000, 4, 8), I32S(2), PAIRS(0, 0) } },
    { "paddings known while running", .in = { F32(1, 3, 4, 2), I32S(2, 2), RUN_PAIRS(1, 0, 0, 0) } },
    { "int8", .in = { QUANT(INT8, 0.5f, -5, 1, 3, 4, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "uint16 (TFLite pads with the zero point in both bytes)", .no_golden = true,
      .in = { QUANT(UINT16, 0.5f, 5, 1, 3, 4, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 5, 1, 3, 4, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "int16", .in = { QUANT(INT16, 0.5f, 0, 1, 3, 4, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "int32", .in = { TENSOR(INT32, 1, 3, 4, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "int64", .in = { TENSOR(INT64, 1, 3, 4, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "does not divide", .in = { F32(1, 3, 4, 2), I32S(2, 2), PAIRS(0, 0, 0, 0) }, .fails = "no multiple of block size 2" },
    { "block 0", .in = { F32(1, 3, 4, 2), I32S(0, 2), PAIRS(0, 0, 0, 0) }, .fails = "block size 0" },
    { "one block for two dimensions", .in = { F32(1, 3, 4, 2), I32S(2), PAIRS(0, 0, 0, 0) }, .fails = "1 block sizes for 2" },
    { "rank 2", .in = { F32(4, 2), I32S(2), PAIRS(0, 0) }, .fails = "rank 2" },
    { 0 }
};

const struct op_case batch_to_space_nd_cases[] = {
    { "no crops", .in = { F32(6, 2, 3, 3), I32S(2, 3), PAIRS(0, 0, 0, 0) } },
    { "crops", .in = { F32(12, 2, 2, 3), I32S(2, 3), PAIRS(1, 0, 2, 1) } },
    { "crops wider than a block", .in = { F32(4, 5, 3, 2), I32S(2, 2), PAIRS(5, 3, 0, 3) } },
    { "block 1", .in = { F32(1, 3, 2, 2), I32S(1, 1), PAIRS(0, 1, 0, 0) } },
    { "rank 3", .in = { F32(6, 2, 3), I32S(3), PAIRS(0, 1) } },
    { "crops known while running", .in = { F32(4, 3, 2, 2), I32S(2, 2), RUN_PAIRS(1, 0, 0, 0) } },
    { "int8", .in = { QUANT(INT8, 0.5f, -5, 4, 3, 2, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "uint8", .in = { QUANT(UINT8, 0.5f, 5, 4, 3, 2, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "int16", .in = { QUANT(INT16, 0.5f, 0, 4, 3, 2, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "int32", .in = { TENSOR(INT32, 4, 3, 2, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "int64", .in = { TENSOR(INT64, 4, 3, 2, 2), I32S(2, 2), PAIRS(1, 0, 0, 0) } },
    { "batches do not divide", .in = { F32(5, 3, 4, 2), I32S(2, 2), PAIRS(0, 0, 0, 0) }, .fails = "5 batches" },
    { "crops too much", .in = { F32(4, 3, 4, 2), I32S(2, 2), PAIRS(3, 4, 0, 0) }, .fails = "would be -1 long" },
    { 0 }
};
