/* SPDX-License-Identifier: Apache-2.0 */
/* fix_test.c - rewrites that see more than one node, and what they do to the whole model. */
#include "lib/testing/test_fix.h"

/* ---- several ---- */

/* RESHAPE to rank 5, TRANSPOSE there, RESHAPE back: pixels out of channels. */
static void rank_5_between_reshapes(void **state)
{
    static const int32_t to[5] = {1, 2, 3, 2, 4}, back[4] = {1, 4, 3, 4}, perm[5] = {0, 1, 3, 2, 4};
    const struct opt_reshape first = {{1, 2, 3, 2, 4}, 5}, last = {{1, 4, 3, 4}, 4};
    struct builder b;
    struct fix f;
    int32_t x, u, v, y;

    (void)state;
    most_rank = 4;
    builder_init(&b, "pixels");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2, 3, 8));
    u = build_tensor(&b, "u", TYPE_FLOAT32, to, 5);
    v = build_tensor(&b, "v", TYPE_FLOAT32, SHAPE(1, 2, 2, 3, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, back, 4);
    build_op(&b, BUILTIN_RESHAPE, 1, &first, INDICES(x, build_const(&b, "to", TYPE_INT32, SHAPE(5), to)), INDICES(u));
    build_op(&b, BUILTIN_TRANSPOSE, 4, NULL, INDICES(u, build_const(&b, "p", TYPE_INT32, SHAPE(5), perm)), INDICES(v));
    build_op(&b, BUILTIN_RESHAPE, 1, &last, INDICES(v, build_const(&b, "back", TYPE_INT32, SHAPE(4), back)), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " RESHAPE TRANSPOSE ", "RESHAPE TRANSPOSE RESHAPE", &f);
    assert_true(f.n_done == 1 && f.done[0].node == 1 && f.refused_before == 3 && f.nodes_after == 3);
    assert_string_equal(f.done[0].what, "TRANSPOSE of fewer dimensions between RESHAPEs");
    fix_free(&f);
}

