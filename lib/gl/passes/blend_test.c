/* SPDX-License-Identifier: Apache-2.0 */
/* blend_test.c - bilinear resizes that whoever reads them computes: against the CPU, and to the bit against the resize by itself.
 */
#include <math.h>
#include <string.h>

#include "lib/gl/testing/test_session.h"

/* z [batch][to_h][to_w][6] and x [batch][high][wide][6], resized to the same, r; and who reads that. */
struct blend_case {
    int32_t batch, high, wide, to_h, to_w;
    bool align_corners, half_pixel;
    enum {
        SUM,       /* conv(z) + r */
        FUNCTIONS, /* |r| and -r */
        SUMS,      /* |z| + r and conv(z) * r */
        LANE,      /* conv(z) * the only channel of r, which x has, too */
        FEW,       /* convolutions of r: of single pixels to 8 and 19 channels, and windows */
        MANY,
        WINDOW,
        DEPTHWISE,
        POOL, /* what reads r in another way */
        JOIN,
        OUTPUT
    } reader;
    enum padding padding;
    int32_t stride, dilation;
    uint32_t resizes[2]; /* dispatches that are left of the resize: as rules have it, and the other way round */
};

#define IN  6
#define OUT 5

static int32_t like(struct builder *b, const struct blend_case *c, const char *name, int32_t channels)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(c->batch, c->to_h, c->to_w, channels));
}

static int32_t resized(struct builder *b, const struct blend_case *c, int32_t x, int32_t channels)
{
    const struct opt_resize_bilinear o = {c->align_corners, c->half_pixel};
    const int32_t size[] = {c->to_h, c->to_w}, r = like(b, c, "r", channels);

    build_op(b, BUILTIN_RESIZE_BILINEAR, 1, &o, INDICES(x, build_const(b, "size", TYPE_INT32, SHAPE(2), size)), INDICES(r));
    return r;
}

static int32_t both(struct builder *b, const struct blend_case *c, enum builtin op, int32_t x, int32_t r)
{
    const int32_t y = like(b, c, "y", IN);

    build_op(b, op, 1, NULL, INDICES(x, r), INDICES(y));
    return y;
}

static int32_t one(struct builder *b, const struct blend_case *c, enum builtin op, int32_t x)
{
    const int32_t y = like(b, c, "one", IN);

    build_op(b, op, 1, NULL, INDICES(x), INDICES(y));
    return y;
}

static int32_t product(struct builder *b, const struct blend_case *c, int32_t x, int32_t in, int32_t channels)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    const int32_t y = like(b, c, "p", channels);

    build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, test_weights(b, SHAPE(channels, 1, 1, in), 1), -1), INDICES(y));
    return y;
}

static int32_t windows(struct builder *b, const struct blend_case *c, int32_t r)
{
    const int32_t covers = c->padding == PAD_SAME ? 0 : 2 * c->dilation, channels = c->reader == WINDOW ? OUT : IN;
    struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    struct opt_depthwise_conv_2d depthwise = test_depthwise_same;
    const int32_t y = build_tensor(
        b, "y", TYPE_FLOAT32,
        SHAPE(c->batch, (c->to_h - covers + c->stride - 1) / c->stride, (c->to_w - covers + c->stride - 1) / c->stride, channels));

    conv.padding = depthwise.padding = c->padding;
    conv.stride_width = conv.stride_height = depthwise.stride_width = depthwise.stride_height = c->stride;
    conv.dilation_width_factor = conv.dilation_height_factor = c->dilation;
    depthwise.dilation_width_factor = depthwise.dilation_height_factor = c->dilation;
    if (c->reader == DEPTHWISE)
        build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 1, &depthwise,
                 INDICES(r, test_weights(b, SHAPE(1, 3, 3, IN), 1), test_weights(b, SHAPE(IN), 2)), INDICES(y));
    else
        build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(r, test_weights(b, SHAPE(OUT, 3, 3, IN), 1), test_weights(b, SHAPE(OUT), 2)),
                 INDICES(y));
    return y;
}

