/* SPDX-License-Identifier: Apache-2.0 */
/* wrong_ops.c - networks around one operator that GPU delegates compute wrong: nodes before it, nodes after it, and the tensor
 * "wrong" between them. */
#include "bench/models/wrong_ops.h"

#include <stdio.h>

static int32_t tensor_like(struct builder *b, int32_t x, const char *name)
{
    const struct tensor like = *build_at(b, x);
    char numbered[16];

    snprintf(numbered, sizeof numbered, "t%u", (unsigned)b->graph->n_tensors);
    return build_tensor(b, name ? name : numbered, TYPE_FLOAT32, like.dim, like.rank);
}

static int32_t unary(struct builder *b, enum builtin op, int32_t x)
{
    const int32_t y = tensor_like(b, x, NULL);

    build_op(b, op, 1, NULL, INDICES(x), INDICES(y));
    return y;
}

static int32_t with_number(struct builder *b, enum builtin op, int32_t x, float number)
{
    const int32_t c = build_const(b, "c", TYPE_FLOAT32, SHAPE(1), &number), y = tensor_like(b, x, NULL);

    build_op(b, op, 1, NULL, INDICES(x, c), INDICES(y));
    return y;
}

/* Four nodes that keep the shape and about the size of the values. */
static int32_t chain(struct builder *b, int32_t x)
{
    return unary(b, BUILTIN_NEG, with_number(b, BUILTIN_MUL, with_number(b, BUILTIN_ADD, unary(b, BUILTIN_TANH, x), 0.25f), 1.5f));
}

static int32_t softmax(struct builder *b, int32_t x)
{
    const int32_t y = tensor_like(b, x, NULL);

    build_op(b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(x), INDICES(y));
    return y;
}

/* Weights from -0.5 to 0.5, up to 1024 of them. */
static int32_t weights(struct builder *b, const int32_t *dim, int32_t rank)
{
    float w[1024];

    for (int i = 0; i < 1024; i++)
        w[i] = (float)(i * 37 % 101) / 100 - 0.5f;
    return build_const(b, "weights", TYPE_FLOAT32, dim, rank, w);
}

/* Four nodes more, behind which the model ends. */
static void end(struct builder *b, int32_t x, int32_t y)
{
    build_ends(b, INDICES(x), INDICES(chain(b, y)));
}

static void pad_rows(struct builder *b)
{
    static const int32_t amounts[] = {0, 0, 0, 2, 0, 0};
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4, 6, 8));
    const int32_t before = chain(b, x);
    const int32_t pads = build_const(b, "pads", TYPE_INT32, SHAPE(3, 2), amounts);
    const int32_t y = build_tensor(b, "wrong", TYPE_FLOAT32, SHAPE(4, 8, 8));

    build_op(b, BUILTIN_PAD, 1, NULL, INDICES(before, pads), INDICES(y));
    end(b, x, chain(b, y));
}

/* A RELU gives the zeros. */
static void pow_zero(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6, 6, 4));
    const int32_t base = unary(b, BUILTIN_RELU, with_number(b, BUILTIN_SUB, chain(b, x), 0.25f)), y = tensor_like(b, x, "wrong");

    build_op(b, BUILTIN_POW, 1, NULL, INDICES(base, base), INDICES(y));
    end(b, x, chain(b, y));
}

/* Scores of four heads, and a mask for all of them. */
static void mixed_ranks(struct builder *b)
{
    const int32_t scores = build_tensor(b, "scores", TYPE_FLOAT32, SHAPE(4, 8, 8));
    const int32_t mask = build_tensor(b, "mask", TYPE_FLOAT32, SHAPE(1, 1, 8, 8));
    const int32_t x0 = chain(b, scores), x1 = chain(b, mask);
    const int32_t y = build_tensor(b, "wrong", TYPE_FLOAT32, SHAPE(1, 4, 8, 8));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x0, x1), INDICES(y));
    build_ends(b, INDICES(scores, mask), INDICES(chain(b, softmax(b, y))));
}

/* Squeeze and excite: totals of an image that are made small again. */
static void sum_nan(struct builder *b)
{
    static const int32_t over[] = {1, 2};
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 8, 8, 6));
    const int32_t large = with_number(b, BUILTIN_MUL, unary(b, BUILTIN_ABS, chain(b, x)), 1e4f);
    const int32_t axes = build_const(b, "axes", TYPE_INT32, SHAPE(2), over);
    const int32_t y = build_tensor(b, "wrong", TYPE_FLOAT32, SHAPE(1, 1, 1, 6));

    build_op(b, BUILTIN_SUM, 1, &(struct opt_reducer){true}, INDICES(large, axes), INDICES(y));
    end(b, x, with_number(b, BUILTIN_MUL, y, 1e-6f));
}

