/* SPDX-License-Identifier: Apache-2.0 */
/* large_models.c - see large_models.h */
#include "large_models.h"

#include "../../schema/options.h"

static int32_t image(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(1, 4, 4, 1));
}

static int32_t unary(struct builder *b, enum builtin op, int32_t x)
{
    const int32_t y = image(b, "y");

    build_op(b, op, 1, NULL, INDICES(x), INDICES(y));
    return y;
}

/* One after the other: a single partition. */
static void chain(struct builder *b, int nodes)
{
    const int32_t x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i < nodes; i++)
        y = unary(b, BUILTIN_RELU, y);
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* Every second one is refused: as many partitions as can be, and each refusal keeps two apart. */
static void striped(struct builder *b, int nodes)
{
    static const int32_t first[1] = {1};
    const int32_t x = image(b, "x"), axis = build_const(b, "axis", TYPE_INT32, SHAPE(1), first);
    int32_t y = x;

    for (int i = 0; i < nodes; i += 2) {
        const int32_t relu = unary(b, BUILTIN_RELU, y);

        y = image(b, "y");
        build_op(b, BUILTIN_REVERSE_V2, 4, NULL, INDICES(relu, axis), INDICES(y)); /* a version that is refused */
    }
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* All read the one input, and each makes an output. */
static void fan(struct builder *b, int nodes)
{
    static int32_t y[LARGE_MODEL_NODES];
    const int32_t x = image(b, "x");

    for (int i = 0; i < nodes; i++)
        y[i] = unary(b, BUILTIN_RELU, x);
    build_inputs(b, INDICES(x));
    build_outputs(b, y, (uint32_t)nodes);
}

/* Quotients, each of what looks like a softmax in pieces until its maker is looked at. */
static void quotients(struct builder *b, int nodes)
{
    const int32_t x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i < nodes; i += 2) {
        const int32_t e = unary(b, BUILTIN_EXP, y), q = image(b, "q");

        build_op(b, BUILTIN_DIV, 1, NULL, INDICES(e, y), INDICES(q));
        y = q;
    }
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* Dilated convolutions, as old converters write them: three operators each, that --fix makes one of. */
static void dilated(struct builder *b, int nodes)
{
    static const int32_t block[2] = {2, 2}, around[4] = {2, 2, 2, 2}, none[4] = {0};
    static const float weights[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0}, zero[1] = {0};
    const struct opt_conv_2d opt = {
        .padding = PAD_VALID, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
    const int32_t size = build_const(b, "block", TYPE_INT32, SHAPE(2), block);
    const int32_t pads = build_const(b, "pads", TYPE_INT32, SHAPE(2, 2), around);
    const int32_t crops = build_const(b, "crops", TYPE_INT32, SHAPE(2, 2), none);
    const int32_t w = build_const(b, "w", TYPE_FLOAT32, SHAPE(1, 3, 3, 1), weights);
    const int32_t bias = build_const(b, "bias", TYPE_FLOAT32, SHAPE(1), zero), x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i + 3 <= nodes; i += 3) {
        const int32_t apart = build_tensor(b, "apart", TYPE_FLOAT32, SHAPE(4, 4, 4, 1));
        const int32_t sum = build_tensor(b, "sum", TYPE_FLOAT32, SHAPE(4, 2, 2, 1)), back = image(b, "back");

        build_op(b, BUILTIN_SPACE_TO_BATCH_ND, 1, NULL, INDICES(y, size, pads), INDICES(apart));
        build_op(b, BUILTIN_CONV_2D, 1, &opt, INDICES(apart, w, bias), INDICES(sum));
        build_op(b, BUILTIN_BATCH_TO_SPACE_ND, 1, NULL, INDICES(sum, size, crops), INDICES(back));
        y = back;
    }
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

const struct large_model large_models[] = {
    {"chain", chain}, {"striped", striped}, {"fan", fan}, {"quotients", quotients}, {"dilated", dilated}, {NULL, NULL},
};