static int32_t otherwise(struct builder *b, const struct blend_case *c, int32_t r)
{
    const struct opt_pool_2d pool = {PAD_SAME, 1, 1, 2, 2, ACT_NONE};
    const struct opt_concatenation join = {.axis = 1};
    const int32_t twice = build_tensor(b, "twice", TYPE_FLOAT32, SHAPE(c->batch, 2 * c->to_h, c->to_w, IN));
    const int32_t y = like(b, c, "pooled", IN);

    build_op(b, BUILTIN_MAX_POOL_2D, 1, &pool, INDICES(r), INDICES(y));
    if (c->reader == POOL)
        return y;
    build_op(b, BUILTIN_CONCATENATION, 1, &join, INDICES(r, y), INDICES(twice));
    return twice;
}

static struct loaded network(const struct blend_case *c)
{
    const int32_t channels = c->reader == LANE ? 1 : c->reader == FEW ? 3 : IN;
    struct builder b;
    int32_t x, z, r, y, other = -1;

    builder_init(&b, "blends");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(c->batch, c->high, c->wide, channels));
    z = like(&b, c, "z", IN);
    build_inputs(&b, INDICES(x, z));
    r = resized(&b, c, x, channels);
    switch (c->reader) {
    case SUM: y = both(&b, c, BUILTIN_ADD, product(&b, c, z, IN, IN), r); break;
    case FUNCTIONS: y = one(&b, c, BUILTIN_ABS, r), other = one(&b, c, BUILTIN_NEG, r); break;
    case SUMS:
        y = both(&b, c, BUILTIN_ADD, one(&b, c, BUILTIN_ABS, z), r);
        other = both(&b, c, BUILTIN_MUL, product(&b, c, z, IN, IN), r);
        break;
    case LANE: y = both(&b, c, BUILTIN_MUL, product(&b, c, z, IN, IN), r); break;
    case FEW: y = product(&b, c, r, channels, 8); break;
    case MANY: y = product(&b, c, r, IN, 19); break;
    case OUTPUT: y = both(&b, c, BUILTIN_ADD, product(&b, c, z, IN, IN), r), other = r; break;
    case POOL:
    case JOIN: y = otherwise(&b, c, r); break;
    default: y = windows(&b, c, r);
    }
    if (other < 0)
        build_outputs(&b, INDICES(y));
    else
        build_outputs(&b, INDICES(y, other));
    return load(&b);
}

static uint32_t count(struct session *s, const char *label)
{
    const struct profile_row *rows;
    struct err err;
    uint32_t found = 0;
    size_t n;

    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        found += rows[i].detail && strstr(rows[i].detail, label);
    return found;
}

/* What halves leave of numbers below 10. */
static void hold_halves(struct session *gpu, struct session *cpu)
{
    for (uint32_t o = 0; o < session_n_outputs(cpu); o++) {
        const float *a = session_output(cpu, o)->data, *b = session_output(gpu, o)->data;

        for (size_t i = 0; i < tensor_elems(session_output(cpu, o)); i++)
            if (!(fabs((double)a[i] - (double)b[i]) <= 1e-2))
                fail_msg("output %u at %zu: CPU %g, GPU %g", o, i, (double)a[i], (double)b[i]);
    }
}