/* SPACE_TO_BATCH_ND, CONV_2D of 3x3, BATCH_TO_SPACE_ND. pad: after the image, of which crop is cut off again. */
static void build_dilated(struct builder *b, int32_t before, int32_t after, int32_t crop)
{
    const struct opt_conv_2d conv = {.padding = PAD_VALID,
                                     .stride_width = 1,
                                     .stride_height = 1,
                                     .dilation_width_factor = 1,
                                     .dilation_height_factor = 1,
                                     .activation = ACT_RELU};
    const int32_t block[2] = {2, 2}, pads[4] = {before, after, before, after}, crops[4] = {0, crop, 0, crop};
    const int32_t whole = (6 + before + after) / 2, out = 2 * (whole - 2) - crop;
    float w[2 * 3 * 3 * 3];
    int32_t x, s, c, y, block_at, pads_at, crops_at, w_at;

    for (int i = 0; i < 54; i++)
        w[i] = (float)(i % 7) - 3;
    builder_init(b, "dilated");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6, 6, 3));
    s = build_tensor(b, "s", TYPE_FLOAT32, SHAPE(4, whole, whole, 3));
    c = build_tensor(b, "c", TYPE_FLOAT32, SHAPE(4, whole - 2, whole - 2, 2));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, out, out, 2));
    block_at = build_const(b, "block", TYPE_INT32, SHAPE(2), block);
    pads_at = build_const(b, "pads", TYPE_INT32, SHAPE(2, 2), pads);
    crops_at = build_const(b, "crops", TYPE_INT32, SHAPE(2, 2), crops);
    w_at = build_const(b, "w", TYPE_FLOAT32, SHAPE(2, 3, 3, 3), w);
    build_op(b, BUILTIN_SPACE_TO_BATCH_ND, 1, NULL, INDICES(x, block_at, pads_at), INDICES(s));
    build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(s, w_at, -1), INDICES(c));
    build_op(b, BUILTIN_BATCH_TO_SPACE_ND, 1, NULL, INDICES(c, block_at, crops_at), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

static void dilated_convolutions(void **state)
{
    struct builder b;
    struct fix f;

    (void)state;
    most_rank = 4;
    build_dilated(&b, 2, 2, 0); /* as SAME pads */
    fix_for(&b, " CONV_2D ", "CONV_2D", &f);
    fix_free(&f);
    build_dilated(&b, 2, 4, 1);
    fix_for(&b, " CONV_2D PAD ", "PAD CONV_2D", &f);
    fix_free(&f);
    build_dilated(&b, 2, 4, 1);
    fix_for(&b, " CONV_2D ", NULL, &f);
    assert_true(f.n_left == 2 && f.left[0].hint && f.left[0].node == 0);
    fix_free(&f);
    build_dilated(&b, 0, 0, 0);
    fix_for(&b, " CONV_2D ", "CONV_2D", &f);
    fix_free(&f);
}

/* REDUCE_MAX, SUB, EXP, SUM, DIV; summed over `axis`. */
static void build_softmax(struct builder *b, int32_t axis)
{
    static const struct opt_reducer keep = {.keep_dims = true};
    int32_t last[2] = {1, axis}, x, most, off, e, sum, y;

    builder_init(b, "softmax");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(3, 3));
    most = build_tensor(b, "most", TYPE_FLOAT32, SHAPE(3, 1));
    off = build_tensor(b, "off", TYPE_FLOAT32, SHAPE(3, 3));
    e = build_tensor(b, "e", TYPE_FLOAT32, SHAPE(3, 3));
    sum = build_tensor(b, "sum", TYPE_FLOAT32, (const int32_t[]){axis ? 3 : 1, axis ? 1 : 3}, 2);
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(3, 3));
    build_op(b, BUILTIN_REDUCE_MAX, 1, &keep, INDICES(x, build_const(b, "a", TYPE_INT32, SHAPE(1), last)), INDICES(most));
    build_op(b, BUILTIN_SUB, 1, NULL, INDICES(x, most), INDICES(off));
    build_op(b, BUILTIN_EXP, 1, NULL, INDICES(off), INDICES(e));
    build_op(b, BUILTIN_SUM, 1, &keep, INDICES(e, build_const(b, "s", TYPE_INT32, SHAPE(1), last + 1)), INDICES(sum));
    build_op(b, BUILTIN_DIV, 1, NULL, INDICES(e, sum), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

static void softmax_in_pieces(void **state)
{
    struct builder b;
    struct fix f;

    (void)state;
    build_softmax(&b, -1);
    fix_for(&b, " SOFTMAX SUB ", "SOFTMAX", &f);
    assert_true(f.n_done == 1 && f.done[0].node == 4 && f.refused_before == 4);
    fix_free(&f);
    build_softmax(&b, 0); /* the sum of something else */
    fix_for(&b, " SOFTMAX SUB ", NULL, &f);
    fix_free(&f);
}

/* 2x2, stride 2, of three channels to two. */
static void transposed_convolutions_with_bias(void **state)
{
    static const int32_t options[3] = {PAD_SAME, 2, 2};
    struct builder b;
    struct fix f;
    float w[2 * 2 * 2 * 3];
    int32_t x, y;

    (void)state;
    most_rank = 4;
    for (int i = 0; i < 24; i++)
        w[i] = (float)(i % 5) - 2;
    builder_init(&b, "upsampling");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 3, 4, 3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 6, 8, 2));
    build_custom_op(&b, "Convolution2DTransposeBias", options, sizeof options,
                    INDICES(x, build_const(&b, "w", TYPE_FLOAT32, SHAPE(2, 2, 2, 3), w),
                            build_const(&b, "bias", TYPE_FLOAT32, SHAPE(2), (const float[]){0.5f, -3})),
                    INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " TRANSPOSE_CONV ADD ", "TRANSPOSE_CONV ADD", &f);
    fix_free(&f);
}

/* The shape of an input with an open batch goes into a RESHAPE. */
static void open_batches_are_fixed(void **state)
{
    static const int32_t open[2] = {-1, 6};
    struct builder b;
    struct fix f;
    struct tensor *t;
    int32_t x, shape, y;

    (void)state;
    most_rank = 4;
    builder_init(&b, "open");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2, 6));
    t = build_at(&b, x);
    t->signature = open;
    t->n_signature = 2;
    shape = build_tensor(&b, "shape", TYPE_INT32, SHAPE(2));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2, 6));
    build_op(&b, BUILTIN_SHAPE, 1, NULL, INDICES(x), INDICES(shape));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " RESHAPE ", "RESHAPE", &f);
    assert_true(f.n_pinned == 1 && f.n_done == 1);
    assert_string_equal(f.pinned[0], "x [2,6]");
    fix_free(&f);
}

static void versions_are_lowered(void **state)
{
    struct builder b;
    struct fix f;
    int32_t x, y;

    (void)state;
    most_rank = 4;
    most_version = 1;
    builder_init(&b, "version");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2, 6));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2, 6));
    build_op(&b, BUILTIN_RELU, 2, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " RELU ", "RELU", &f);
    assert_string_equal(f.done[0].what, "an older version of itself");
    fix_free(&f);
}

