/* SPDX-License-Identifier: Apache-2.0 */
/* insert.c - cases of DYNAMIC_UPDATE_SLICE, DILATE, STABLEHLO_PAD. */
#include "bench/cases/inputs.h"

const struct op_case dynamic_update_slice_cases[] = {
    { "inside", .in = { F32(4, 5), F32(2, 3), RUN_I32S(1, 1) } },
    { "moved inside", .in = { F32(4, 5), F32(2, 3), RUN_I32S(3, -2) } },
    { "whole", .in = { F32(4, 5), F32(4, 5), RUN_I32S(0, 0) } },
    { "int64 indices", .in = { F32(4, 5), F32(1, 5), {TYPE_INT64, CASE_DIMS(2), .fill = FILL_GIVEN, .data = (int64_t[]){2, 0}} } },
    { "rank 6", .in = { F32(2, 3, 2, 2, 3, 5), F32(1, 2, 1, 2, 2, 3), RUN_I32S(1, 1, 1, 0, 1, 1) } },
    { "rank 4", .in = { F32(1, 4, 2, 3), F32(1, 1, 2, 3), RUN_I32S(0, 2, 0, 0) } },
    { "int8", .in = { QUANT(INT8, 0.5f, 3, 4, 5), QUANT(INT8, 0.5f, 3, 2, 3), RUN_I32S(1, 1) } },
    { "int32", .in = { TENSOR(INT32, 4, 5), TENSOR(INT32, 2, 3), RUN_I32S(1, 1) } },
    { "int64", .in = { TENSOR(INT64, 4, 5), TENSOR(INT64, 2, 3), RUN_I32S(1, 1) } },
    { "bool", .in = { TENSOR(BOOL, 4, 5), TENSOR(BOOL, 2, 3), RUN_I32S(1, 1) } },
    { "too large", .in = { F32(4, 5), F32(5, 5), RUN_I32S(0, 0) }, .fails = "the update is 5 long" },
    { "types differ", .in = { F32(4, 5), TENSOR(INT32, 2, 2), RUN_I32S(0, 0) }, .fails = "must be the same" },
    { "too few indices", .in = { F32(4, 5), F32(2, 2), RUN_I32S(0) }, .fails = "at 1 indices for rank 2" },
    { 0 }
};

const struct op_case dilate_cases[] = {
    /* Nothing to spread; TFLite refuses it as too large. */
    { "both", .skip_golden = ", 0.0 empty|, 0.1 empty", .in = { F32(3, 4), I32S(2, 3), F32_SCALAR } },
    { "one", .in = { F32(3, 4), I32S(1, 2), F32_SCALAR } },
    { "none", .in = { F32(3, 4), I32S(1, 1), F32_SCALAR } },
    { "rank 4", .in = { F32(2, 3, 2, 2), I32S(1, 3, 2, 1), F32_SCALAR } },
    { "int8", .in = { TENSOR(INT8, 3, 4), I32S(2, 3), {TYPE_INT8, .rank = 0} } },
    { "int32", .in = { TENSOR(INT32, 3, 4), I32S(2, 3), {TYPE_INT32, .rank = 0} } },
    { "int64", .in = { TENSOR(INT64, 3, 4), I32S(2, 3), {TYPE_INT64, .rank = 0} } },
    { "dilation 0", .in = { F32(3, 4), I32S(0, 1), F32_SCALAR }, .fails = "steps of 0" },
    { "too few", .in = { F32(3, 4), I32S(2), F32_SCALAR }, .fails = "1 dilations for rank 2" },
    { "overflow", .in = { F32(3, 4), I32S(1, INT32_MAX), F32_SCALAR }, .fails = "4 elements at steps of 2147483647" },
    { 0 }
};

#define PAD2(l0, l1, h0, h1, i0, i1)                                                                                  \
    .opt = &(struct opt_stablehlo_pad){ {l0, l1}, {h0, h1}, {i0, i1}, 2, 2, 2 }

const struct op_case stablehlo_pad_cases[] = {
    { "edges", PAD2(1, 2, 3, 0, 0, 0), .in = { F32(3, 4), F32_SCALAR } },
    { "inside", PAD2(0, 0, 0, 0, 1, 2), .in = { F32(3, 4), F32_SCALAR } },
    { "edges and inside", PAD2(1, 2, 3, 1, 2, 1), .in = { F32(3, 4), F32_SCALAR } },
    { "rank 6", .opt = &(struct opt_stablehlo_pad){ {1, 0, 1, 0, -1, 1}, {0, 1, 0, 0, 1, 0}, {0, 1, 0, 1, 0, 1}, 6, 6, 6 },
      .in = { F32(1, 1, 1, 2, 2, 2), F32_SCALAR } },
    { "crops", PAD2(-1, 0, 0, -2, 0, 0), .in = { F32(3, 4), F32_SCALAR } },
    { "crops and pads inside", PAD2(-1, -2, -1, 2, 2, 1), .in = { F32(3, 4), F32_SCALAR } },
    { "inside, empty", PAD2(1, 0, 0, 0, 2, 0), .in = { F32(0, 4), F32_SCALAR } },
    { "crops all", PAD2(-2, 0, -1, 0, 0, 0), .in = { F32(3, 4), F32_SCALAR } },
    { "int8", PAD2(1, 2, 3, 0, 0, 1), .in = { TENSOR(INT8, 3, 4), {TYPE_INT8, .rank = 0} } },
    { "int32", PAD2(1, 2, 3, 0, 0, 1), .in = { TENSOR(INT32, 3, 4), {TYPE_INT32, .rank = 0} } },
    { "int64", PAD2(1, 2, 3, 0, 0, 1), .in = { TENSOR(INT64, 3, 4), {TYPE_INT64, .rank = 0} } },
    { "negative inside", PAD2(1, 2, 3, 0, -1, 1), .in = { F32(3, 4), F32_SCALAR }, .fails = "-1 inside of dimension 0" },
    { "rank differs", PAD2(1, 2, 3, 0, 0, 1), .in = { F32(3), F32_SCALAR }, .fails = "for rank 1" },
    { 0 }
};
