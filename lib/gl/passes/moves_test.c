/* SPDX-License-Identifier: Apache-2.0 */
/* moves_test.c - what only moves data and need not run: what is left of it, and that it is right, on the GPU against the CPU. */
#include <string.h>

#include "lib/gl/testing/test_moves.h"

/* ---- flattened before a dense layer ---- */

struct flat_case {
    int32_t batch, high, wide, channels, layers;
    bool kept;
    uint32_t left;
};

static struct loaded flattened(const struct flat_case *c)
{
    const int32_t image[] = {c->batch, c->high, c->wide, c->channels}, n = c->high * c->wide * c->channels;
    struct builder b;
    int32_t x, flat, y, kept;

    builder_init(&b, "flat");
    x = tensor(&b, image, 4);
    build_inputs(&b, INDICES(x));
    flat = reshaped(&b, convolved(&b, x, image, c->channels), SHAPE(c->batch, n));
    y = layer(&b, flat, c->batch, n, 40);
    for (int32_t i = 1; i < c->layers; i++)
        y = layer(&b, y, c->batch, 40, 40);
    kept = c->kept ? unary(&b, BUILTIN_ABS, flat, SHAPE(c->batch, n)) : -1;
    build_outputs(&b, (int32_t[]){y, kept}, 1 + (uint32_t)c->kept);
    return load(&b);
}

/* The weights are in the order of the image's memory, of a chain of layers those of the first. Others would read that, too; and
 * five channels have room left over. */
static void what_is_flattened_is_read_in_place(void **state)
{
    static const struct flat_case cases[] = {
        {1, 3, 5, 8, 1, false, 0}, {2, 6, 5, 12, 1, false, 1}, {1, 4, 3, 8, 3, false, 0},
        {1, 3, 5, 8, 1, true, 1},  {1, 3, 5, 5, 1, false, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(flattened(&cases[i]), "reshape", cases[i].left, 1);
}

/* ---- a channel of several as a row ---- */

static struct loaded channels_apart(void)
{
    const int32_t x_dim[] = {1, 3, 10, 6};
    int32_t x, part[3], y[2];
    struct builder b;

    builder_init(&b, "apart");
    x = tensor(&b, x_dim, 4);
    build_inputs(&b, INDICES(x));
    for (int i = 0; i < 3; i++)
        part[i] = tensor(&b, SHAPE(1, 3, 10, i ? 1 : 4));
    build_op(&b, BUILTIN_SPLIT_V, 1, &(struct opt_split_v){3},
             INDICES(x, numbers(&b, (int32_t[]){4, 1, 1}, 3), build_const(&b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){3})), part,
             3);
    for (int i = 0; i < 2; i++)
        y[i] = layer(&b, reshaped(&b, part[1 + i], SHAPE(1, 30)), 1, 30, 8);
    build_outputs(&b, y, 2);
    return load(&b);
}

static void single_channels_are_reshaped_where_they_lie(void **state)
{
    (void)state;
    expect(channels_apart(), "axis gather", 0, 2);
    expect(channels_apart(), "reshape", 2, 2);
}

/* ---- parts side by side ---- */

static struct loaded side_by_side(int32_t rows, int32_t parts)
{
    int32_t x[5], t[5], y;
    struct builder b;

    builder_init(&b, "sides");
    for (int32_t i = 0; i < parts; i++) {
        x[i] = tensor(&b, SHAPE(rows, 3, 7));
        t[i] = unary(&b, i % 2 ? BUILTIN_ABS : BUILTIN_NEG, x[i], SHAPE(rows, 3, 7));
    }
    build_inputs(&b, x, (uint32_t)parts);
    y = tensor(&b, SHAPE(rows, 3, 7, parts));
    build_op(&b, BUILTIN_PACK, 1, &(struct opt_pack){parts, 3}, t, (uint32_t)parts, INDICES(y));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* Five are two slices, of which the batch must be one. */
static void parts_put_side_by_side_move_once(void **state)
{
    (void)state;
    expect(side_by_side(2, 2), "axis gather", 1, 0);
    expect(side_by_side(2, 2), "reshape", 0, 2);
    expect(side_by_side(2, 2), "concat", 0, 1);
    expect(side_by_side(1, 5), "axis gather", 1, 0);
    expect(side_by_side(2, 5), "axis gather", 0, 0);
}

/* ---- planes ---- */

/* Heads of 4, 1 and 8 channels of two images as planes, joined, and all joined as rows of planes. */
static struct loaded planes(bool back)
{
    const int32_t channels[] = {4, 1, 8}, order[] = {0, 3, 1, 2}, last[] = {0, 2, 1};
    int32_t x[2], rows[2], y, z;
    struct builder b;

    builder_init(&b, "planes");
    for (int32_t k = 0; k < 2; k++) {
        const int32_t h = 3 + k, image[] = {1, h, 5, 8}, all = tensor(&b, SHAPE(1, 13, h, 5));
        int32_t part[3];

        x[k] = tensor(&b, image, 4);
        for (int i = 0; i < 3; i++) {
            const int32_t head = convolved(&b, x[k], image, channels[i]), plane[] = {1, channels[i], h, 5};

            part[i] = channels[i] == 1 ? reshaped(&b, head, plane, 4) : tensor(&b, plane, 4);
            if (channels[i] > 1)
                build_op(&b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(head, numbers(&b, order, 4)), INDICES(part[i]));
        }
        build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 1}, part, 3, INDICES(all));
        rows[k] = reshaped(&b, unary(&b, BUILTIN_ABS, all, SHAPE(1, 13, h, 5)), SHAPE(1, 13, h * 5));
    }
    y = tensor(&b, SHAPE(1, 13, 35));
    build_inputs(&b, x, 2);
    build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 2}, rows, 2, INDICES(y));
    if (back) {
        z = tensor(&b, SHAPE(1, 35, 13));
        build_op(&b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(y, numbers(&b, last, 3)), INDICES(z));
        y = z;
    }
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static void planes_stay_pixels(void **state)
{
    (void)state;
    expect(planes(true), "axis gather", 0, 6);
    expect(planes(true), "reshape", 0, 4);
    expect(planes(false), "axis gather", 1, 4);
}