static void check(const struct blend_case *c, struct gpu_options o)
{
    const bool halves = o.precision == GPU_PRECISION_FP16_STORAGE, textures = o.objects == GPU_OBJECTS_TEXTURE;
    const bool swaps = textures && !c->resizes[0]; /* of those nothing is known: on trial, too */
    struct loaded l = network(c);
    struct session *cpu = test_start(&l, NULL), *s[2];
    struct delegate *d[2];
    struct err err;
    uint32_t left;

    for (int i = 0; i < 2; i++) {
        o.pick.blends = i;
        d[i] = test_open_gpu(o);
        s[i] = test_start(&l, d[i]);
        if (!halves)
            test_compare(s[i], cpu, 1);
        test_fill(cpu, 1);
        test_fill(s[i], 1);
        TEST_OK(session_run(cpu, &err), err);
        TEST_OK(session_run(s[i], &err), err);
        hold_halves(s[i], cpu);
        left = c->resizes[swaps ? 1 - i : i];
        if (count(s[i], "resize_bilinear") != left)
            fail_msg("%u dispatches resize, %u expected, way %d, from %d x %d for reader %d", count(s[i], "resize_bilinear"), left,
                     i, c->high, c->wide, c->reader);
        assert_int_equal(count(s[i], " of a resize") > 0, !left);
    }
    for (uint32_t k = 0; k < session_n_outputs(cpu) && !halves; k++)
        if (memcmp(session_output(s[0], k)->data, session_output(s[1], k)->data, session_output(cpu, k)->bytes) != 0)
            fail_msg("output %u is another one, from %d x %d for reader %d", k, c->high, c->wide, c->reader);
    for (int i = 0; i < 2; i++) {
        session_free(s[i]);
        delegate_close(d[i]);
    }
    session_free(cpu);
    unload(&l);
}

static const struct blend_case cases[] = {
    /* read once: twice as many pixels, odd ones and fewer, by corners, centers or both, of a single row, to a single one */
    {1, 5, 4, 10, 8, false, false, SUM, PAD_SAME, 1, 1, {0, 1}},
    {1, 5, 4, 10, 8, false, true, SUM, PAD_SAME, 1, 1, {0, 1}},
    {2, 5, 7, 13, 11, true, false, SUM, PAD_SAME, 1, 1, {0, 1}},
    {2, 5, 7, 13, 11, false, true, SUM, PAD_SAME, 1, 1, {0, 1}},
    {1, 11, 9, 4, 7, false, false, SUM, PAD_SAME, 1, 1, {0, 1}},
    {1, 1, 9, 6, 9, false, true, SUM, PAD_SAME, 1, 1, {0, 1}},
    {1, 6, 7, 1, 1, true, false, SUM, PAD_SAME, 1, 1, {0, 1}},
    {2, 5, 7, 13, 11, false, true, FEW, PAD_SAME, 1, 1, {0, 1}},
    {2, 5, 7, 13, 11, false, true, LANE, PAD_SAME, 1, 1, {1, 0}},
    /* read several times, which is on trial */
    {2, 5, 7, 13, 11, false, true, FUNCTIONS, PAD_SAME, 1, 1, {1, 0}},
    {2, 5, 7, 13, 11, false, true, SUMS, PAD_SAME, 1, 1, {1, 0}},
    {2, 5, 7, 13, 11, false, true, MANY, PAD_SAME, 1, 1, {1, 0}},
    {1, 6, 8, 12, 32, false, false, WINDOW, PAD_SAME, 1, 1, {1, 0}},
    {2, 5, 7, 13, 11, true, false, WINDOW, PAD_VALID, 2, 1, {1, 0}},
    {1, 9, 9, 20, 33, false, true, WINDOW, PAD_SAME, 1, 2, {1, 0}},
    {2, 5, 7, 13, 11, false, true, DEPTHWISE, PAD_SAME, 1, 1, {1, 0}},
    {1, 9, 9, 20, 33, true, false, DEPTHWISE, PAD_VALID, 2, 1, {1, 0}},
    {1, 9, 9, 20, 33, false, false, DEPTHWISE, PAD_SAME, 1, 2, {1, 0}},
    /* never */
    {1, 5, 4, 10, 8, false, false, POOL, PAD_SAME, 1, 1, {1, 1}},
    {1, 5, 4, 10, 8, false, false, JOIN, PAD_SAME, 1, 1, {1, 1}},
    {1, 5, 4, 10, 8, false, false, OUTPUT, PAD_SAME, 1, 1, {1, 1}},
};

