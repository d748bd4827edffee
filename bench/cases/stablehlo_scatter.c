/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_scatter.c - cases of STABLEHLO_SCATTER. */
#include "../opcheck.h"
#include "computation.h"

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
    stablehlo_computation(b, type, op);
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
    stablehlo_computation(b, TYPE_FLOAT32, BUILTIN_STABLEHLO_MULTIPLY);
}

#define ROW_PLACES {TYPE_INT32, CASE_DIMS(4, 1), .fill = FILL_GIVEN, .data = (const int32_t[]){2, 0, 2, 9}}

const struct op_case stablehlo_scatter_cases[] = {
    { "replace", .build = scatter_replace, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) } },
    { "add", .build = scatter_add, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) } },
    { "maximum, int32", .build = scatter_max, .in = { TENSOR(INT32, 4, 3), ROW_PLACES, TENSOR(INT32, 4, 3) } },
    { "windows, multiply", .build = scatter_windows,
      .in = { F32(4, 5), {TYPE_INT64, CASE_DIMS(3, 2), .fill = FILL_GIVEN, .data = (const int64_t[]){0, 1, 4, 3, -1, 0}}, F32(3, 2, 2) } },
    /* The CPU rounds each sum to float16, the GPU their end. */
    { "add, float16", .build = scatter_add_f16, .gpu_tol = 1e-3, .in = { TENSOR(FLOAT16, 4, 3), ROW_PLACES, TENSOR(FLOAT16, 4, 3) } },
    { "subtract", .build = scatter_sub, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) }, .fails = "the first is SUB" },
    { 0 }
};
