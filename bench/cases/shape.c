/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - cases of SHAPE, RANK. */
#include "bench/opcheck/opcheck.h"

const struct op_case shape_cases[] = {
    { "int32", .opt = &(struct opt_shape){ TYPE_INT32 }, .in = { F32(2, 1, 7, 3) }, .out = { {TYPE_INT32} } },
    { "int64", .opt = &(struct opt_shape){ TYPE_INT64 }, .in = { TENSOR(INT8, 2, 3) }, .out = { {TYPE_INT64} } },
    { "of a scalar, which Python cannot fetch", .opt = &(struct opt_shape){ TYPE_INT32 }, .in = { F32_SCALAR },
      .out = { {TYPE_INT32} }, .no_golden = true },
    { "of an empty tensor", .opt = &(struct opt_shape){ TYPE_INT32 }, .in = { F32(3, 0) }, .out = { {TYPE_INT32} } },
    { "float output", .opt = &(struct opt_shape){ TYPE_FLOAT32 }, .in = { F32(2) }, .fails = "FLOAT32" },
    { 0 }
};

const struct op_case rank_cases[] = {
    { "4", .in = { F32(2, 1, 7, 3) }, .out = { {TYPE_INT32} } },
    { "of a scalar", .in = { F32_SCALAR }, .out = { {TYPE_INT32} } },
    { "float output", .in = { F32(2) }, .fails = "FLOAT32" },
    { 0 }
};
