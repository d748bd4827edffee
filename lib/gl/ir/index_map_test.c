/* SPDX-License-Identifier: Apache-2.0 */
/* index_map_test.c - convolutions that read mirrored borders and repeated pixels where these come from, against the CPU. */
#include <string.h>

#include "lib/gl/testing/test_session.h"

/* x [batch][high][wide][6], then a resize to `times` of it, if not 0, a mirrored pad, if there is one, and a convolution of 3x3. */
struct map_case {
    int32_t batch, high, wide, times_h, times_w;
    enum mirror_mode mode;
    int32_t pad[8];
    bool depthwise, half_pixel;
    enum padding padding;
    int32_t stride, dilation;
    enum { ALONE, ADDED, OUTPUT } readers; /* of what the convolution reads, beside it */
    uint32_t gathers;                      /* dispatches that are left of the resize and the pad */
};

#define IN  6
#define OUT 9

static int32_t resized(struct builder *b, const struct map_case *c, int32_t x)
{
    const struct opt_resize_nearest_neighbor o = {.half_pixel_centers = c->half_pixel};
    const int32_t size[] = {c->high * c->times_h, c->wide * c->times_w};
    const int32_t t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(c->batch, size[0], size[1], IN));

    build_op(b, BUILTIN_RESIZE_NEAREST_NEIGHBOR, 1, &o, INDICES(x, build_const(b, "size", TYPE_INT32, SHAPE(2), size)), INDICES(t));
    return t;
}

static int32_t padded(struct builder *b, const struct map_case *c, int32_t x, int32_t *h, int32_t *w, int32_t *channels)
{
    const struct opt_mirror_pad o = {c->mode};
    int32_t y;

    *h += c->pad[2] + c->pad[3];
    *w += c->pad[4] + c->pad[5];
    *channels += c->pad[6] + c->pad[7];
    y = build_tensor(b, "u", TYPE_FLOAT32, SHAPE(c->batch + c->pad[0] + c->pad[1], *h, *w, *channels));
    build_op(b, BUILTIN_MIRROR_PAD, 1, &o, INDICES(x, build_const(b, "pads", TYPE_INT32, SHAPE(4, 2), c->pad)), INDICES(y));
    return y;
}

static int32_t convolved(struct builder *b, const struct map_case *c, int32_t x, int32_t h, int32_t w, int32_t channels)
{
    const int32_t batch = c->batch + c->pad[0] + c->pad[1], covers = c->padding == PAD_SAME ? 0 : 2 * c->dilation;
    struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    struct opt_depthwise_conv_2d depthwise = test_depthwise_same;
    const int32_t end_h = (h - covers + c->stride - 1) / c->stride, end_w = (w - covers + c->stride - 1) / c->stride;
    const int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(batch, end_h, end_w, c->depthwise ? channels : OUT));

    conv.padding = depthwise.padding = c->padding;
    conv.stride_width = conv.stride_height = depthwise.stride_width = depthwise.stride_height = c->stride;
    conv.dilation_width_factor = conv.dilation_height_factor = c->dilation;
    depthwise.dilation_width_factor = depthwise.dilation_height_factor = c->dilation;
    if (c->depthwise)
        build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 1, &depthwise,
                 INDICES(x, test_weights(b, SHAPE(1, 3, 3, channels), 1), test_weights(b, SHAPE(channels), 2)), INDICES(y));
    else
        build_op(b, BUILTIN_CONV_2D, 1, &conv,
                 INDICES(x, test_weights(b, SHAPE(OUT, 3, 3, channels), 1), test_weights(b, SHAPE(OUT), 2)), INDICES(y));
    return y;
}

static struct loaded network(const struct map_case *c)
{
    struct builder b;
    int32_t h = c->high, w = c->wide, channels = IN, x, y, z = -1;

