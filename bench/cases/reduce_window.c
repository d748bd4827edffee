/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window.c - cases of STABLEHLO_REDUCE_WINDOW, REDUCE_WINDOW. */
#include "bench/cases/control.h"
#include "bench/cases/inputs.h"

/* [4, 5] through a window of [2, 3], strides, dilations and edges as given. */
static void window_model(struct builder *b, enum tensor_type type, int op, const struct opt_stablehlo_reduce_window *opt)
{
    int32_t x = build_tensor(b, "x", type, SHAPE(4, 5)), init = build_tensor(b, "init", type, SCALAR);
    int32_t y = build_tensor(b, "y", type, SHAPE(1, 1));

    build_op(b, BUILTIN_STABLEHLO_REDUCE_WINDOW, 1, opt, INDICES(x, init), INDICES(y));
    build_ends(b, INDICES(x, init), INDICES(y));
    stablehlo_computation(b, type, op);
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

#define REDUCE(how) .opt = &(struct opt_reduce_window){ how }
#define PLAIN I64S(2, 3), I64S(1, 2), I64S(2, 1)

const struct op_case reduce_window_cases[] = {
    /* TFLite takes constant windows only. */
    { "sum", .skip_golden = "at run time", REDUCE(REDUCE_WINDOW_ADD), .in = { F32(4, 7), F32_SCALAR, PLAIN } },
    { "product", REDUCE(REDUCE_WINDOW_MUL), .in = { F32(4, 7), F32_SCALAR, PLAIN } },
    { "minimum", REDUCE(REDUCE_WINDOW_MIN), .in = { F32(4, 7), F32_SCALAR, PLAIN } },
    { "maximum", REDUCE(REDUCE_WINDOW_MAX), .in = { TENSOR(INT32, 4, 7), {TYPE_INT32, .rank = 0}, PLAIN } },
    { "all", REDUCE(REDUCE_WINDOW_ALL), .in = { TENSOR(BOOL, 4, 7), {TYPE_BOOL, .rank = 0, .lo = 1, .hi = 1}, PLAIN } },
    { "any", REDUCE(REDUCE_WINDOW_ANY), .in = { TENSOR(BOOL, 4, 7), {TYPE_BOOL, .rank = 0}, PLAIN } },
    { "int8", REDUCE(REDUCE_WINDOW_ADD), .in = { TENSOR(INT8, 4, 7), {TYPE_INT8, .rank = 0}, PLAIN } },
    { "int16", REDUCE(REDUCE_WINDOW_MAX), .in = { TENSOR(INT16, 4, 7), {TYPE_INT16, .rank = 0}, PLAIN } },
    { "float16, each sum rounded (TFLite has none)", .no_golden = true, REDUCE(REDUCE_WINDOW_ADD),
      .in = { {TYPE_FLOAT16, CASE_DIMS(4, 7), .lo = -60000, .hi = 60000}, {TYPE_FLOAT16, .rank = 0}, PLAIN } },
    { "uint8", REDUCE(REDUCE_WINDOW_MIN), .in = { TENSOR(UINT8, 4, 7), {TYPE_UINT8, .rank = 0}, PLAIN } },
    { "int64", REDUCE(REDUCE_WINDOW_ADD), .in = { TENSOR(INT64, 4, 7), {TYPE_INT64, .rank = 0}, PLAIN } },
    { "int64, sums that wrap", REDUCE(REDUCE_WINDOW_ADD), .in = { SPECIAL(INT64, 4, 7), {TYPE_INT64, .rank = 0}, PLAIN } },
    { "int64, products that wrap", REDUCE(REDUCE_WINDOW_MUL), .in = { {TYPE_INT64, CASE_DIMS(4, 7), .lo = -9e18, .hi = 9e18}, {TYPE_INT64, .rank = 0, .lo = 3, .hi = 9}, PLAIN } },
    { "int64, maximum, rank 6", REDUCE(REDUCE_WINDOW_MAX),
      .in = { SPECIAL(INT64, 3, 1, 2, 1, 3, 5), {TYPE_INT64, .rank = 0, .lo = -9, .hi = -9}, I64S(2, 1, 1, 1, 2, 3), I64S(1, 1, 1, 1, 1, 1),
              I64S(1, 1, 1, 1, 1, 1) } },
    { "int64, minimum", REDUCE(REDUCE_WINDOW_MIN), .in = { SPECIAL(INT64, 4, 7), {TYPE_INT64, .rank = 0, .lo = 9, .hi = 9}, PLAIN } },
    { "int64, in turns", REDUCE(REDUCE_WINDOW_ADD), .in = { SPECIAL(INT64, 9005), {TYPE_INT64, .rank = 0}, I64S(9000), I64S(1), I64S(1) } },
    { "int32, more than 65,535 in turns", REDUCE(REDUCE_WINDOW_ADD),
      .in = { TENSOR(INT32, 65549), {TYPE_INT32, .rank = 0}, I64S(65539), I64S(2), I64S(1) } },
    { "minimum, in turns", REDUCE(REDUCE_WINDOW_MIN), .in = { F32(70, 65), F32_SCALAR, I64S(66, 64), I64S(1, 1), I64S(1, 1) } },
    { "window too large", REDUCE(REDUCE_WINDOW_ADD), .in = { F32(4, 7), F32_SCALAR, I64S(5, 1), I64S(1, 1), I64S(1, 1) } },
    { "no reduction", .in = { F32(4, 7), F32_SCALAR, PLAIN }, .fails = "there is no reduction" },
    { "stride 0", REDUCE(REDUCE_WINDOW_ADD), .in = { F32(4, 7), F32_SCALAR, I64S(2, 2), I64S(0, 1), I64S(1, 1) }, .fails = "stride 0" },
    { 0 }
};
