/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul.c - cases of BATCH_MATMUL. */
#include "bench/models/builder.h"
#include "bench/opcheck/opcheck.h"
#include "bench/cases/large.h"

#define BMM(x, y) .opt = &(struct opt_batch_matmul){ .adj_x = x, .adj_y = y }

/* A product of which TRANSPOSE makes operands, by exchanging rows and columns, in two batches of heads. */
struct of_transposed {
    enum tensor_type type;
    int32_t heads[2], rows, depth, columns;
    bool transposed[2], functions, adj_y; /* functions: behind what is transposed */
    float scale, y_scale;                 /* of quantized types */
    int64_t zero;
};

static int32_t matrices(struct builder *b, const char *name, const struct of_transposed *o, int32_t heads, int32_t rows, int32_t columns, float scale)
{
    const int32_t t = build_tensor(b, name, o->type, SHAPE(2, heads, rows, columns));

    if (scale > 0)
        build_quant(b, t, scale, o->zero);
    return t;
}

/* [rows, columns], in the model as the input `name` of that or transposed to that. */
static int32_t operand(struct builder *b, const struct of_transposed *o, int i, int32_t rows, int32_t columns, int32_t *input)
{
    const bool t = o->transposed[i];
    const int32_t order = build_const(b, "order", TYPE_INT32, SHAPE(4), (int32_t[]){0, 1, 3, 2});
    int32_t y = *input = matrices(b, i ? "z" : "x", o, o->heads[i], t ? columns : rows, t ? rows : columns, o->scale), next;

    for (int k = 0; t && k < 1 + o->functions; k++, y = next) {
        next = matrices(b, "between", o, o->heads[i], rows, columns, o->scale);
        if (k)
            build_op(b, BUILTIN_ABS, 1, NULL, INDICES(y), INDICES(next));
        else
            build_op(b, BUILTIN_TRANSPOSE, 4, NULL, INDICES(y, order), INDICES(next));
    }
    return y;
}

static void build_of_transposed(struct builder *b, const struct of_transposed *o)
{
    const int32_t heads = o->heads[o->heads[1] > o->heads[0]], y = matrices(b, "y", o, heads, o->rows, o->columns, o->y_scale);
    int32_t in[2], x = operand(b, o, 0, o->rows, o->depth, &in[0]);
    int32_t z = o->adj_y ? operand(b, o, 1, o->columns, o->depth, &in[1]) : operand(b, o, 1, o->depth, o->columns, &in[1]);

    build_op(b, BUILTIN_BATCH_MATMUL, 2, &(struct opt_batch_matmul){.adj_y = o->adj_y}, INDICES(x, z), INDICES(y));
    build_ends(b, in, 2, INDICES(y));
}