/* ---- zeros behind ---- */

struct zeros_case {
    int32_t dim[4]; /* of the sum */
    int axis, of;   /* the value has so many there */
    bool first, ones;
    uint32_t pads, joins;
};

static struct loaded zeros(const struct zeros_case *c)
{
    static const float nothing[256], ones[256] = {[3] = 1};
    int32_t less[4], rest[4], parts[2], x, z, t, whole, y;
    struct builder b;

    memcpy(less, c->dim, sizeof less);
    memcpy(rest, c->dim, sizeof rest);
    less[c->axis] = c->of;
    rest[c->axis] -= c->of;
    builder_init(&b, "zeros");
    x = tensor(&b, c->dim, 4);
    z = tensor(&b, less, 4);
    build_inputs(&b, INDICES(x, z));
    t = unary(&b, BUILTIN_ABS, x, c->dim, 4);
    parts[c->first] = z;
    parts[!c->first] = build_const(&b, "zeros", TYPE_FLOAT32, rest, 4, c->ones ? ones : nothing);
    whole = tensor(&b, c->dim, 4);
    y = tensor(&b, c->dim, 4);
    build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = c->axis}, parts, 2, INDICES(whole));
    build_op(&b, BUILTIN_SUB, 1, NULL, INDICES(t, whole), INDICES(y));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* A single row would be read by all, and those before it have no place. */
static void zeros_behind_are_not_stored(void **state)
{
    static const struct zeros_case cases[] = {
        {{1, 5, 3, 6}, 1, 2, false, false, 0, 0}, {{1, 2, 6, 1}, 2, 4, false, false, 0, 0},
        {{2, 3, 6, 9}, 2, 2, false, false, 0, 0}, {{1, 3, 2, 9}, 3, 6, false, false, 0, 0},
        {{1, 3, 2, 9}, 1, 1, false, false, 1, 0}, {{1, 3, 2, 9}, 1, 2, true, false, 1, 0},
        {{1, 3, 2, 9}, 1, 2, false, true, 0, 1},  {{3, 1, 2, 9}, 0, 2, false, false, 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(zeros(&cases[i]), "pad", cases[i].pads, !cases[i].ones);
        expect(zeros(&cases[i]), "concat", cases[i].joins, cases[i].ones);
    }
}

/* ---- pixels out of channels ---- */

struct block_case {
    int32_t batch, block, channels;
    bool kept, joined;
    uint32_t left;
};

static struct loaded blocks(const struct block_case *c)
{
    const int32_t n = c->block, image[] = {c->batch, 3, 5, 8}, large[] = {c->batch, 3 * n, 5 * n, c->channels};
    const int32_t twice[] = {c->batch, 3 * n, 5 * n, 2 * c->channels}, deep[] = {c->batch, 3, 5, n * n * c->channels};
    int32_t x, t, y, kept;
    struct builder b;

    builder_init(&b, "blocks");
    x = tensor(&b, image, 4);
    build_inputs(&b, INDICES(x));
    t = convolved(&b, x, image, deep[3]);
    y = tensor(&b, large, 4);
    build_op(&b, BUILTIN_DEPTH_TO_SPACE, 1, &(struct opt_depth_to_space){n}, INDICES(t), INDICES(y));
    kept = c->kept ? unary(&b, BUILTIN_ABS, t, deep, 4) : -1;
    if (c->joined) {
        const int32_t both = tensor(&b, twice, 4), other = convolved(&b, y, large, c->channels);

        build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 3}, INDICES(other, y), INDICES(both));
        y = both;
    }
    y = convolved(&b, y, c->joined ? twice : large, 4);
    build_outputs(&b, (int32_t[]){y, kept}, 1 + (uint32_t)c->kept);
    return load(&b);
}

