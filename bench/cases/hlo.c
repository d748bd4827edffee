/* SPDX-License-Identifier: Apache-2.0 */
/* hlo.c - cases of STABLEHLO_GATHER, STABLEHLO_SCATTER, STABLEHLO_REDUCE_WINDOW, REDUCE_WINDOW. */
#include "../models/builder.h"
#include "../opcheck.h"

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
    { "blocks", .apart = "empty", GATHER(SLICES, MAP_10, SIZES(1, 2, 2)), .in = { F32(3, 4, 2), AT_2x3x2 }, OUT_RANK(FLOAT32, 4) },
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

/* A computation (a, b) -> op(a, b), or b where there is no op. */
static void computation(struct builder *b, enum tensor_type type, int op)
{
    int32_t p, q, r;

    build_subgraph(b, "computation");
    p = build_tensor(b, "p", type, SCALAR);
    q = build_tensor(b, "q", type, SCALAR);
    r = op < 0 ? q : build_tensor(b, "r", type, SCALAR);
    if (op >= 0)
        build_op(b, (enum builtin)op, 1, NULL, INDICES(p, q), INDICES(r));
    build_inputs(b, INDICES(p, q));
    build_outputs(b, INDICES(r));
}

/* Rows of [4, 3] at two of three places, the last outside. */
static void scatter_rows(struct builder *b, enum tensor_type type, int op)
{
    static const struct opt_stablehlo_scatter opt = {
        .update_window_dims = {1}, .num_update_window_dims = 1, .inserted_window_dims = {0}, .num_inserted_window_dims = 1,
        .scatter_dims_to_operand_dims = {0}, .num_scatter_dims_to_operand_dims = 1, .index_vector_dim = 1,
        .update_computation_subgraph_index = 1};
    int32_t x = build_tensor(b, "x", type, SHAPE(4, 3)), at = build_tensor(b, "at", TYPE_INT32, SHAPE(4, 1));
    int32_t u = build_tensor(b, "u", type, SHAPE(4, 3)), y = build_tensor(b, "y", type, SHAPE(4, 3));

    build_op(b, BUILTIN_STABLEHLO_SCATTER, 1, &opt, INDICES(x, at, u), INDICES(y));
    build_inputs(b, INDICES(x, at, u));
    build_outputs(b, INDICES(y));
    computation(b, type, op);
}

static void scatter_replace(struct builder *b)
{
    scatter_rows(b, TYPE_FLOAT32, -1);
}

static void scatter_add(struct builder *b)
{
    scatter_rows(b, TYPE_FLOAT32, BUILTIN_STABLEHLO_ADD);
}

static void scatter_max(struct builder *b)
{
    scatter_rows(b, TYPE_INT32, BUILTIN_STABLEHLO_MAXIMUM);
}

static void scatter_add_f16(struct builder *b)
{
    scatter_rows(b, TYPE_FLOAT16, BUILTIN_STABLEHLO_ADD);
}

static void scatter_sub(struct builder *b)
{
    scatter_rows(b, TYPE_FLOAT32, BUILTIN_SUB);
}

/* Windows [2, 2] into [4, 5] at corners read from vectors of two; they may lie partly outside. */
static void scatter_windows(struct builder *b)
{
    static const struct opt_stablehlo_scatter opt = {
        .update_window_dims = {1, 2}, .num_update_window_dims = 2, .scatter_dims_to_operand_dims = {1, 0},
        .num_scatter_dims_to_operand_dims = 2, .index_vector_dim = 1, .update_computation_subgraph_index = 1};
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4, 5)), at = build_tensor(b, "at", TYPE_INT64, SHAPE(3, 2));
    int32_t u = build_tensor(b, "u", TYPE_FLOAT32, SHAPE(3, 2, 2)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4, 5));

    build_op(b, BUILTIN_STABLEHLO_SCATTER, 1, &opt, INDICES(x, at, u), INDICES(y));
    build_inputs(b, INDICES(x, at, u));
    build_outputs(b, INDICES(y));
    computation(b, TYPE_FLOAT32, BUILTIN_STABLEHLO_MULTIPLY);
}

#define ROW_PLACES {TYPE_INT32, CASE_DIMS(4, 1), .fill = FILL_GIVEN, .data = (const int32_t[]){2, 0, 2, 9}}

const struct op_case stablehlo_scatter_cases[] = {
    { "replace", .build = scatter_replace, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) } },
    { "add", .build = scatter_add, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) } },
    { "maximum, int32", .build = scatter_max, .in = { TENSOR(INT32, 4, 3), ROW_PLACES, TENSOR(INT32, 4, 3) } },
    { "windows, multiply", .build = scatter_windows,
      .in = { F32(4, 5), {TYPE_INT64, CASE_DIMS(3, 2), .fill = FILL_GIVEN, .data = (const int64_t[]){0, 1, 4, 3, -1, 0}}, F32(3, 2, 2) } },
    { "add, float16", .build = scatter_add_f16, .in = { TENSOR(FLOAT16, 4, 3), ROW_PLACES, TENSOR(FLOAT16, 4, 3) } },
    { "subtract", .build = scatter_sub, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) }, .fails = "the first is SUB" },
    { 0 }
};

/* [4, 5] through a window of [2, 3], strides, dilations and edges as given. */
static void window_model(struct builder *b, enum tensor_type type, int op, const struct opt_stablehlo_reduce_window *opt)
{
    int32_t x = build_tensor(b, "x", type, SHAPE(4, 5)), init = build_tensor(b, "init", type, SCALAR);
    int32_t y = build_tensor(b, "y", type, SHAPE(1, 1));

    build_op(b, BUILTIN_STABLEHLO_REDUCE_WINDOW, 1, opt, INDICES(x, init), INDICES(y));
    build_inputs(b, INDICES(x, init));
    build_outputs(b, INDICES(y));
    computation(b, type, op);
}

