/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected.c - cases of FULLY_CONNECTED. */
#include <float.h>
#include <math.h>

#include "bench/models/builder.h"
#include "bench/opcheck/opcheck.h"
#include "bench/cases/large.h"

static const float special_bias[] = {NAN, INFINITY, -INFINITY, -0.0f, 1e-42f, FLT_MAX, 0};
#define SPECIAL_BIAS {TYPE_FLOAT32, CASE_DIMS(7), .fill = FILL_GIVEN, .constant = true, .data = special_bias}
#define FC(act, ...) .opt = &(struct opt_fully_connected){ .activation = ACT_##act, __VA_ARGS__ }

#define BIAS(type, scale_, n) \
    {TYPE_##type, CASE_DIMS(n), .constant = true, .lo = -300, .hi = 300, .scale = (scale_)}
#define PER_CHANNEL(type, ...) \
    {TYPE_##type, CASE_DIMS(__VA_ARGS__), .constant = true, .scales = scales, .channel_dim = 0}

static const float scales[] = { .02f, .013f, .0371f, .005f, .029f, .017f, .011f, .041f };

/* Weights of a case that builds its own: who asks whether floats are multiplied by such sees them. */
#define BYTES CONST_QUANT(INT8, .02f, 0, 1, 48)

/* Sparse weights. A row of blocks of 1 x `block`, which are there where `indices` names them; block 0: single elements. */

struct sparse_fc {
    enum tensor_type in, w, out;
    int32_t rows, cols, block, channels;         /* of the filter; channels: scales it has */
    const int32_t *segments, *indices;
    uint32_t n_indices;
    bool bias, asymmetric;
};

static int32_t sparse_filter(struct builder *b, const struct sparse_fc *f)
{
    static const int32_t order[] = {0, 1, 2}, map[] = {1};
    static struct sparse_dim dims[3];
    static struct sparsity sparsity;
    static float values_f32[512];
    static int8_t values_i8[512];
    static const int64_t zeros[8];
    struct tensor *t;
    int32_t w;

    for (int i = 0; i < 512; i++) {
        values_i8[i] = (int8_t)(i * 77 % 255 - 127);
        values_f32[i] = (float)values_i8[i] / 64;
    }
    dims[0] = (struct sparse_dim){.dense_size = f->rows};
    dims[1] = (struct sparse_dim){.csr = true, .segments = f->segments, .indices = f->indices, .n_segments = (uint32_t)f->rows + 1,
                                  .n_indices = f->n_indices, .segments_bytes = 4, .indices_bytes = 4};
    dims[2] = (struct sparse_dim){.dense_size = f->block};
    sparsity = (struct sparsity){.traversal_order = order, .block_map = map, .n_traversal_order = f->block ? 3 : 2,
                                 .n_block_map = f->block ? 1 : 0, .n_dims = f->block ? 3 : 2, .dims = dims};
    w = build_const(b, "w", f->w, SHAPE(f->rows, f->cols), f->w == TYPE_FLOAT32 ? (const void *)values_f32 : values_i8);
    if (w < 0)
        return w;
    t = build_at(b, w);
    t->sparsity = &sparsity;
    if (f->channels)
        t->quant = (struct quant){.n = (uint32_t)f->channels, .scale = scales, .zero_point = zeros};
    return w;
}

static void sparse_build(struct builder *b, const struct sparse_fc *f)
{
    static const float bias_f32[8] = {1, -2, 3, -4, 5, -6, 7, -8};
    static const int32_t bias_i32[8] = {100, -200, 3000, -400, 500, -60, 70, 8};
    int32_t x = build_tensor(b, "x", f->in, SHAPE(3, f->cols)), w = sparse_filter(b, f), bias = -1;
    int32_t y = build_tensor(b, "y", f->out, SHAPE(3, f->rows));

    if (f->bias)
        bias = build_const(b, "bias", f->in == TYPE_FLOAT32 ? TYPE_FLOAT32 : TYPE_INT32, SHAPE(f->rows),
                           f->in == TYPE_FLOAT32 ? (const void *)bias_f32 : bias_i32);
    if (f->in != TYPE_FLOAT32) {
        build_quant(b, x, .0625f, f->in == TYPE_INT16 ? 0 : -3);
        build_quant(b, y, .25f, f->in == TYPE_INT16 ? 0 : 5);
    }
    build_op(b, BUILTIN_FULLY_CONNECTED, 8,
             &(struct opt_fully_connected){.asymmetric_quantize_inputs = f->asymmetric, .activation = ACT_RELU},
             INDICES(x, w, bias), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

static const int32_t five_segments[] = {0, 2, 2, 5, 6, 9}, five_indices[] = {0, 3, 1, 2, 6, 0, 2, 4, 5};
static const int32_t four_segments[] = {0, 2, 3, 3, 6}, four_indices[] = {0, 2, 1, 0, 1, 2};

/* Weights of four bits, each row in two blocks. */
static void blockwise(struct builder *b, bool has_bias)
{
    static uint16_t halves[64];
    static float bias_f32[32];
    static uint8_t packed[1024];
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(3, 64)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(3, 32)), w, s, bias;

    for (size_t i = 0; i < sizeof packed; i++)
        packed[i] = (uint8_t)(i * 37 + i / 32 * 11);
    for (size_t i = 0; i < 64; i++)
        halves[i] = (uint16_t)(0x2c00 + i * 61); /* 0.0625 to 0.97 */
    for (size_t i = 0; i < 32; i++)
        bias_f32[i] = (float)i - 16;
    w = build_const(b, "w", TYPE_INT4, SHAPE(32, 64), packed);
    s = build_const(b, "scales", TYPE_FLOAT16, SHAPE(32, 2), halves);
    bias = has_bias ? build_const(b, "bias", TYPE_FLOAT32, SHAPE(32), bias_f32) : -1;
    if (w >= 0)
        build_at(b, w)->quant = (struct quant){.block_size = 32, .block_scales = s, .block_zero_points = -1};
    build_op(b, BUILTIN_FULLY_CONNECTED, 13, &(struct opt_fully_connected){.activation = ACT_RELU}, INDICES(x, w, bias), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

static void blockwise_bias(struct builder *b)
{
    blockwise(b, true);
}

static void blockwise_plain(struct builder *b)
{
    blockwise(b, false);
}

#define SPARSE(name, ...) \
    static void name(struct builder *b) { sparse_build(b, &(struct sparse_fc){ __VA_ARGS__ }); }
#define FIVE_ROWS .rows = 5, .cols = 7, .segments = five_segments, .indices = five_indices, .n_indices = 9
#define FOUR_ROWS(n) \
    .rows = 4, .cols = 3 * (n), .block = (n), .segments = four_segments, .indices = four_indices, .n_indices = 6
#define TYPES(in_, w_, out_) .in = TYPE_##in_, .w = TYPE_##w_, .out = TYPE_##out_

SPARSE(sparse_f32, TYPES(FLOAT32, FLOAT32, FLOAT32), FIVE_ROWS, .bias = true)
SPARSE(sparse_f32_1x4, TYPES(FLOAT32, FLOAT32, FLOAT32), FOUR_ROWS(4))
SPARSE(sparse_f32_1x3, TYPES(FLOAT32, FLOAT32, FLOAT32), FOUR_ROWS(3), .bias = true)
SPARSE(sparse_i8, TYPES(INT8, INT8, INT8), FOUR_ROWS(16), .channels = 1, .bias = true)
SPARSE(sparse_i8_channels, TYPES(INT8, INT8, INT8), FOUR_ROWS(16), .channels = 4)
SPARSE(sparse_hybrid, TYPES(FLOAT32, INT8, FLOAT32), FOUR_ROWS(16), .channels = 1, .bias = true)
SPARSE(sparse_hybrid_asymmetric, TYPES(FLOAT32, INT8, FLOAT32), FOUR_ROWS(16), .channels = 4, .bias = true, .asymmetric = true)
SPARSE(sparse_i8_elements, TYPES(INT8, INT8, INT8), FIVE_ROWS, .channels = 1)
SPARSE(sparse_hybrid_1x4, TYPES(FLOAT32, INT8, FLOAT32), FOUR_ROWS(4), .channels = 1)
SPARSE(sparse_i16, TYPES(INT16, INT8, INT16), FOUR_ROWS(16), .channels = 1)

/* The input is sparse too. */
static void sparse_input(struct builder *b)
{
    const struct sparse_fc f = { TYPES(FLOAT32, FLOAT32, FLOAT32), FIVE_ROWS };
    int32_t x = sparse_filter(b, &f), w = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(5, 7));
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(5, 5));

    build_op(b, BUILTIN_FULLY_CONNECTED, 8, NULL, INDICES(x, w), INDICES(y));
    build_ends(b, INDICES(w), INDICES(y));
}

#define SHUFFLED(rows, units, depth) \
    .in = { QUANT(UINT8, .0078125f, 128, rows, depth), CONST_QUANT(UINT8, .02f, 128, units, depth), BIAS(INT32, .00015625f, units) }, \
    .out = { QUANT(INT16, .0009765625f, 0), TENSOR(UINT8, rows, depth) }
#define SHUFFLED_FORMAT .weights_format = FC_WEIGHTS_SHUFFLED_4X16_INT8

/* Floats whose quantization shows the order of the roundings: the ends of the range make the scale exactly 1, so that the others
   are halves and their neighbours as they stand. Longer rows begin like shorter ones; the 9th and the 17th are rounded alone. */
#define BELOW_HALF 0x1.fffffep-2f
#define SYMMETRIC_HALVES \
    127, BELOW_HALF, -BELOW_HALF, 0x1.8p0f, 0x1.7ffffep0f, -0x1.8p0f, 2.5f, BELOW_HALF, BELOW_HALF, -0x1.3ffffep1f, 3.5f, \
    -BELOW_HALF, 62.5f, -63.5f, 0x1.3ffffep6f, -0.5f, BELOW_HALF
#define RISING_HALVES /* zero point -128 */ \
    255, BELOW_HALF, 0x1.7ffffep0f, 0x1.8p0f, 0x1.3ffffep1f, 0x1.c00002p1f, 60.5f, BELOW_HALF, BELOW_HALF, 0x1.ebfffep5f, 254.5f, \
    0x1.7ffffep0f, 127.5f, 128.5f, 0x1.fefffep6f, 0.5f, BELOW_HALF
#define FALLING_HALVES /* zero point 127 */ \
    -255, -BELOW_HALF, -0x1.7ffffep0f, -0x1.8p0f, -0x1.3ffffep1f, -0x1.c00002p1f, -60.5f, -BELOW_HALF, -BELOW_HALF, \
    -0x1.ebfffep5f, -254.5f, -0x1.7ffffep0f, -127.5f, -128.5f, -0x1.fefffep6f, -0.5f, -BELOW_HALF
static const float symmetric_halves[] = { SYMMETRIC_HALVES }, rising_halves[] = { RISING_HALVES }, falling_halves[] = { FALLING_HALVES };
static const float measured[] = { 0, 2.7435265f, 0.65091515f, 1, 2, 0.5f, 0.25f, 0.65091515f, 0.65091515f };

#define GIVEN(n, data_) {TYPE_FLOAT32, CASE_DIMS(1, n), .fill = FILL_GIVEN, .data = data_}
#define HYBRID(asymmetric) FC(NONE, .asymmetric_quantize_inputs = asymmetric), .version = 9
#define W8(n) {TYPE_INT8, CASE_DIMS(5, n), .constant = true, .scale = 1, .lo = 1, .hi = 127}
#define HALVES(n) \
    { "hybrid symmetric, halves, depth " #n, HYBRID(false), .in = { GIVEN(n, symmetric_halves), W8(n) }, \
      .gpu_tol_fp16 = 5e-2 /* as float16 they fall to one side, all alike */ }, \
    { "hybrid asymmetric, rising halves, depth " #n, HYBRID(true), .in = { GIVEN(n, rising_halves), W8(n) } }, \
    { "hybrid asymmetric, falling halves, depth " #n, HYBRID(true), .in = { GIVEN(n, falling_halves), W8(n) } }, \
    { "hybrid symmetric, many rows, depth " #n, HYBRID(false), .in = { F32(64, n), W8(n) } }, \
    { "hybrid asymmetric, many rows, depth " #n, HYBRID(true), .in = { F32_IN(0, 3, 64, n), W8(n) } }

/* x -> 18 units, RELU -> 35, RELU6 -> 6. */
static void build_layers(struct builder *b)
{
    static const int32_t units[] = { 13, 18, 35, 6 };
    static const enum activation act[] = { ACT_RELU, ACT_RELU6, ACT_NONE };
    static float w[35 * 18];
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 13));

    for (int i = 0; i < 35 * 18; i++)
        w[i] = (float)(i * 1543 % 2003 - 1001) / 4096;
    build_inputs(b, INDICES(x));
    for (int i = 0; i < 3; i++) {
        const int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, units[i + 1]));

        build_op(b, BUILTIN_FULLY_CONNECTED, 1, &(struct opt_fully_connected){ .activation = act[i] },
                 INDICES(x, build_const(b, "w", TYPE_FLOAT32, SHAPE(units[i + 1], units[i]), w), build_const(b, "bias", TYPE_FLOAT32, SHAPE(units[i + 1]), w)), INDICES(y));
        x = y;
    }
    build_outputs(b, INDICES(x));
}

const struct op_case fully_connected_cases[] = {
    { "one row", FC(NONE), .in = { F32(1, 13), CONST_F32(7, 13), CONST_F32(7) } },
    { "nine rows, RELU", FC(RELU), .gpu_ways = "dynamic_batch", .in = { F32(9, 5), CONST_F32(18, 5), CONST_F32(18) } },
    { "RELU6", FC(RELU6), .in = { F32_IN(-9, 9, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "RELU_N1_TO_1", FC(RELU_N1_TO_1), .in = { F32_IN(-9, 9, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "no bias", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6) } },
    { "bias omitted", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6), OMITTED } },
    { "input flattened", FC(NONE), .in = { F32(2, 3, 2, 3), CONST_F32(5, 6), CONST_F32(5) } },
    { "rank 1", FC(NONE), .in = { F32(6), CONST_F32(5, 6), CONST_F32(5) } },
    { "keep_num_dims", FC(NONE, .keep_num_dims = true), .version = 5, .in = { F32(2, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "bias at run time", FC(RELU), .in = { F32(2, 6), CONST_F32(5, 6), F32(5) } },
    { "weights at run time", FC(NONE), .in = { F32(2, 6), F32(5, 6), F32(5) } },
    { "specials", FC(NONE), .in = { F32_SPECIAL(8, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "specials, RELU", FC(RELU), .in = { F32_SPECIAL(8, 3), CONST_F32(5, 3), CONST_F32(5) } },
    { "int8", FC(NONE), .version = 4, .in = { QUANT(INT8, .5f, -3, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), BIAS(INT32, .01f, 7) },
      .out = { QUANT(INT8, 1.3f, 5) } },
    { "int8, zero point in the weights, RELU6", FC(RELU6), .version = 4,
      .in = { QUANT(INT8, .05f, 127, 5, 14), CONST_QUANT(INT8, .02f, -128, 19, 14), BIAS(INT32, .001f, 19) },
      .out = { QUANT(INT8, .03f, -128) } },
    { "int8 per channel", FC(RELU), .version = 4,
      .in = { QUANT(INT8, .5f, -3, 3, 13), PER_CHANNEL(INT8, 7, 13), BIAS(INT32, 0, 7) }, .out = { QUANT(INT8, 1.3f, 5) } },
    { "int8 without bias, saturating", FC(NONE), .version = 4,
      .in = { QUANT(INT8, .5f, -3, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13) }, .out = { QUANT(INT8, .001f, 5) } },
    { "int8, weights at run time", FC(NONE), .version = 4,
      .in = { QUANT(INT8, .5f, -3, 3, 13), QUANT(INT8, .02f, 0, 7, 13), BIAS(INT32, .01f, 7) },
      .out = { QUANT(INT8, 1.3f, 5) } },
    { "int8, int4 weights", FC(NONE), .version = 9,
      .in = { QUANT(INT8, .5f, -3, 3, 13), PER_CHANNEL(INT4, 7, 13), BIAS(INT32, 0, 7) }, .out = { QUANT(INT8, .3f, 5) } },
    { "uint8", FC(RELU_N1_TO_1), .in = { QUANT(UINT8, .02f, 130, 3, 13), CONST_QUANT(UINT8, .02f, 120, 7, 13), BIAS(INT32, .0004f, 7) },
      .out = { QUANT(UINT8, .01f, 100) } },
    { "uint8 to int16", FC(NONE), .in = { QUANT(UINT8, .5f, 130, 3, 13), CONST_QUANT(UINT8, .02f, 120, 7, 13), BIAS(INT32, .01f, 7) },
      .out = { QUANT(INT16, .003f, 0) } },
    { "int16 with 64-bit bias", FC(NONE), .version = 7,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), BIAS(INT64, .00001f, 7) },
      .out = { QUANT(INT16, .0013f, 0) } },
    { "int16 per channel, without bias", FC(NONE), .version = 11,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), PER_CHANNEL(INT8, 7, 13) }, .out = { QUANT(INT16, .0013f, 0) } },
    { "int16 with 32-bit bias", FC(NONE, .quantized_bias_type = TYPE_INT32), .version = 11,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), BIAS(INT32, .00001f, 7) },
      .out = { QUANT(INT16, .0013f, 0) } },
    { "no units", FC(NONE), .in = { F32(3, 13), CONST_F32(0, 13), CONST_F32(0) } },
    { "hybrid", FC(NONE), .version = 3, .in = { F32(3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), CONST_F32(7) } },
    { "hybrid, special biases", FC(NONE), .version = 3, .in = { F32(3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), SPECIAL_BIAS } },
    { "hybrid, special biases, RELU", FC(RELU), .version = 3, .in = { F32(3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), SPECIAL_BIAS } },
    { "hybrid, special biases, RELU_N1_TO_1", FC(RELU_N1_TO_1), .version = 3,
      .in = { F32(3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), SPECIAL_BIAS } },
    { "hybrid, asymmetric", FC(RELU, .asymmetric_quantize_inputs = true), .version = 9,
      .in = { F32_IN(-1, 4, 3, 13), CONST_QUANT(INT8, .02f, 0, 7, 13), CONST_F32(7) } },
    { "hybrid per channel, asymmetric, TANH", FC(TANH, .asymmetric_quantize_inputs = true), .version = 9,
      .in = { F32_IN(-.1, .4, 3, 13), PER_CHANNEL(INT8, 7, 13), CONST_F32(7) } },
    { "hybrid per channel, symmetric, no bias, SIGN_BIT", FC(SIGN_BIT), .version = 9,
      .in = { F32_IN(-1, 4, 3, 13), PER_CHANNEL(INT8, 7, 13) } },
    { "hybrid, int4 weights", FC(NONE, .asymmetric_quantize_inputs = true), .version = 9,
      .in = { F32(3, 13), PER_CHANNEL(INT4, 7, 13), CONST_F32(7) } },
    { "hybrid asymmetric, just below a half", HYBRID(true), .in = { GIVEN(9, measured), W8(9) } },
    HALVES(7), HALVES(8), HALVES(9), HALVES(17),
    { "int8, int2 weights", FC(NONE), .version = 14,
      .in = { QUANT(INT8, .5f, -3, 3, 13), PER_CHANNEL(INT2, 7, 13), BIAS(INT32, 0, 7) }, .out = { QUANT(INT8, .1f, 5) } },
    { "int16, int2 weights", FC(NONE), .version = 14,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), CONST_QUANT(INT2, .2f, 0, 7, 13) }, .out = { QUANT(INT16, .001f, 0) } },
    { "hybrid, int2 weights", FC(NONE, .asymmetric_quantize_inputs = true), .version = 14,
      .in = { F32(3, 13), PER_CHANNEL(INT2, 7, 13), CONST_F32(7) } },
    { "hybrid, uint8 weights with the bits of int8", FC(TANH), .version = 3,
      .in = { F32(3, 13), {TYPE_UINT8, CASE_DIMS(7, 13), .constant = true, .lo = 0, .hi = 127, .scale = .002f}, CONST_F32(7) } },
    { "hybrid, uint8 weights that are negative as int8", FC(NONE, .asymmetric_quantize_inputs = true), .version = 9,
      .in = { F32(3, 13), {TYPE_UINT8, CASE_DIMS(7, 13), .constant = true, .lo = 129, .hi = 255, .scale = .02f} } },
    { "hybrid, uint8 weights with a zero point", FC(NONE), .version = 3,
      .in = { F32(3, 13), CONST_QUANT(UINT8, .02f, 5, 7, 13) }, .fails = "zero point is not 0" },
    { "sparse", .build = sparse_f32, .in = { F32(3, 7) } },
    { "sparse 1x4", .build = sparse_f32_1x4, .in = { F32(3, 12) } },
    { "sparse 1x3", .build = sparse_f32_1x3, .in = { F32(3, 9) } },
    { "sparse int8 1x16", .build = sparse_i8, .in = { QUANT(INT8, .0625f, -3, 3, 48) } },
    { "sparse int8 1x16 per channel", .build = sparse_i8_channels, .in = { QUANT(INT8, .0625f, -3, 3, 48) } },
    { "sparse hybrid", .build = sparse_hybrid, .in = { F32(3, 48), BYTES } },
    { "sparse hybrid per channel, asymmetric", .build = sparse_hybrid_asymmetric, .in = { F32(3, 48), BYTES } },
    { "int4 blocks", .no_golden = true, .build = blockwise_plain, .in = { F32(3, 64), BYTES } },
    { "int4 blocks, bias", .no_golden = true, .build = blockwise_bias, .in = { F32(3, 64), BYTES } },
    { "sparse int8 elements", .build = sparse_i8_elements, .in = { QUANT(INT8, .0625f, -3, 3, 7) }, .fails = "blocks of 1 x 16" },
    { "sparse hybrid 1x4", .build = sparse_hybrid_1x4, .in = { F32(3, 12) }, .fails = "blocks of 1 x 16" },
    { "sparse int8 for int16", .build = sparse_i16, .in = { QUANT(INT16, .0625f, 0, 3, 48) }, .fails = "input of type INT16" },
    { "sparse input", .build = sparse_input, .in = { F32(5, 7) }, .fails = "input or the bias is a sparse" },
    { "shuffled, one row", FC(NONE, SHUFFLED_FORMAT), .version = 2, SHUFFLED(1, 8, 32) },
    { "shuffled, four rows, RELU", FC(RELU, SHUFFLED_FORMAT), .version = 2, SHUFFLED(4, 12, 48) },
    { "shuffled, three rows", FC(NONE, SHUFFLED_FORMAT), .version = 2, SHUFFLED(3, 8, 32), .fails = "1 or 4 rows" },
    { "shuffled, six units", FC(NONE, SHUFFLED_FORMAT), .version = 2, SHUFFLED(1, 6, 32), .fails = "units in fours" },
    { "shuffled, depth 24", FC(NONE, SHUFFLED_FORMAT), .version = 2, SHUFFLED(1, 8, 24), .fails = "depth in sixteens" },
    { "shuffled without a bias", FC(NONE, SHUFFLED_FORMAT), .version = 2,
      .in = { QUANT(UINT8, .0078125f, 128, 1, 16), CONST_QUANT(UINT8, .02f, 128, 4, 16) },
      .out = { QUANT(INT16, .001f, 0), {TYPE_UINT8} }, .fails = "have a bias" },
    { "shuffled, another zero point", FC(NONE, SHUFFLED_FORMAT), .version = 2,
      .in = { QUANT(UINT8, .0078125f, 127, 1, 16), CONST_QUANT(UINT8, .02f, 128, 4, 16), BIAS(INT32, .00015625f, 4) },
      .out = { QUANT(INT16, .001f, 0), {TYPE_UINT8} }, .fails = "zero points 128 and 0, not 127" },
    { "shuffled floats", FC(NONE, SHUFFLED_FORMAT), .version = 2, .in = { F32(1, 16), CONST_F32(4, 16), CONST_F32(4) },
      .out = { {TYPE_FLOAT32}, {TYPE_UINT8} }, .fails = "UINT8 times UINT8" },
    { "shuffled, one output", FC(NONE, SHUFFLED_FORMAT), .version = 2,
      .in = { QUANT(UINT8, .0078125f, 128, 1, 16), CONST_QUANT(UINT8, .02f, 128, 4, 16), BIAS(INT32, .00015625f, 4) },
      .out = { QUANT(INT16, .001f, 0) }, .fails = "1 outputs" },
    { "depth 0: no bias is added", FC(NONE), .in = { F32(3, 0), CONST_F32(5, 0), CONST_F32(5) } },
    { "depth 0, keep_num_dims", FC(NONE, .keep_num_dims = true), .version = 5, .in = { F32(2, 3, 0), CONST_F32(5, 0) } },
    { "hybrid, rows of zeros", FC(NONE), .version = 3,
      .in = { {TYPE_FLOAT32, CASE_DIMS(1, 4), .fill = FILL_GIVEN, .data = (const float[4]){ 0 }},
              CONST_QUANT(INT8, .02f, 0, 7, 4), CONST_F32(7) } },
    { "depth does not divide", FC(NONE), .in = { F32(2, 7), CONST_F32(5, 6), CONST_F32(5) }, .fails = "rows of 6" },
    { "keep_num_dims with another depth", FC(NONE, .keep_num_dims = true), .version = 5,
      .in = { F32(2, 6, 3), CONST_F32(5, 6), CONST_F32(5) }, .fails = "depth is 6" },
    { "short bias", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6), CONST_F32(4) }, .fails = "4 bias values for 5 units" },
    { "filter of rank 3", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6, 1), CONST_F32(5) }, .fails = "[units, depth]" },
    { "deep", FC(NONE), .in = { F32(2, 1101), CONST_F32(67, 1101), CONST_F32(67) } },
    { "large (fast against reference)", FC(RELU), .no_golden = true,
      .in = { F32(21, 1101), CONST_F32(67, 1101), CONST_F32(67) } },
    { "large", FC(RELU), .large = true, .in = { F32(37, 1031), CONST_F32(517, 1031), CONST_F32(517) } },
    { "large, one row", FC(NONE), .large = true, .in = { F32(1, 1031), CONST_F32(1003, 1031), CONST_F32(1003) } },
    { "large, filter at run time", FC(NONE), .large = true, .in = { F32(131, 257), F32(133, 257), F32(133) } },
    { "large int8", FC(NONE), .version = 4, .large = true,
      .in = { QUANT(INT8, .05f, -3, 131, 1031), LARGE_FILTER(INT8, 0, 137, 1031), BIAS(INT32, 0, 137) },
      .out = { QUANT(INT8, 1.1f, 5) } },
    { "large int8, one row", FC(NONE), .version = 4, .large = true,
      .in = { QUANT(INT8, .05f, -3, 1, 1031), CONST_QUANT(INT8, .02f, 0, 1003, 1031), BIAS(INT32, .001f, 1003) },
      .out = { QUANT(INT8, 1.1f, 5) } },
    { "large int8 with int4 weights", FC(NONE), .version = 10, .large = true,
      .in = { QUANT(INT8, .05f, -3, 131, 517), LARGE_FILTER(INT4, 0, 137, 517), BIAS(INT32, 0, 137) },
      .out = { QUANT(INT8, .07f, 5) } },
    { "large uint8", FC(NONE), .large = true,
      .in = { QUANT(UINT8, .05f, 131, 131, 517), CONST_QUANT(UINT8, .02f, 120, 137, 517), BIAS(INT32, .001f, 137) },
      .out = { QUANT(UINT8, .9f, 125) } },
    { "large int16", FC(NONE), .version = 7, .large = true,
      .in = { QUANT(INT16, .0002f, 0, 131, 517), CONST_QUANT(INT8, .02f, 0, 137, 517), BIAS(INT64, .000004f, 137) },
      .out = { QUANT(INT16, .004f, 0) } },
    { "large hybrid", FC(NONE), .version = 9, .large = true,
      .in = { F32(131, 517), LARGE_FILTER(INT8, 0, 137, 517), CONST_F32(137) } },
    { "large hybrid, asymmetric", FC(RELU, .asymmetric_quantize_inputs = true), .version = 9, .large = true,
      .in = { F32_IN(-1, 4, 131, 517), LARGE_FILTER(INT8, 0, 137, 517), CONST_F32(137) } },
    { "long loops, 262144 inputs", FC(NONE), .typical = 170 /* sqrt(n) / 3 */, .in = { F32(1, 262144), CONST_F32(2, 262144), CONST_F32(2) } },
    { "long loops, 262147 inputs, three rows", FC(RELU), .typical = 170, .in = { F32(3, 262147), CONST_F32(2, 262147), CONST_F32(2) } },
    { "uint8 with zero points, weights at run time", FC(RELU), .version = 4,
      .in = { QUANT(UINT8, .5f, 130, 3, 13), QUANT(UINT8, .02f, 117, 9, 13), BIAS(INT32, .01f, 9) },
      .out = { QUANT(UINT8, 1.3f, 100) } },
    { "int16, weights at run time, no bias", FC(NONE), .version = 7,
      .in = { QUANT(INT16, .0005f, 0, 3, 13), QUANT(INT8, .02f, 0, 7, 13) }, .out = { QUANT(INT16, .0004f, 0) } },
    { "hybrid, weights at run time", FC(NONE), .version = 3,
      .in = { F32_IN(-3, 5, 3, 13), QUANT(INT8, .02f, 0, 7, 13), CONST_F32(7) } },
    { "three layers (for the GPU)", .no_golden = true, .gpu_ways = "chain:workgroup chain:apart", .build = build_layers, .in = { F32(1, 13) } },
    { "beyond blocks in every direction (fast against reference)", FC(NONE), .no_golden = true,
      .in = { F32(66, 53), CONST_F32(131, 53), CONST_F32(131) } },
    { 0 }
};