static void pixels_are_stored_where_they_go(void **state)
{
    static const struct block_case cases[] = {
        {1, 2, 8, false, false, 0}, {2, 3, 4, false, false, 0}, {1, 2, 8, false, true, 0},
        {1, 2, 8, true, false, 1},  {1, 2, 6, false, false, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(blocks(&cases[i]), "depth_to_space", cases[i].left, cases[i].left);
}

/* ---- points ---- */

/* Points out of a dense layer, in pairs, brought through a matrix. */
static struct loaded points(int32_t n, bool of_a_row)
{
    struct builder b;
    int32_t x, m, t, y;

    builder_init(&b, "points");
    x = tensor(&b, SHAPE(1, 8));
    m = tensor(&b, SHAPE(1, 4, 4));
    build_inputs(&b, INDICES(x, m));
    t = layer(&b, x, 1, 8, 2 * n);
    if (!of_a_row)
        t = reshaped(&b, t, SHAPE(1, 1, 2, n));
    t = reshaped(&b, t, SHAPE(1, n, 2));
    y = tensor(&b, SHAPE(1, n, 2));
    build_custom_op(&b, "TransformLandmarks", NULL, 0, INDICES(t, m), INDICES(y));
    b.model.opcodes[b.model.n_opcodes - 1].version = 2;
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static void points_are_read_in_pairs(void **state)
{
    (void)state;
    expect(points(7, true), "reshape", 0, 1);
    expect(points(5, false), "reshape", 1, 2);
}

/* ---- blocks of pixels as channels ---- */

struct focus_case {
    bool planes;
    int32_t end[2];  /* where slices end: 10 is the image's */
    int32_t last[2]; /* where the fourth slice begins */
    int32_t stride;
    uint32_t gathers, joins;
};

/* Every second row and column of [1,10,10,3], or of planes, as 12 channels, and a convolution of these. */
static struct loaded focus(const struct focus_case *c)
{
    const int32_t begins[4][2] = {{0, 0}, {1, 0}, {0, 1}, {c->last[0], c->last[1]}}, order[] = {0, 2, 3, 1};
    const int32_t h = c->end[0] / 2, w = c->end[1] / 2, high = (h + c->stride - 1) / c->stride,
                  wide = (w + c->stride - 1) / c->stride;
    const int32_t rows = 1 + c->planes, steps[2][4] = {{1, 2, 2, 1}, {1, 1, 2, 2}};
    const int32_t images[2][4] = {{1, 10, 10, 3}, {1, 3, 10, 10}}, parts[2][4] = {{1, h, w, 3}, {1, 3, h, w}};
    const int32_t whole[2][4] = {{1, h, w, 12}, {1, 12, h, w}};
    struct opt_conv_2d conv = test_conv_same;
    int32_t x, part[4], all, y;
    struct builder b;

    builder_init(&b, "focus");
    x = tensor(&b, images[c->planes], 4);
    build_inputs(&b, INDICES(x));
    for (int i = 0; i < 4; i++) {
        int32_t begin[4] = {0}, end[4];

        memcpy(end, images[c->planes], sizeof end);
        for (int k = 0; k < 2; k++) {
            begin[rows + k] = begins[i][k];
            end[rows + k] = c->end[k];
        }
        part[i] = tensor(&b, parts[c->planes], 4);
        build_op(&b, BUILTIN_STRIDED_SLICE, 1, &(struct opt_strided_slice){0},
                 INDICES(x, numbers(&b, begin, 4), numbers(&b, end, 4), numbers(&b, steps[c->planes], 4)), INDICES(part[i]));
    }
    all = tensor(&b, whole[c->planes], 4);
    build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = c->planes ? 1 : 3}, part, 4, INDICES(all));
    if (c->planes) {
        y = tensor(&b, whole[0], 4);
        build_op(&b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(all, numbers(&b, order, 4)), INDICES(y));
        all = y;
    }
    conv.stride_width = conv.stride_height = c->stride;
    y = tensor(&b, SHAPE(1, high, wide, 7));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(all, test_weights(&b, SHAPE(7, 3, 3, 12), 1), test_weights(&b, SHAPE(7), 2)),
             INDICES(y));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* Not where rows are left out, or some are read twice. */
static void blocks_are_read_as_an_image(void **state)
{
    static const struct focus_case cases[] = {
        {false, {10, 10}, {1, 1}, 1, 0, 0}, {true, {10, 10}, {1, 1}, 1, 1, 0}, {true, {10, 10}, {1, 1}, 2, 1, 0},
        {false, {8, 10}, {1, 1}, 1, 4, 1},  {false, {10, 8}, {1, 1}, 1, 4, 1}, {false, {10, 10}, {0, 0}, 1, 4, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t apart = 4 + (uint32_t)cases[i].planes;

        expect(focus(&cases[i]), "axis gather", cases[i].gathers, apart);
        expect(focus(&cases[i]), "concat", cases[i].joins, !cases[i].planes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_flattened_is_read_in_place), cmocka_unit_test(single_channels_are_reshaped_where_they_lie),
        cmocka_unit_test(parts_put_side_by_side_move_once),   cmocka_unit_test(planes_stay_pixels),
        cmocka_unit_test(zeros_behind_are_not_stored),        cmocka_unit_test(pixels_are_stored_where_they_go),
        cmocka_unit_test(points_are_read_in_pairs),           cmocka_unit_test(blocks_are_read_as_an_image),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
