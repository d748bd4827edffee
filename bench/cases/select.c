/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - cases of SELECT, SELECT_V2. */
#include "bench/opcheck/opcheck.h"

#define SELECT_TYPE(type_) \
    { #type_, .in = { TENSOR(BOOL, 3, 7), TENSOR(type_, 3, 7), TENSOR(type_, 3, 7) }, .out = { {TYPE_##type_} } }

#define SELECT_CASES                                                                                                           \
    SELECT_TYPE(FLOAT32),                                                                                                      \
    SELECT_TYPE(BOOL),                                                                                                         \
    SELECT_TYPE(INT8),                                                                                                         \
    SELECT_TYPE(UINT8),                                                                                                        \
    SELECT_TYPE(INT16),                                                                                                        \
    SELECT_TYPE(INT32),                                                                                                        \
    SELECT_TYPE(INT64),                                                                                                        \
    { "condition is not bool", .in = { F32(2), F32(2), F32(2) }, .fails = "not BOOL" },                                        \
    { "types differ", .in = { TENSOR(BOOL, 2), F32(2), TENSOR(INT32, 2) }, .out = { {TYPE_FLOAT32} }, .fails = "types" }

const struct op_case select_cases[] = {
    SELECT_CASES,
    { "condition per first index", .in = { TENSOR(BOOL, 5), F32(5, 3, 2), F32(5, 3, 2) }, .out = { {TYPE_FLOAT32} } },
    { "condition per first index, rank 5", .in = { TENSOR(BOOL, 3), F32(3, 2, 3, 1, 5), F32(3, 2, 3, 1, 5) }, .out = { {TYPE_FLOAT32} } },
    { "condition is a scalar", .in = { TENSOR(BOOL), F32(5, 3, 2), F32(5, 3, 2) }, .out = { {TYPE_FLOAT32} } },
    { "choices differ", .in = { TENSOR(BOOL, 2), F32(2), F32(2, 2) }, .out = { {TYPE_FLOAT32} }, .fails = "differ" },
    { "condition does not fit", .in = { TENSOR(BOOL, 3), F32(2, 3), F32(2, 3) }, .out = { {TYPE_FLOAT32} },
      .fails = "fits neither" },
    { 0 }
};

const struct op_case select_v2_cases[] = {
    SELECT_CASES,
    { "all three repeat", .in = { TENSOR(BOOL, 3, 1, 1), F32(1, 4, 1), F32(5) }, .out = { {TYPE_FLOAT32} } },
    { "mask of windows, rank 5", .in = { TENSOR(BOOL, 1, 3, 1, 4, 5), F32(2, 3, 2, 4, 5), F32_SCALAR }, .out = { {TYPE_FLOAT32} } },
    { "condition of the lowest rank", .in = { TENSOR(BOOL, 5), F32(2, 3, 5), F32(3, 1) }, .out = { {TYPE_FLOAT32} } },
    { "condition of the highest rank", .in = { TENSOR(BOOL, 2, 3, 5), F32(5), F32_SCALAR }, .out = { {TYPE_FLOAT32} } },
    { "scalar choices", .in = { TENSOR(BOOL, 3, 7), F32(1), F32(1) }, .out = { {TYPE_FLOAT32} } },
    { "rank 5", .in = { TENSOR(BOOL, 2, 1, 2, 1, 3), F32(1, 3, 1, 2, 1), F32(2, 1, 1, 1, 1) }, .out = { {TYPE_FLOAT32} } },
    { "mismatch", .in = { TENSOR(BOOL, 2), F32(3), F32(1) }, .out = { {TYPE_FLOAT32} }, .fails = "broadcast" },
    { 0 }
};