    builder_init(&b, "maps");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(c->batch, h, w, IN));
    build_inputs(&b, INDICES(x));
    if (c->times_h) {
        x = resized(&b, c, x);
        h *= c->times_h;
        w *= c->times_w;
    }
    if ((int)c->mode >= 0)
        x = padded(&b, c, x, &h, &w, &channels);
    y = convolved(&b, c, x, h, w, channels);
    if (c->readers == ADDED) {
        z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(c->batch, h, w, channels));
        build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(x, x), INDICES(z));
    }
    if (c->readers == ALONE)
        build_outputs(&b, INDICES(y));
    else
        build_outputs(&b, INDICES(y, c->readers == ADDED ? z : x));
    return load(&b);
}

static void check(const struct map_case *c, const struct gl_policy *policy, bool dynamic_batch)
{
    const struct gpu_options o = {.device = -1, .policy = policy, .dynamic_batch = dynamic_batch};
    struct loaded l = network(c);
    struct delegate *d = test_open_gpu(o);
    struct session *cpu = test_start(&l, NULL), *s = test_start(&l, d);
    const struct profile_row *rows;
    uint32_t gathers = 0;
    struct err err;
    size_t n;

    test_compare(s, cpu, 1);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        gathers += rows[i].detail && !strncmp(rows[i].detail, "axis gather", 11);
    if (gathers != c->gathers)
        fail_msg("%u dispatches only repeat, %u expected, for %d x %d", gathers, c->gathers, c->high, c->wide);
    session_free(s);
    delegate_close(d);
    session_free(cpu);
    unload(&l);
}

#define PADS(...)                                                                                                                  \
    {                                                                                                                              \
        __VA_ARGS__                                                                                                                \
    }
#define NO_PAD                                                                                                                     \
    ((enum mirror_mode) - 1),                                                                                                      \
    {                                                                                                                              \
        0                                                                                                                          \
    }