#define OF_TRANSPOSED(name, type_, x_heads, z_heads, m, k, n, ...) \
    static void build_##name(struct builder *b) \
    { \
        build_of_transposed(b, &(struct of_transposed){TYPE_##type_, {x_heads, z_heads}, m, k, n, __VA_ARGS__}); \
    }
OF_TRANSPOSED(right, FLOAT32, 3, 3, 6, 9, 10, .transposed = {false, true})
OF_TRANSPOSED(left, FLOAT32, 3, 3, 6, 9, 10, .transposed = {true, false})
OF_TRANSPOSED(broadcast, FLOAT32, 1, 3, 5, 7, 6, .transposed = {true, true})
OF_TRANSPOSED(twice, FLOAT32, 2, 1, 7, 6, 5, .transposed = {false, true}, .adj_y = true)
OF_TRANSPOSED(functions, FLOAT32, 1, 2, 6, 9, 10, .transposed = {true, true}, .functions = true)
OF_TRANSPOSED(int8, INT8, 1, 3, 5, 7, 6, .transposed = {false, true}, .scale = .05f, .y_scale = .6f, .zero = -7)
OF_TRANSPOSED(int16, INT16, 2, 2, 6, 9, 10, .transposed = {true, true}, .scale = .0005f, .y_scale = .01f)
OF_TRANSPOSED(large, FLOAT32, 1, 1, 131, 67, 133, .transposed = {true, true})
OF_TRANSPOSED(large_int8, INT8, 1, 1, 131, 67, 133, .transposed = {true, true}, .scale = .05f, .y_scale = 1.7f, .zero = 3)
#undef OF_TRANSPOSED

static const float scales[] = { .02f, .013f, .0371f, .005f, .029f, .017f, .011f };

const struct op_case batch_matmul_cases[] = {
    { "matrices", BMM(0, 0), .in = { F32(3, 5), F32(5, 7) } },
    { "constant right side", BMM(0, 0), .in = { F32(4, 5), CONST_F32(5, 18) } },
    { "batches", BMM(0, 0), .in = { F32(3, 2, 5), F32(3, 5, 4) } },
    { "adj_x", BMM(1, 0), .in = { F32(2, 5, 3), F32(2, 5, 4) } },
    { "adj_y", BMM(0, 1), .in = { F32(2, 3, 5), F32(2, 4, 5) } },
    { "adj_x and adj_y, constant", BMM(1, 1), .in = { F32(2, 5, 3), CONST_F32(2, 4, 5) } },
    { "right side broadcast", BMM(0, 0), .in = { F32(2, 3, 2, 5), F32(5, 4) } },
    { "left side broadcast", BMM(0, 0), .in = { F32(2, 5), F32(3, 5, 4) } },
    { "both broadcast", BMM(0, 1), .in = { F32(2, 1, 2, 3), F32(1, 3, 4, 3) } },
    { "rank 5", BMM(0, 0), .in = { F32(2, 1, 2, 2, 3), F32(2, 1, 3, 2) } },
    { "windows and heads, rank 5", BMM(0, 1), .in = { F32(2, 2, 3, 2, 6), F32(2, 2, 3, 5, 6) } },
    { "one side for every window, rank 5, adj_x", BMM(1, 0), .in = { F32(2, 3, 2, 5, 3), F32(2, 1, 2, 5, 6) } },
    { "constant right side, rank 5", BMM(0, 0), .in = { F32(1, 2, 2, 3, 5), CONST_F32(5, 6) } },
    { "a vector times a matrix", BMM(0, 0), .in = { F32(1, 9), F32(9, 11) } },
    { "specials", BMM(0, 0), .in = { F32_SPECIAL(8, 6), F32(6, 3) } },
    { "int8", BMM(0, 0), .version = 2, .in = { QUANT(INT8, .05f, 3, 2, 4, 5), QUANT(INT8, .1f, -7, 2, 5, 7) },
      .out = { QUANT(INT8, .3f, 5) } },
    { "int8, adj_x and adj_y, constant", BMM(1, 1), .version = 2,
      .in = { QUANT(INT8, .05f, 3, 2, 5, 4), CONST_QUANT(INT8, .1f, -7, 2, 7, 5) }, .out = { QUANT(INT8, .3f, 5) } },
    { "int8 broadcast", BMM(0, 0), .version = 2, .in = { QUANT(INT8, .05f, 3, 2, 1, 2, 5), QUANT(INT8, .1f, -7, 3, 5, 4) },
      .out = { QUANT(INT8, .3f, 5) } },
    { "int8 to int32: zero points do not count", BMM(0, 1), .version = 3,
      .in = { QUANT(INT8, .05f, 3, 3, 5), QUANT(INT8, .1f, -7, 7, 5) }, .out = { {TYPE_INT32} } },
    { "int16", BMM(0, 0), .version = 2, .in = { QUANT(INT16, .0005f, 0, 2, 3, 5), QUANT(INT16, .0003f, 0, 2, 5, 4) },
      .out = { QUANT(INT16, .01f, 0) } },
    { "int16 times int8", BMM(1, 0), .version = 4, .in = { QUANT(INT16, .0005f, 0, 2, 5, 3), QUANT(INT8, .03f, 0, 2, 5, 4) },
      .out = { QUANT(INT16, .01f, 0) } },
    { "hybrid", BMM(0, 0), .in = { F32(2, 3, 5), CONST_QUANT(INT8, .02f, 0, 5, 7) } },
    { "hybrid, asymmetric", .opt = &(struct opt_batch_matmul){ .asymmetric_quantize_inputs = true }, .version = 4,
      .in = { F32_IN(-1, 4, 2, 3, 5), CONST_QUANT(INT8, .02f, 0, 2, 5, 7) } },
    { "hybrid, adj_x and adj_y", BMM(1, 1), .in = { F32(2, 5, 3), CONST_QUANT(INT8, .02f, 0, 2, 7, 5) } },
    { "hybrid, a scale per column", BMM(0, 1), .version = 4,
      .in = { F32(2, 3, 5), {TYPE_INT8, CASE_DIMS(7, 5), .constant = true, .scales = scales, .channel_dim = 0} } },
    { "float times int16", BMM(0, 0), .in = { F32(3, 5), QUANT(INT16, .1f, 0, 5, 7) }, .fails = "INT16" },
    { "inner dimensions differ", BMM(0, 0), .in = { F32(3, 5), F32(4, 7) }, .fails = "inner dimensions 5 and 4" },
    { "leading dimensions differ", BMM(0, 0), .in = { F32(2, 3, 5), F32(3, 5, 7) }, .fails = "broadcast" },
    { "a vector", BMM(0, 0), .in = { F32(5), F32(5, 7) }, .fails = "no matrices" },
    { "large (fast against reference)", BMM(0, 0), .no_golden = true, .in = { F32(3, 37, 67), F32(3, 67, 45) } },
    { "large, adj_x and adj_y (fast against reference)", BMM(1, 1), .no_golden = true,
      .in = { F32(2, 67, 37), CONST_F32(2, 45, 67) } },
    { "long loops", BMM(0, 0), .typical = 170 /* sqrt(n) / 3 */, .in = { F32(2, 2, 262137), F32(1, 262137, 2) } },
    { "long loops, adj_x and adj_y", BMM(1, 1), .typical = 170, .in = { F32(1, 262137, 2), F32(3, 1, 262137) } },
    { "large", BMM(0, 0), .large = true, .in = { F32(3, 131, 257), F32(3, 257, 133) } },
    { "large, adj_x and adj_y, one right side", BMM(1, 1), .large = true, .in = { F32(3, 257, 131), CONST_F32(133, 257) } },
    { "large, many rows", BMM(0, 0), .large = true, .in = { F32(2, 2053, 67), F32(2, 67, 69) } },
    { "large int8, many rows", BMM(0, 1), .version = 2, .large = true,
      .in = { QUANT(INT8, .05f, 3, 2, 2053, 67), QUANT(INT8, .1f, -7, 2, 69, 67) }, .out = { QUANT(INT8, 1.7f, 5) } },
    { "large int8", BMM(0, 0), .version = 2, .large = true,
      .in = { QUANT(INT8, .05f, 3, 2, 131, 257), QUANT(INT8, .1f, -7, 2, 257, 133) }, .out = { QUANT(INT8, 3.3f, 5) } },
    { "large int8, adj_x and adj_y, constant", BMM(1, 1), .version = 2, .large = true,
      .in = { QUANT(INT8, .05f, 3, 2, 257, 131), CONST_QUANT(INT8, .1f, -7, 133, 257) }, .out = { QUANT(INT8, 3.3f, 5) } },
    { "large int8 to int32", BMM(0, 1), .version = 3, .large = true,
      .in = { QUANT(INT8, .05f, 3, 131, 257), QUANT(INT8, .1f, -7, 133, 257) }, .out = { {TYPE_INT32} } },
    { "large int16", BMM(0, 0), .version = 2, .large = true,
      .in = { QUANT(INT16, .0005f, 0, 2, 131, 257), QUANT(INT16, .0003f, 0, 2, 257, 133) }, .out = { QUANT(INT16, .02f, 0) } },
    { "large int16 times int8", BMM(1, 0), .version = 4, .large = true,
      .in = { QUANT(INT16, .0005f, 0, 2, 257, 131), QUANT(INT8, .03f, 0, 2, 257, 133) }, .out = { QUANT(INT16, .01f, 0) } },
    { "large hybrid", BMM(0, 1), .version = 4, .large = true,
      .in = { F32(2, 131, 257), LARGE_FILTER(INT8, 0, 133, 257) } },
    { "large hybrid, asymmetric, adj_x", .opt = &(struct opt_batch_matmul){ .adj_x = true, .asymmetric_quantize_inputs = true },
      .version = 4, .large = true, .in = { F32_IN(-1, 4, 2, 257, 131), CONST_QUANT(INT8, .02f, 0, 2, 257, 133) } },
    { "int16, sums beyond 32 bits", BMM(0, 1), .version = 2,
      .in = { {TYPE_INT16, CASE_DIMS(2, 3, 38), .lo = -32768, .hi = -32700, .scale = .0005f},
              {TYPE_INT16, CASE_DIMS(2, 5, 38), .lo = -32768, .hi = -32700, .scale = .0003f} },
      .out = { QUANT(INT16, .19f, 0) } },
    { "int16 times a constant, adj_x, sums beyond 32 bits", BMM(1, 0), .version = 2,
      .in = { {TYPE_INT16, CASE_DIMS(38, 3), .lo = 32700, .hi = 32767, .scale = .0005f},
              {TYPE_INT16, CASE_DIMS(38, 5), .lo = -32768, .hi = -32700, .scale = .0003f, .constant = true} },
      .out = { QUANT(INT16, .19f, 0) } },
    { "hybrid, broadcast, adj_x, asymmetric",
      .opt = &(struct opt_batch_matmul){ .adj_x = true, .asymmetric_quantize_inputs = true }, .version = 4,
      .in = { F32_IN(-1, 4, 2, 1, 9, 3), CONST_QUANT(INT8, .02f, 0, 3, 9, 7) } },
    { "transposed right side", .build = build_right, .in = { F32(2, 3, 6, 9), F32(2, 3, 10, 9) } },
    { "transposed right side, specials", .build = build_right, .in = { F32(2, 3, 6, 9), F32_SPECIAL(2, 3, 10, 9) } },
    { "transposed left side", .build = build_left, .in = { F32(2, 3, 9, 6), F32(2, 3, 9, 10) } },
    { "transposed left side, specials", .build = build_left, .in = { F32_SPECIAL(2, 3, 9, 6), F32(2, 3, 9, 10) } },
    { "both transposed, broadcast", .build = build_broadcast, .in = { F32(2, 1, 7, 5), F32(2, 3, 6, 7) } },
    { "transposed, and adj_y", .build = build_twice, .in = { F32(2, 2, 7, 6), F32(2, 1, 6, 5) } },
    { "functions of both transposed", .build = build_functions, .in = { F32(2, 1, 9, 6), F32(2, 2, 10, 9) } },
    { "int8, transposed right side, broadcast", .build = build_int8, .in = { QUANT(INT8, .05f, -7, 2, 1, 5, 7), QUANT(INT8, .05f, -7, 2, 3, 6, 7) } },
    { "int16, both transposed", .build = build_int16, .in = { QUANT(INT16, .0005f, 0, 2, 2, 9, 6), QUANT(INT16, .0005f, 0, 2, 2, 10, 9) } },
    { "large, both transposed", .build = build_large, .large = true, .in = { F32(2, 1, 67, 131), F32(2, 1, 133, 67) } },
    { "large int8, both transposed", .build = build_large_int8, .large = true,
      .in = { QUANT(INT8, .05f, 3, 2, 1, 67, 131), QUANT(INT8, .05f, 3, 2, 1, 133, 67) } },
    { "beyond blocks in every direction (fast against reference)", BMM(0, 0), .no_golden = true,
      .in = { F32(2, 3, 70, 37), F32(2, 3, 37, 67) } },
    { "beyond blocks in every direction, adj_y, one left side (fast against reference)", BMM(0, 1), .no_golden = true,
      .in = { F32(66, 19), F32(2, 69, 19) } },
    { "beyond blocks in every direction, adj_x (fast against reference)", BMM(1, 0), .no_golden = true,
      .in = { F32(2, 53, 67), F32(2, 53, 65) } },
    { 0 }
};