/* ADD of [3,4] and [1,2,3,4], for a set that wants one rank. */
static void ranks_are_aligned(void **state)
{
    struct builder b;
    struct fix f;
    int32_t x, u, y;

    (void)state;
    most_rank = 4;
    builder_init(&b, "ranks");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(3, 4));
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, u), INDICES(y));
    build_inputs(&b, INDICES(x, u));
    build_outputs(&b, INDICES(y));
    same_ranks = true;
    fix_for(&b, " RESHAPE ADD ", "RESHAPE ADD", &f);
    same_ranks = false;
    fix_free(&f);
}

/* h <- VAR_HANDLE; READ_VARIABLE(h) + x -> ASSIGN_VARIABLE(h), y. The handle is known before the run, and still no constant. */
static void handles_are_no_constants(void **state)
{
    struct builder b;
    struct fix f;
    int32_t x, h, v, y, z;

    (void)state;
    builder_init(&b, "state");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2, 3));
    h = build_tensor(&b, "h", TYPE_RESOURCE, SCALAR);
    v = build_tensor(&b, "v", TYPE_FLOAT32, SHAPE(2, 3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2, 3));
    z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(2, 3));
    build_op(&b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "state"}, NULL, 0, INDICES(h));
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(v));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(v, x), INDICES(y));
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, y), NULL, 0);
    build_op(&b, BUILTIN_RELU, 1, NULL, INDICES(y), INDICES(z));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(z));
    fix_for(&b, " READ_VARIABLE ASSIGN_VARIABLE ADD RELU ", NULL, &f);
    assert_true(f.n_left == 1 && f.left[0].node == 0);
    fix_free(&f);
}

/* [2,3] and [2,5] of UINT8, of other scales than what they become: CONCATENATION converts. */
static void scales_stay_where_parts_are_put_together(void **state)
{
    static const struct opt_concatenation along = {.axis = 1};
    struct builder b;
    struct fix f;
    int32_t x, u, y;

    (void)state;
    builder_init(&b, "scales");
    x = build_tensor(&b, "x", TYPE_UINT8, SHAPE(2, 3));
    u = build_tensor(&b, "u", TYPE_UINT8, SHAPE(2, 5));
    y = build_tensor(&b, "y", TYPE_UINT8, SHAPE(2, 8));
    build_quant(&b, x, 0.25f, 10);
    build_quant(&b, u, 0.5f, 3);
    build_quant(&b, y, 1, 0);
    build_op(&b, BUILTIN_CONCATENATION, 1, &along, INDICES(x, u), INDICES(y));
    build_inputs(&b, INDICES(x, u));
    build_outputs(&b, INDICES(y));
    just_four = true;
    fix_for(&b, " CONCATENATION RESHAPE ", "RESHAPE RESHAPE CONCATENATION RESHAPE", &f);
    just_four = false;
    fix_free(&f);
}

/* x -> y by `op`, with constant integers of [2,2], for a set that takes what has four dimensions, and one row of indices. */
static void fix_of_two(enum builtin op, const void *opt, const int32_t ints[4], const int32_t *dim, int32_t rank, const char *takes,
                       const char *after)
{
    struct builder b;
    struct fix f;
    int32_t x, y;

    builder_init(&b, "two");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2, 3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, dim, rank);
    build_op(&b, op, 1, opt, INDICES(x, build_const(&b, "ints", TYPE_INT32, SHAPE(2, 2), ints)), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    just_four = true;
    fix_for(&b, takes, after, &f);
    just_four = false;
    fix_free(&f);
}

static void padding_in_four_dimensions(void **state)
{
    (void)state;
    fix_of_two(BUILTIN_PAD, NULL, (const int32_t[4]){1, 0, 0, 2}, SHAPE(3, 5), " PAD RESHAPE ", "RESHAPE PAD RESHAPE");
}

static void gathering_by_one_row(void **state)
{
    static const struct opt_gather columns = {.axis = 1};

    (void)state;
    fix_of_two(BUILTIN_GATHER, &columns, (const int32_t[4]){2, 0, 1, 2}, SHAPE(2, 2, 2), " GATHER RESHAPE ",
               "RESHAPE GATHER RESHAPE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_5_between_reshapes),
        cmocka_unit_test(dilated_convolutions),
        cmocka_unit_test(transposed_convolutions_with_bias),
        cmocka_unit_test(softmax_in_pieces),
        cmocka_unit_test(open_batches_are_fixed),
        cmocka_unit_test(versions_are_lowered),
        cmocka_unit_test(ranks_are_aligned),
        cmocka_unit_test(handles_are_no_constants),
        cmocka_unit_test(scales_stay_where_parts_are_put_together),
        cmocka_unit_test(padding_in_four_dimensions),
        cmocka_unit_test(gathering_by_one_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