static void maps_are_read(void **state)
{
    static const struct map_case cases[] = {
        /* borders: of equal and unequal width, as wide as they may be, with and without the edge */
        {1, 9, 7, 0, 0, MIRROR_REFLECT, PADS(0, 0, 1, 1, 1, 1), false, false, PAD_VALID, 1, 1, ALONE, 0},
        {2, 6, 5, 0, 0, MIRROR_REFLECT, PADS(0, 0, 5, 0, 2, 4), false, false, PAD_VALID, 1, 1, ALONE, 0},
        {2, 6, 5, 0, 0, MIRROR_SYMMETRIC, PADS(0, 0, 6, 6, 0, 5), false, false, PAD_SAME, 2, 1, ALONE, 0},
        {1, 20, 33, 0, 0, MIRROR_SYMMETRIC, PADS(0, 0, 2, 2, 2, 2), true, false, PAD_VALID, 1, 2, ALONE, 0},
        /* along one axis alone */
        {1, 6, 40, 0, 0, MIRROR_REFLECT, PADS(0, 0, 0, 0, 3, 1), true, false, PAD_SAME, 1, 1, ALONE, 0},
        /* pixels repeated 2, 4 and 8 times, once by the centers of pixels, and 3 times, which no shift does */
        {1, 8, 5, 2, 2, NO_PAD, false, false, PAD_SAME, 1, 1, ALONE, 0},
        {2, 3, 5, 4, 8, NO_PAD, false, true, PAD_SAME, 1, 1, ALONE, 0},
        {1, 8, 5, 1, 2, NO_PAD, true, false, PAD_SAME, 2, 1, ALONE, 0},
        {1, 8, 5, 3, 2, NO_PAD, false, false, PAD_SAME, 1, 1, ALONE, 1},
        /* one after the other */
        {1, 6, 9, 2, 2, MIRROR_REFLECT, PADS(0, 0, 1, 1, 1, 1), false, false, PAD_VALID, 1, 1, ALONE, 0},
        {2, 6, 9, 2, 4, MIRROR_SYMMETRIC, PADS(0, 0, 3, 0, 1, 2), true, false, PAD_VALID, 2, 1, ALONE, 0},
        {1, 6, 9, 3, 3, MIRROR_REFLECT, PADS(0, 0, 1, 1, 1, 1), false, false, PAD_VALID, 1, 1, ALONE, 1},
        /* what the map does not say, and what others read */
        {1, 6, 9, 0, 0, MIRROR_REFLECT, PADS(0, 0, 1, 1, 0, 0, 1, 0), false, false, PAD_VALID, 1, 1, ALONE, 1},
        {2, 6, 9, 0, 0, MIRROR_SYMMETRIC, PADS(1, 0, 1, 1, 0, 0), false, false, PAD_VALID, 1, 1, ALONE, 1},
        {1, 9, 7, 0, 0, MIRROR_REFLECT, PADS(0, 0, 1, 1, 1, 1), false, false, PAD_VALID, 1, 1, ADDED, 1},
        {1, 9, 7, 0, 0, MIRROR_REFLECT, PADS(0, 0, 1, 1, 1, 1), false, false, PAD_VALID, 1, 1, OUTPUT, 1},
        {1, 6, 9, 2, 2, MIRROR_REFLECT, PADS(0, 0, 1, 1, 1, 1), false, false, PAD_VALID, 1, 1, OUTPUT, 2},
    };
    static const struct gl_policy policies[] = {
        {.iterations = GL_FEW_ITERATIONS},
        {.iterations = GL_FEW_ITERATIONS, .check_reads = true},
        {.iterations = GL_FEW_ITERATIONS, .software = true, .straight_code = true, .row_groups = true, .image_reads = true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            check(&cases[k], &policies[i], false);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check(&cases[k], &policies[0], true);
}

/* a [1][2][40][4] and c [1][3][40][4] are joined, and of the rows those of c are read through a map, backwards. */
static void backwards(struct builder *b)
{
    static const int32_t rows[] = {4, 3};
    const struct opt_gather gather = {.axis = 1};
    const struct opt_concatenation join = {.axis = 1};
    int32_t x, z, a, c, t, joined, picked, y, sign;

    builder_init(b, "backwards");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 2, 40, 4));
    z = build_tensor(b, "z", TYPE_FLOAT32, SHAPE(1, 3, 40, 4));
    build_inputs(b, INDICES(x, z));
    a = build_tensor(b, "a", TYPE_FLOAT32, SHAPE(1, 2, 40, 4));
    t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(1, 3, 40, 4));
    c = build_tensor(b, "c", TYPE_FLOAT32, SHAPE(1, 3, 40, 4));
    joined = build_tensor(b, "joined", TYPE_FLOAT32, SHAPE(1, 5, 40, 4));
    picked = build_tensor(b, "picked", TYPE_FLOAT32, SHAPE(1, 2, 40, 4));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 2, 40, OUT));
    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(x, test_weights(b, SHAPE(4, 3, 3, 4), 1), -1), INDICES(a));
    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(z, test_weights(b, SHAPE(4, 3, 3, 4), 2), -1), INDICES(t));
    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(t, test_weights(b, SHAPE(4, 3, 3, 4), 3), -1), INDICES(c));
    build_op(b, BUILTIN_CONCATENATION, 1, &join, INDICES(a, c), INDICES(joined));
    build_op(b, BUILTIN_GATHER, 1, &gather, INDICES(joined, build_const(b, "rows", TYPE_INT32, SHAPE(2), rows)), INDICES(picked));
    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(picked, test_weights(b, SHAPE(OUT, 3, 3, 4), 4), -1), INDICES(y));
    sign = build_tensor(b, "sign", TYPE_FLOAT32, SHAPE(1, 3, 40, 4)); /* keeps z where it is */
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(z), INDICES(sign));
    build_outputs(b, INDICES(y, sign, t));
}

/* A read through a map waits for who wrote the rows that it reaches, not those whose numbers it begins with. */
static void what_is_read_through_a_map_is_waited_for(void **state)
{
    const struct gl_policy policy = {.iterations = GL_FEW_ITERATIONS};
    const struct gpu_options o = {.device = -1, .policy = &policy};
    struct delegate_facts m;
    struct test_pair p;
    struct builder b;

    (void)state;
    backwards(&b);
    p = test_pair_start(&b, o, 7);
    test_compare(p.gpu, p.cpu, 1);
    session_facts(p.gpu, NULL, &m);
    assert_int_equal(fact_value(&m, "work.dispatches"), 10);
    assert_int_equal(fact_value(&m, "work.barriers"), 6);
    test_pair_stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_read),
        cmocka_unit_test(what_is_read_through_a_map_is_waited_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
