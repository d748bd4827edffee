/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_scatter.c - cases of STABLEHLO_SCATTER. */
#include "bench/opcheck/opcheck.h"
#include "bench/cases/control.h"

/* So many rows of 3 into [4, 3]. */
static void scatter_many(struct builder *b, enum tensor_type type, int op, int32_t rows)
{
    static const struct opt_stablehlo_scatter opt = {
        .update_window_dims = {1}, .num_update_window_dims = 1, .inserted_window_dims = {0}, .num_inserted_window_dims = 1,
        .scatter_dims_to_operand_dims = {0}, .num_scatter_dims_to_operand_dims = 1, .index_vector_dim = 1,
        .update_computation_subgraph_index = 1};
    int32_t x = build_tensor(b, "x", type, SHAPE(4, 3)), at = build_tensor(b, "at", TYPE_INT32, SHAPE(rows, 1));
    int32_t u = build_tensor(b, "u", type, SHAPE(rows, 3)), y = build_tensor(b, "y", type, SHAPE(4, 3));

    build_op(b, BUILTIN_STABLEHLO_SCATTER, 1, &opt, INDICES(x, at, u), INDICES(y));
    build_ends(b, INDICES(x, at, u), INDICES(y));
    stablehlo_computation(b, type, op);
}

static void scatter_rows(struct builder *b, enum tensor_type type, int op)
{
    scatter_many(b, type, op, 4);
}

static void scatter_replace_many(struct builder *b)
{
    scatter_many(b, TYPE_FLOAT32, -1, 9001);
}