static const struct blend_case window_case = {1, 3, 4, 6, 8, false, true, WINDOW, PAD_SAME, 1, 1, {1, 0}};

static void resizes_are_read(void **state)
{
    static const struct gl_policy policies[] = {
        {.iterations = GL_FEW_ITERATIONS},
        {.iterations = GL_FEW_ITERATIONS, .check_reads = true},
        {.iterations = GL_FEW_ITERATIONS, .software = true, .straight_code = true, .row_groups = true, .image_reads = true},
    };

    const struct gpu_options ways[] = {
        {.device = -1, .policy = &policies[0]},
        {.device = -1, .policy = &policies[1]},
        {.device = -1, .policy = &policies[2]},
        {.device = -1, .policy = &policies[0], .precision = GPU_PRECISION_FP16_STORAGE},
        {.device = -1, .policy = &policies[0], .dynamic_batch = true},
        {.device = -1, .policy = &policies[1], .objects = GPU_OBJECTS_TEXTURE},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) { /* two of the ways each, by turns */
        check(&cases[k], ways[k % 6]);
        check(&cases[k], ways[(k + 1 + k / 6) % 6]);
    }
}

/* Where the device may round otherwise between a product and a sum, positions are computed that come out alike all the same. */
static void without_precise_positions_must_be_exact(void **state)
{
    static const struct blend_case exact = {1, 5, 4, 20, 8, false, true, SUM, PAD_SAME, 1, 1, {0, 1}};
    static const struct blend_case rounded = {1, 5, 7, 13, 11, false, true, SUM, PAD_SAME, 1, 1, {1, 1}};

    (void)state;
    check(&exact, (struct gpu_options){.device = -1, .most = &gl_limits_least});
    check(&rounded, (struct gpu_options){.device = -1, .most = &gl_limits_least});
}

/* What the driver refuses is computed apart, also where who reads it is a single node. */
static void refused_resizes_stay(void **state)
{
    static const struct blend_case *const refused[] = {&cases[0], &window_case};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .refuse = " of a resize", .pick = {.blends = i}});
        struct loaded l = network(refused[i]);
        struct session *s, *cpu = test_start(&l, NULL);

        d->warn = NULL;
        s = test_start(&l, d);
        assert_int_equal(session_partitioning(s)->n_cpu, 0);
        assert_int_equal(count(s, "resize_bilinear"), 1);
        test_compare(s, cpu, 1);
        session_free(s);
        session_free(cpu);
        unload(&l);
        delegate_close(d);
    }
}

/* What a dispatch takes that computes a resize, too; others take 100. */
static double reading;

static double suits(const char *label)
{
    return strstr(label, " of a resize") ? reading : 100;
}

/* The other way is taken where it is faster, and there alone: a window reads several times, and a sum once. */
static void tuning_tries_both(void **state)
{
    static const struct gl_policy policy = {.iterations = GL_FEW_ITERATIONS};
    static const struct {
        const struct blend_case *of;
        double reading;
        uint32_t resizes;
    } tuned[] = {{&window_case, 150, 0}, {&window_case, 250, 1}, {&cases[0], 250, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof tuned / sizeof *tuned; i++) {
        struct delegate *d = test_open_gpu(
            (struct gpu_options){.device = -1, .policy = &policy, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits});
        struct loaded l = network(tuned[i].of);
        struct session *s, *cpu = test_start(&l, NULL);

        reading = tuned[i].reading;
        s = test_start(&l, d);
        assert_int_equal(count(s, "resize_bilinear"), tuned[i].resizes);
        test_compare(s, cpu, 1);
        session_free(s);
        session_free(cpu);
        unload(&l);
        delegate_close(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resizes_are_read),
        cmocka_unit_test(without_precise_positions_must_be_exact),
        cmocka_unit_test(refused_resizes_stay),
        cmocka_unit_test(tuning_tries_both),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
