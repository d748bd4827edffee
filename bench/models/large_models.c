/* SPDX-License-Identifier: Apache-2.0 */
/* large_models.c - see large_models.h */
#include "bench/models/large_models.h"

#include "schema/options.h"

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
    build_ends(b, INDICES(x), INDICES(y));
}

/* Every second one is refused: as many partitions as can be, and each refusal keeps two apart. It is a slice whose ellipsis stands
 * for one axis though all four are named, so that the last index, which names no element, is left over. */
static void striped(struct builder *b, int nodes)
{
    static const int32_t begin[] = {0, 0, 0, 0, 1 << 20}, stride[] = {1, 1, 1, 1, 1};
    static const struct opt_strided_slice all = {.begin_mask = 7, .end_mask = 7, .ellipsis_mask = 8};
    const int32_t x = image(b, "x"), at = build_const(b, "begin", TYPE_INT32, SHAPE(5), begin);
    const int32_t step = build_const(b, "stride", TYPE_INT32, SHAPE(5), stride);
    int32_t y = x;

    for (int i = 0; i < nodes; i += 2) {
        const int32_t relu = unary(b, BUILTIN_RELU, y);

        y = image(b, "y");
        build_op(b, BUILTIN_STRIDED_SLICE, 1, &all, INDICES(relu, at, at, step), INDICES(y));
    }
    build_ends(b, INDICES(x), INDICES(y));
}

/* All read the one input, and each makes an output. */
static void fan(struct builder *b, int nodes)
{
    static int32_t y[LARGE_MODEL_NODES];
    const int32_t x = image(b, "x");

    for (int i = 0; i < nodes; i++)
        y[i] = unary(b, BUILTIN_RELU, x);
    build_ends(b, INDICES(x), y, (uint32_t)nodes);
}

/* Each has an input and an output of its own. */
static void wide(struct builder *b, int nodes)
{
    static int32_t x[LARGE_MODEL_NODES], y[LARGE_MODEL_NODES];

    for (int i = 0; i < nodes; i++)
        y[i] = unary(b, BUILTIN_NEG, x[i] = image(b, "x"));
    build_ends(b, x, (uint32_t)nodes, y, (uint32_t)nodes);
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
    build_ends(b, INDICES(x), INDICES(y));
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
    build_ends(b, INDICES(x), INDICES(y));
}

static void softmax(struct builder *b, int32_t x, int32_t y)
{
    static const struct opt_softmax opt = {.beta = 1};

    build_op(b, BUILTIN_SOFTMAX, 1, &opt, INDICES(x), INDICES(y));
}

/* Height and width change their places again and again. */
static void transposes(struct builder *b, int nodes)
{
    static const int32_t order[4] = {0, 2, 1, 3};
    const int32_t perm = build_const(b, "perm", TYPE_INT32, SHAPE(4), order), x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i + 2 <= nodes; i += 2) {
        const int32_t turned = image(b, "turned");

        build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(y, perm), INDICES(turned));
        y = unary(b, BUILTIN_NEG, turned);
    }
    build_ends(b, INDICES(x), INDICES(y));
}

/* Reshapes that change nothing. */
static void identities(struct builder *b, int nodes)
{
    static const int32_t same[4] = {1, 4, 4, 1};
    const int32_t shape = build_const(b, "shape", TYPE_INT32, SHAPE(4), same), x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i + 2 <= nodes; i += 2) {
        const int32_t as_it_was = image(b, "as_it_was");

        build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(y, shape), INDICES(as_it_was));
        softmax(b, as_it_was, y = image(b, "y"));
    }
    build_ends(b, INDICES(x), INDICES(y));
}