#define WINDOW .window_dimensions = {2, 3}, .num_window_dimensions = 2, .body_subgraph_index = 1
#define STRIDES(a, b) .window_strides = {a, b}, .num_window_strides = 2
#define DILATED(a, b) .window_dilations = {a, b}, .num_window_dilations = 2
#define BASE(a, b) .base_dilations = {a, b}, .num_base_dilations = 2
#define EDGES(a, b, c, d) .padding = {a, b, c, d}, .num_padding = 4

static void window_plain(struct builder *b)
{
    window_model(b, TYPE_FLOAT32, BUILTIN_STABLEHLO_ADD,
                 &(struct opt_stablehlo_reduce_window){WINDOW, STRIDES(1, 1), DILATED(1, 1), BASE(1, 1), EDGES(0, 0, 0, 0)});
}

static void window_all_options(struct builder *b)
{
    window_model(b, TYPE_FLOAT32, BUILTIN_STABLEHLO_MAXIMUM,
                 &(struct opt_stablehlo_reduce_window){WINDOW, STRIDES(2, 1), DILATED(2, 2), BASE(3, 2), EDGES(1, 2, -1, 3)});
}

static void window_of_rank_1(struct builder *b)
{
    window_model(b, TYPE_FLOAT32, BUILTIN_STABLEHLO_ADD,
                 &(struct opt_stablehlo_reduce_window){.window_dimensions = {2}, .num_window_dimensions = 1, .body_subgraph_index = 1});
}

static void window_int(struct builder *b)
{
    window_model(b, TYPE_INT32, BUILTIN_STABLEHLO_MULTIPLY,
                 &(struct opt_stablehlo_reduce_window){WINDOW, STRIDES(1, 2), DILATED(1, 1), BASE(1, 1), EDGES(1, 1, 0, 0)});
}

const struct op_case stablehlo_reduce_window_cases[] = {
    { "sum", .build = window_plain, .in = { F32(4, 5), F32_SCALAR } },
    { "maximum, every option", .build = window_all_options, .in = { F32(4, 5), {TYPE_FLOAT32, .rank = 0, .lo = -2, .hi = -1} } },
    { "window of another rank", .build = window_of_rank_1, .in = { F32(4, 5), F32_SCALAR }, .fails = "rank" },
    { "product, int32", .build = window_int, .in = { TENSOR(INT32, 4, 5), {TYPE_INT32, .rank = 0, .lo = 2, .hi = 2} } },
    { 0 }
};

#define I64S(...)                                                                                                     \
    {TYPE_INT64, .rank = 1, .dim = {sizeof((int64_t[]){__VA_ARGS__}) / 8}, .fill = FILL_GIVEN, .constant = true,      \
     .data = (const int64_t[]){__VA_ARGS__}}
#define REDUCE(how) .opt = &(struct opt_reduce_window){ how }
#define PLAIN I64S(2, 3), I64S(1, 2), I64S(2, 1)

const struct op_case reduce_window_cases[] = {
    { "sum", REDUCE(REDUCE_WINDOW_ADD), .in = { F32(4, 7), F32_SCALAR, PLAIN } },
    { "product", REDUCE(REDUCE_WINDOW_MUL), .in = { F32(4, 7), F32_SCALAR, PLAIN } },
    { "minimum", REDUCE(REDUCE_WINDOW_MIN), .in = { F32(4, 7), F32_SCALAR, PLAIN } },
    { "maximum", REDUCE(REDUCE_WINDOW_MAX), .in = { TENSOR(INT32, 4, 7), {TYPE_INT32, .rank = 0}, PLAIN } },
    { "all", REDUCE(REDUCE_WINDOW_ALL), .in = { TENSOR(BOOL, 4, 7), {TYPE_BOOL, .rank = 0, .lo = 1, .hi = 1}, PLAIN } },
    { "any", REDUCE(REDUCE_WINDOW_ANY), .in = { TENSOR(BOOL, 4, 7), {TYPE_BOOL, .rank = 0}, PLAIN } },
    { "int8", REDUCE(REDUCE_WINDOW_ADD), .in = { TENSOR(INT8, 4, 7), {TYPE_INT8, .rank = 0}, PLAIN } },
    { "int16", REDUCE(REDUCE_WINDOW_MAX), .in = { TENSOR(INT16, 4, 7), {TYPE_INT16, .rank = 0}, PLAIN } },
    { "uint8", REDUCE(REDUCE_WINDOW_MIN), .in = { TENSOR(UINT8, 4, 7), {TYPE_UINT8, .rank = 0}, PLAIN } },
    { "int64", REDUCE(REDUCE_WINDOW_ADD), .in = { TENSOR(INT64, 4, 7), {TYPE_INT64, .rank = 0}, PLAIN } },
    { "window too large", REDUCE(REDUCE_WINDOW_ADD), .in = { F32(4, 7), F32_SCALAR, I64S(5, 1), I64S(1, 1), I64S(1, 1) } },
    { "no reduction", .in = { F32(4, 7), F32_SCALAR, PLAIN }, .fails = "there is no reduction" },
    { "stride 0", REDUCE(REDUCE_WINDOW_ADD), .in = { F32(4, 7), F32_SCALAR, I64S(2, 2), I64S(0, 1), I64S(1, 1) }, .fails = "stride 0" },
    { 0 }
};
