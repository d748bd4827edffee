/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_gather.c - cases of STABLEHLO_GATHER. */
#include "bench/opcheck/opcheck.h"

#define AT(...) {TYPE_INT64, .fill = FILL_GIVEN, .data = (const int64_t[]){__VA_ARGS__}

#define AT_2x3x2                                                                                                      \
    AT(0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9), CASE_DIMS(2, 3, 2) }

/* Slices of [3, 4, 2]: whole rows at (row, column), the row collapsed. */
#define SLICES .offset_dims = {2, 3}, .num_offset_dims = 2, .collapsed_slice_dims = {0}, .num_collapsed_slice_dims = 1
#define MAP_10 .start_index_map = {1, 0}, .num_start_index_map = 2, .index_vector_dim = 2
#define SIZES(...) .slice_sizes = {__VA_ARGS__}, .num_slice_sizes = sizeof((int64_t[]){__VA_ARGS__}) / 8
#define GATHER(...) .opt = &(struct opt_stablehlo_gather){ __VA_ARGS__ }
#define OUT_RANK(type_, r) .out = { {TYPE_##type_, .rank = r, .dim = {1, 1, 1, 1, 1, 1, 1, 1}} }

const struct op_case stablehlo_gather_cases[] = {
    /* TFLite does not hold the slices against the operand. */
    { "blocks", .skip_golden = "empty", GATHER(SLICES, MAP_10, SIZES(1, 2, 2)), .in = { F32(3, 4, 2), AT_2x3x2 }, OUT_RANK(FLOAT32, 4) },
    { "int32 indices", GATHER(SLICES, MAP_10, SIZES(1, 2, 2)), OUT_RANK(INT32, 4),
      .in = { TENSOR(INT32, 3, 4, 2), {TYPE_INT32, CASE_DIMS(2, 3, 2), .lo = -1, .hi = 3} } },
    { "offsets in front, an index a number (TFLite reads beyond the shape of the indices)", .no_golden = true,
      GATHER(.offset_dims = {0, 2}, .num_offset_dims = 2, .collapsed_slice_dims = {1}, .num_collapsed_slice_dims = 1,
             .start_index_map = {1}, .num_start_index_map = 1, .index_vector_dim = 1, SIZES(3, 1, 2)),
      .in = { TENSOR(INT8, 3, 4, 2), AT(2, 0, 3), CASE_DIMS(3) } }, OUT_RANK(INT8, 3) },
    { "vectors along the first dimension", GATHER(.offset_dims = {1}, .num_offset_dims = 1, .collapsed_slice_dims = {0},
                                                  .num_collapsed_slice_dims = 1, .start_index_map = {0, 1},
                                                  .num_start_index_map = 2, .index_vector_dim = 0, SIZES(1, 3)),
      .in = { TENSOR(INT16, 3, 4), AT(2, 0, 1, 0), CASE_DIMS(2, 2) } }, OUT_RANK(INT16, 2) },
    { "slice too large", GATHER(SLICES, MAP_10, SIZES(1, 5, 2)), .in = { F32(3, 4, 2), AT_2x3x2 }, OUT_RANK(FLOAT32, 4),
      .fails = "slice size 5" },
    { "collapsed but not 1", GATHER(SLICES, MAP_10, SIZES(2, 2, 2)), .in = { F32(3, 4, 2), AT_2x3x2 }, OUT_RANK(FLOAT32, 4),
      .fails = "must be 1" },
    { "map too short", GATHER(SLICES, .start_index_map = {1}, .num_start_index_map = 1, .index_vector_dim = 2, SIZES(1, 2, 2)),
      .in = { F32(3, 4, 2), AT_2x3x2 }, OUT_RANK(FLOAT32, 4), .fails = "for a map of 1 numbers" },
    { 0 }
};