/* There and back, with a softmax in between. */
static void reshapes(struct builder *b, int nodes)
{
    static const int32_t long_shape[4] = {1, 2, 8, 1}, square_shape[4] = {1, 4, 4, 1};
    const int32_t to_long = build_const(b, "to_long", TYPE_INT32, SHAPE(4), long_shape);
    const int32_t to_square = build_const(b, "to_square", TYPE_INT32, SHAPE(4), square_shape), x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i + 3 <= nodes; i += 3) {
        const int32_t flat = build_tensor(b, "flat", TYPE_FLOAT32, SHAPE(1, 2, 8, 1));
        const int32_t soft = build_tensor(b, "soft", TYPE_FLOAT32, SHAPE(1, 2, 8, 1));

        build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(y, to_long), INDICES(flat));
        softmax(b, flat, soft);
        build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(soft, to_square), INDICES(y = image(b, "y")));
    }
    build_ends(b, INDICES(x), INDICES(y));
}

/* Borders that the convolutions after them cover. */
static void pads(struct builder *b, int nodes)
{
    static const int32_t border[8] = {0, 0, 1, 1, 1, 1, 0, 0};
    static const float weights[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0}, zero[1] = {0};
    const struct opt_conv_2d opt = {
        .padding = PAD_VALID, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
    const int32_t around = build_const(b, "around", TYPE_INT32, SHAPE(4, 2), border);
    const int32_t w = build_const(b, "w", TYPE_FLOAT32, SHAPE(1, 3, 3, 1), weights);
    const int32_t bias = build_const(b, "bias", TYPE_FLOAT32, SHAPE(1), zero), x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i + 2 <= nodes; i += 2) {
        const int32_t padded = build_tensor(b, "padded", TYPE_FLOAT32, SHAPE(1, 6, 6, 1));

        build_op(b, BUILTIN_PAD, 1, NULL, INDICES(y, around), INDICES(padded));
        build_op(b, BUILTIN_CONV_2D, 1, &opt, INDICES(padded, w, bias), INDICES(y = image(b, "y")));
    }
    build_ends(b, INDICES(x), INDICES(y));
}

/* Joined, taken apart and added. */
static void joins(struct builder *b, int nodes)
{
    static const struct opt_concatenation join = {.axis = 1};
    static const struct opt_split split = {.num_splits = 2};
    static const int32_t height[1] = {1};
    const int32_t axis = build_const(b, "axis", TYPE_INT32, SHAPE(1), height), x = image(b, "x");
    int32_t y = x;

    for (int i = 0; i + 4 <= nodes; i += 4) {
        const int32_t soft = image(b, "soft"), both = build_tensor(b, "both", TYPE_FLOAT32, SHAPE(1, 8, 4, 1));
        const int32_t first = image(b, "first"), second = image(b, "second");

        softmax(b, y, soft);
        build_op(b, BUILTIN_CONCATENATION, 1, &join, INDICES(y, soft), INDICES(both));
        build_op(b, BUILTIN_SPLIT, 1, &split, INDICES(axis, both), INDICES(first, second));
        build_op(b, BUILTIN_ADD, 1, NULL, INDICES(first, second), INDICES(y = image(b, "y")));
    }
    build_ends(b, INDICES(x), INDICES(y));
}

/* Of rank 5, so that each operator's axes are folded into four. */
static void folded(struct builder *b, int nodes)
{
    static const int32_t order[5] = {0, 2, 1, 4, 3}, dim[5] = {1, 2, 2, 2, 2};
    const int32_t perm = build_const(b, "perm", TYPE_INT32, SHAPE(5), order), x = build_tensor(b, "x", TYPE_FLOAT32, dim, 5);
    int32_t y = x;

    for (int i = 0; i + 2 <= nodes; i += 2) {
        const int32_t turned = build_tensor(b, "turned", TYPE_FLOAT32, dim, 5);

        build_op(b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(y, perm), INDICES(turned));
        softmax(b, turned, y = build_tensor(b, "y", TYPE_FLOAT32, dim, 5));
    }
    build_ends(b, INDICES(x), INDICES(y));
}

const struct large_model large_models[] = {
    {"chain", chain},
    {"striped", striped},
    {"fan", fan},
    {"quotients", quotients},
    {"dilated", dilated},
    {"pads", pads},
    {"identities", identities},
    {"reshapes", reshapes},
    {"transposes", transposes},
    {"joins", joins},
    {"folded", folded},
    {"wide", wide},
    {NULL, NULL},
};