static void scatter_add_many(struct builder *b)
{
    scatter_many(b, TYPE_UINT64, BUILTIN_STABLEHLO_ADD, 4097);
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

static void scatter_mul_f16(struct builder *b)
{
    scatter_rows(b, TYPE_FLOAT16, BUILTIN_STABLEHLO_MULTIPLY);
}

static void scatter_add_u32(struct builder *b)
{
    scatter_rows(b, TYPE_UINT32, BUILTIN_STABLEHLO_ADD);
}

static void scatter_max_u32(struct builder *b)
{
    scatter_rows(b, TYPE_UINT32, BUILTIN_STABLEHLO_MAXIMUM);
}

static void scatter_add_u64(struct builder *b)
{
    scatter_rows(b, TYPE_UINT64, BUILTIN_STABLEHLO_ADD);
}

static void scatter_min_f64(struct builder *b)
{
    scatter_rows(b, TYPE_FLOAT64, BUILTIN_STABLEHLO_MINIMUM);
}

static void scatter_replace_f64(struct builder *b)
{
    scatter_rows(b, TYPE_FLOAT64, -1);
}

static void scatter_and(struct builder *b)
{
    scatter_rows(b, TYPE_BOOL, BUILTIN_STABLEHLO_AND);
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
    build_ends(b, INDICES(x, at, u), INDICES(y));
    stablehlo_computation(b, TYPE_FLOAT32, BUILTIN_STABLEHLO_MULTIPLY);
}

#define ROW_PLACES {TYPE_INT32, CASE_DIMS(4, 1), .fill = FILL_GIVEN, .data = (const int32_t[]){2, 0, 2, 9}}

#define TWICE_ROW_2 {TYPE_INT32, CASE_DIMS(4, 1), .fill = FILL_GIVEN, .data = (const int32_t[]){2, 0, 2, 2}}
#define GIVEN_ROWS(type_, ...) {TYPE_##type_, CASE_DIMS(4, 3), .fill = FILL_GIVEN, .data = __VA_ARGS__}
#define F16_ROWS(data_) GIVEN_ROWS(FLOAT16, data_)
#define U32_ROWS(data_) GIVEN_ROWS(UINT32, data_)
#define U64_ROWS(data_) GIVEN_ROWS(UINT64, data_)
#define F64_ROWS(data_) GIVEN_ROWS(FLOAT64, data_)

/* Of halves: 1, 0, 0; 0, 0, 0; 40000, 2048, 3; 0, 0, 0 and 40000, 1, 1.5; 1, 1, 1; -40000, 1, 0.00097704; 0.25, 1, 0.00097704. */
#define F16_SUMS                                                                                                      \
    (const uint16_t[]) { 0x3c00, 0, 0, 0, 0, 0, 0x78e2, 0x6800, 0x4200, 0, 0, 0 }
#define F16_UPDATES                                                                                                   \
    (const uint16_t[]) { 0x78e2, 0x3c00, 0x3e00, 0x3c00, 0x3c00, 0x3c00, 0xf8e2, 0x3c00, 0x1401, 0x3400, 0x3c00, 0x1401 }
#define U32_HIGH                                                                                                      \
    (const uint32_t[]) { 1, 0x80000000, 0xffffffff, 7, 0xfffffffe, 0x80000001, 3, 0x7fffffff, 0, 0x90000000, 5, 0xffffffff }
#define U64_HIGH                                                                                                      \
    (const uint64_t[])                                                                                                \
    {                                                                                                                 \
        1, 0x80000000, 0xffffffffffffffff, 7, 0xfffffffe, 0x8000000000000001, 0xffffffff, 0x7fffffff, 0, 0x90000000,  \
            0x100000000, 0xffffffff                                                                                   \
    }
#define F64_NEGATIVE                                                                                                  \
    (const double[]) { -1, 0.1, -2.5, 1e300, -1e-300, 3, -7, -6.999999, -0.5, 2, -8, 0.3 }

const struct op_case stablehlo_scatter_cases[] = {
    { "replace", .build = scatter_replace, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) } },
    { "add", .build = scatter_add, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) } },
    { "maximum, int32", .build = scatter_max, .in = { TENSOR(INT32, 4, 3), ROW_PLACES, TENSOR(INT32, 4, 3) } },
    { "windows, multiply", .build = scatter_windows,
      .in = { F32(4, 5), {TYPE_INT64, CASE_DIMS(3, 2), .fill = FILL_GIVEN, .data = (const int64_t[]){0, 1, 4, 3, -1, 0}}, F32(3, 2, 2) } },
    { "add, float16", .build = scatter_add_f16, .in = { TENSOR(FLOAT16, 4, 3), ROW_PLACES, TENSOR(FLOAT16, 4, 3) } },
    /* Rounded each time: 40000 and 40000 are infinite, 2048 and 1 and 1 stay. */
    { "add, float16, each rounded", .build = scatter_add_f16, .in = { F16_ROWS(F16_SUMS), TWICE_ROW_2, F16_ROWS(F16_UPDATES) } },
    { "multiply, float16, each rounded", .build = scatter_mul_f16, .in = { F16_ROWS(F16_SUMS), TWICE_ROW_2, F16_ROWS(F16_UPDATES) } },
    { "add, uint32", .build = scatter_add_u32, .in = { U32_ROWS(U32_HIGH), TWICE_ROW_2, U32_ROWS(U32_HIGH) } },
    { "maximum, uint32 of 2^31 and more", .build = scatter_max_u32, .in = { U32_ROWS(U32_HIGH), TWICE_ROW_2, U32_ROWS(U32_HIGH) } },
    { "add, uint64 that carries", .build = scatter_add_u64, .in = { U64_ROWS(U64_HIGH), TWICE_ROW_2, U64_ROWS(U64_HIGH) } },
    { "minimum, float64 below 0", .build = scatter_min_f64, .in = { F64_ROWS(F64_NEGATIVE), TWICE_ROW_2, F64_ROWS(F64_NEGATIVE) } },
    { "replace, float64", .build = scatter_replace_f64, .in = { F64_ROWS(F64_NEGATIVE), TWICE_ROW_2, F64_ROWS(F64_NEGATIVE) } },
    { "replace, in turns", .build = scatter_replace_many,
      .in = { F32(4, 3), {TYPE_INT32, CASE_DIMS(9001, 1), .lo = -1, .hi = 2}, F32(9001, 3) } },
    { "add, uint64, in turns", .build = scatter_add_many,
      .in = { SPECIAL(UINT64, 4, 3), {TYPE_INT32, CASE_DIMS(4097, 1), .lo = 0, .hi = 3}, SPECIAL(UINT64, 4097, 3) } },
    { "and", .build = scatter_and, .in = { TENSOR(BOOL, 4, 3), ROW_PLACES, TENSOR(BOOL, 4, 3) }, .fails = "none of replace" },
    { "subtract", .build = scatter_sub, .in = { F32(4, 3), ROW_PLACES, F32(4, 3) }, .fails = "the first is SUB" },
    { 0 }
};