static void fc_rows(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 6, 8));
    const int32_t before = chain(b, x), w = weights(b, SHAPE(8, 8)), y = tensor_like(b, x, "wrong");

    build_op(b, BUILTIN_FULLY_CONNECTED, 5, &(struct opt_fully_connected){.keep_num_dims = true}, INDICES(before, w, -1),
             INDICES(y));
    end(b, x, chain(b, y));
}

/* Normalization of six channels before a convolution. */
static void div_lanes(struct builder *b)
{
    const struct opt_conv_2d conv = {
        .padding = PAD_SAME, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
    static const float zeros[8] = {0};
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 5, 5, 6));
    const int32_t over = chain(b, x), under = with_number(b, BUILTIN_ADD, unary(b, BUILTIN_ABS, over), 1);
    const int32_t y = tensor_like(b, x, "wrong"), w = weights(b, SHAPE(8, 3, 3, 6));
    const int32_t bias = build_const(b, "bias", TYPE_FLOAT32, SHAPE(8), zeros);
    const int32_t z = build_tensor(b, "convolved", TYPE_FLOAT32, SHAPE(1, 5, 5, 8));

    build_op(b, BUILTIN_DIV, 1, NULL, INDICES(over, under), INDICES(y));
    build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(y, w, bias), INDICES(z));
    end(b, x, z);
}

/* The probabilities of `scores`, times `values`. */
static int32_t attend(struct builder *b, int32_t scores, int32_t values)
{
    const int32_t p = softmax(b, scores), y = tensor_like(b, values, "mixed");

    build_op(b, BUILTIN_BATCH_MATMUL, 1, &(struct opt_batch_matmul){0}, INDICES(p, values), INDICES(y));
    return y;
}

static void scores_of(struct builder *b, int32_t q, int32_t k, int32_t scores)
{
    build_op(b, BUILTIN_BATCH_MATMUL, 1, &(struct opt_batch_matmul){.adj_y = true}, INDICES(q, k), INDICES(scores));
}

/* Attention of four heads. */
static void matmul_heads(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4, 8, 8));
    const int32_t q = chain(b, x), k = chain(b, q), scores = tensor_like(b, x, "wrong");

    scores_of(b, q, k, scores);
    end(b, x, attend(b, scores, q));
}

/* Attention of four heads with a mask. */
static void matmul_mask(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4, 8, 8));
    const int32_t mask = build_tensor(b, "mask", TYPE_FLOAT32, SHAPE(1, 1, 8, 8));
    const int32_t q = chain(b, x), scores = tensor_like(b, x, "scores"), y = tensor_like(b, x, "wrong");

    scores_of(b, q, q, scores);
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(scores, mask), INDICES(y));
    build_ends(b, INDICES(x, mask), INDICES(chain(b, attend(b, y, q))));
}

/* One sum that two nodes read. */
static void alias(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6, 6, 4));
    const int32_t branch = chain(b, x), sum = tensor_like(b, x, "wrong"), y = tensor_like(b, x, "y");

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(branch, x), INDICES(sum));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(chain(b, sum), sum), INDICES(y));
    end(b, x, y);
}

static void relu_n1_zero(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6, 6, 4));
    const int32_t before = chain(b, x), y = tensor_like(b, x, "wrong");

    build_op(b, BUILTIN_RELU_N1_TO_1, 1, NULL, INDICES(before), INDICES(y));
    end(b, x, chain(b, y));
}

/* Inputs from -37.5 to 22.5, made small again. */
static void gelu_nan(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6, 6, 4));
    const int32_t large = with_number(b, BUILTIN_MUL, chain(b, x), 20), y = tensor_like(b, x, "wrong");

    build_op(b, BUILTIN_GELU, 1, &(struct opt_gelu){.approximate = true}, INDICES(large), INDICES(y));
    end(b, x, chain(b, with_number(b, BUILTIN_MUL, y, 0.05f)));
}

/* A gate with one value for the channels of each pixel. */
static void mul_channel(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6, 6, 8));
    const int32_t gate = build_tensor(b, "gate", TYPE_FLOAT32, SHAPE(1, 6, 6, 1));
    const int32_t x0 = chain(b, x), x1 = chain(b, gate), y = tensor_like(b, x, "wrong");

    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x0, x1), INDICES(y));
    build_ends(b, INDICES(x, gate), INDICES(chain(b, y)));
}

const struct wrong_op wrong_ops[] = {
    {"pad_rows", pad_rows},         {"pow_zero", pow_zero},
    {"mixed_ranks", mixed_ranks},   {"sum_nan", sum_nan},
    {"fc_rows", fc_rows},           {"div_lanes", div_lanes},
    {"matmul_heads", matmul_heads}, {"matmul_mask", matmul_mask},
    {"matmul_adj", matmul_heads},   {"alias", alias},
    {"relu_n1_zero", relu_n1_zero}, {"gelu_nan", gelu_nan},
    {"mul_channel", mul_channel},   {NULL, NULL},
};
