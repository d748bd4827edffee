/* SPDX-License-Identifier: Apache-2.0 */
/* reshape.c - cases of RESHAPE, SQUEEZE, EXPAND_DIMS. */
#include "bench/cases/inputs.h"

#define TO(...) &(struct opt_reshape){ {__VA_ARGS__}, sizeof((int32_t[]){__VA_ARGS__}) / 4 }

const struct op_case reshape_cases[] = {
    { "shape tensor", .in = { F32(2, 3, 5, 7), I32S(6, 35) } },
    { "shape tensor with -1", .in = { F32(2, 3, 5, 7), I32S(5, -1, 3) } },
    { "shape option", .opt = TO(7, 5, 6), .in = { F32(2, 3, 5, 7) } },
    { "shape option with -1", .opt = TO(-1, 7), .in = { F32(2, 3, 5, 7) } },
    { "shape tensor wins over the option", .opt = TO(6), .in = { F32(2, 3), I32S(3, 2) } },
    { "to a scalar", .in = { F32(1, 1), {TYPE_INT32, .rank = 1, .dim = {0}, .fill = FILL_GIVEN, .constant = true,
                                         .data = (int32_t[]){0}} }, .no_golden = true },
    { "to a scalar, as old converters write it", .opt = TO(0), .in = { F32(1, 1) } },
    { "from a scalar", .opt = TO(1, 1, 1), .in = { F32_SCALAR } },
    { "shape from a tensor known while running", .in = { F32(2, 6), {TYPE_INT32, CASE_DIMS(2), .fill = FILL_GIVEN,
                                                                      .data = (int32_t[]){-1, 3}} } },
    { "scalar shape tensor beside the option", .opt = TO(3, 2), .in = { F32(6), I32_SCALAR(6) } },
    { "int8", .opt = TO(3, 5), .in = { QUANT(INT8, 0.1f, 3, 5, 3) } },
    { "int64", .opt = TO(3, 5), .in = { TENSOR(INT64, 5, 3) } },
    { "strings", .opt = TO(3, 4), .in = { STRINGS(2, 6) } },
    { "int4", .opt = TO(3, 5), .in = { QUANT(INT4, 0.1f, 0, 5, 3) } },
    { "bool", .opt = TO(3, 5), .in = { TENSOR(BOOL, 5, 3) } },
    { "rank 8", .opt = TO(1, 2, 1, 2, 1, 2, 1, 2), .in = { F32(16) } },
    { "to rank 6, channels stay", .opt = TO(1, 2, 3, 2, 3, 6), .in = { F32(1, 6, 6, 6) } },
    { "from rank 6, channels stay", .opt = TO(4, 9, 6), .in = { F32(1, 2, 2, 3, 3, 6) } },
    { "from rank 6, batches merge", .opt = TO(4, 9, 6), .in = { F32(2, 2, 1, 3, 3, 6) } },
    { "channels in groups, rank 5", .opt = TO(2, 3, 2, 4, 3), .in = { F32(2, 3, 2, 12) } },
    { "channels in groups and back, rank 5", .opt = TO(2, 3, 2, 15), .in = { F32(2, 3, 2, 3, 5) } },
    { "rank 5 to rank 6", .opt = TO(3, 2, 5, 1, 2, 7), .in = { F32(2, 3, 7, 2, 5) } },
    { "empty", .opt = TO(0, 5), .in = { F32(2, 0, 3) } },
    { "empty with -1", .opt = TO(-1, 5), .in = { F32(2, 0, 3) } },
    { "wrong count", .opt = TO(4, 5), .in = { F32(2, 3) }, .fails = "6 elements cannot take the shape [4,5]" },
    { "no multiple", .opt = TO(4, -1), .in = { F32(2, 3) }, .fails = "6 elements" },
    { "two -1", .opt = TO(-1, -1), .in = { F32(2, 3) }, .fails = "both -1" },
    { "negative", .opt = TO(-2, -3), .in = { F32(2, 3) }, .fails = "is -2" },
    { "huge", .opt = TO(65536, 65536, 65536, 65536, 65536), .in = { F32(2, 3) }, .fails = "too many elements" },
    { "rank 9", .in = { F32(1), I32S(1, 1, 1, 1, 1, 1, 1, 1, 1) }, .fails = "9 sizes" },
    { 0 }
};

const struct op_case squeeze_cases[] = {
    { "all ones", .in = { F32(1, 3, 1, 5) } },
    { "named", .opt = &(struct opt_squeeze){ {0}, 1 }, .in = { F32(1, 3, 1, 5) } },
    { "rank 6", .opt = &(struct opt_squeeze){ {2, 4}, 2 }, .in = { F32(2, 3, 1, 2, 1, 5) } },
    { "negative", .opt = &(struct opt_squeeze){ {-2, 0, -2}, 3 }, .in = { F32(1, 3, 1, 5) } },
    { "to a scalar", .in = { F32(1, 1) } },
    { "nothing to squeeze", .in = { TENSOR(INT32, 2, 3) } },
    { "int8", .in = { QUANT(INT8, 0.5f, 1, 2, 1, 3) } },
    { "not 1", .opt = &(struct opt_squeeze){ {1}, 1 }, .in = { F32(1, 3) }, .fails = "is 3, not 1" },
    { "beyond", .opt = &(struct opt_squeeze){ {2}, 1 }, .in = { F32(1, 3) }, .fails = "axis 2" },
    { 0 }
};

const struct op_case expand_dims_cases[] = {
    { "front", .in = { F32(3, 5), I32_SCALAR(0) } },
    { "middle", .in = { F32(3, 5), I32_SCALAR(1) } },
    { "end", .in = { F32(3, 5), I32_SCALAR(2) } },
    { "to rank 5", .in = { F32(2, 3, 2, 5), I32_SCALAR(1) } },
    { "to rank 6 at the end", .in = { F32(2, 3, 2, 1, 5), I32_SCALAR(5) } },
    { "negative", .in = { F32(3, 5), I32_SCALAR(-1) } },
    { "scalar", .in = { F32_SCALAR, I32_SCALAR(0) } },
    { "axis as a vector", .in = { TENSOR(INT8, 3, 5), I32S(-2) } },
    { "int64 axis", .in = { TENSOR(INT16, 3, 5), {TYPE_INT64, .rank = 0, .fill = FILL_GIVEN, .constant = true,
                                                  .data = (int64_t[]){1}} } },
    { "axis known while running", .in = { F32(3, 5), {TYPE_INT32, .rank = 1, .dim = {1}, .lo = 1, .hi = 1} } },
    { "beyond", .in = { F32(3, 5), I32_SCALAR(3) }, .fails = "axis 3" },
    { 0 }
};
