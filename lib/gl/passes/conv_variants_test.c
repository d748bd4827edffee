/* SPDX-License-Identifier: Apache-2.0 */
/* conv_variants_test.c - which variants of a convolution are taken on devices of each kind, and that they are right where widths,
 * borders, strides and dilations are no multiples of anything. */
#include "lib/gl/testing/test_session.h"

/* x [batch][size][size][in] by filters of `kernel` x `kernel`; `others` more such layers read it, too,
 * to other_out channels where that is not 0. */
struct layer {
    int32_t batch, size, kernel, in, out;
    enum padding padding;
    int32_t stride, dilation;
    enum { HARDWARE, SOFTWARE, STRAIGHT, CACHED_SHARED } device; /* what the policy says of it */
    const char *forced, *label;
    int others;
    int32_t other_out;
};

#define MOST_OTHERS 3

static struct loaded network(const struct layer *c)
{
    const int32_t covers = c->padding == PAD_SAME ? 0 : (c->kernel - 1) * c->dilation;
    const int32_t end = (c->size - covers + c->stride - 1) / c->stride;
    struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    int32_t x, w, bias, y[1 + MOST_OTHERS];
    struct builder b;

    conv.padding = c->padding;
    conv.stride_width = conv.stride_height = c->stride;
    conv.dilation_width_factor = conv.dilation_height_factor = c->dilation;
    builder_init(&b, "variants");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(c->batch, c->size, c->size, c->in));
    for (int i = 0; i <= c->others; i++) {
        const int32_t out = i && c->other_out ? c->other_out : c->out;

        w = test_weights(&b, SHAPE(out, c->kernel, c->kernel, c->in), 1 + 2 * (uint64_t)i);
        bias = test_weights(&b, SHAPE(out), 2 + 2 * (uint64_t)i);
        y[i] = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(c->batch, end, end, out));
        build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, w, bias), INDICES(y[i]));
    }
    build_inputs(&b, INDICES(x));
    build_outputs(&b, y, 1 + (uint32_t)c->others);
    return load(&b);
}

static void check_for(const struct layer *c, uint32_t registers)
{
    const struct gl_policy policy = {.registers = registers,
                                     .software = c->device == SOFTWARE || c->device == STRAIGHT,
                                     .cached_shared = c->device == CACHED_SHARED,
                                     .straight_code = c->device == STRAIGHT,
                                     .row_groups = c->device == STRAIGHT,
                                     .iterations = GL_FEW_ITERATIONS};
    const struct gpu_options o = {.device = -1, .policy = &policy, .variants = c->forced};
    struct loaded l = network(c);

    if (test_dispatches(&l, o, c->label) != 1 + (uint32_t)c->others)
        fail_msg("not each dispatch is \"%s\" for %d x %d of %d, %u registers", c->label, c->size, c->size, c->in, registers);
    unload(&l);
}

static void check(const struct layer *c)
{
    check_for(c, 0);
}

static void check_all(const struct layer *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&cases[i]);
}

/* Sums of a workgroup: of few pixels, which else are the work of few invocations. */
static void lanes(void **state)
{
    static const struct layer cases[] = {
        /* fully connected, 75 passes, 3 slices; of several images; all of an image, 25 taps of 2 slices; across borders */
        {1, 1, 1, 300, 10, PAD_VALID, 1, 1, HARDWARE, NULL, "conv lanes +RELU6"},
        {3, 1, 1, 4 * 64 * 5 + 1, 5, PAD_VALID, 1, 1, HARDWARE, NULL, "conv lanes +RELU6"},
        {1, 5, 5, 6, 7, PAD_VALID, 1, 1, HARDWARE, NULL, "conv lanes +RELU6"},
        {1, 5, 3, 18, 6, PAD_SAME, 2, 1, HARDWARE, "conv:lanes", "conv lanes +RELU6"},
        /* a CPU's; too short; weights would be read four times; no small image */
        {1, 1, 1, 300, 10, PAD_VALID, 1, 1, SOFTWARE, NULL, "conv small image +RELU6"},
        {1, 1, 1, 4 * 31, 10, PAD_VALID, 1, 1, HARDWARE, NULL, "conv small image +RELU6"},
        {1, 2, 1, 300, 20, PAD_VALID, 1, 1, HARDWARE, NULL, "conv small image +RELU6"},
        {1, 4, 1, 300, 70, PAD_VALID, 1, 1, HARDWARE, "conv:lanes", "conv 4x2 +RELU6"},
    };

    (void)state;
    check_all(cases, sizeof cases / sizeof *cases);
}

/* Strips of rows, of which each vector is read once. */
static void rows(void **state)
{
    static const struct layer cases[] = {
        {1, 96, 3, 9, 60, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv rows +RELU6"},
        /* one slice; several images; strides; dilations, of which the last needs as many reads; short of a strip */
        {1, 19, 5, 6, 3, PAD_SAME, 1, 1, HARDWARE, "conv:rows", "conv rows +RELU6"},
        {2, 13, 3, 9, 13, PAD_VALID, 1, 1, HARDWARE, "conv:rows", "conv rows +RELU6"},
        {1, 35, 3, 5, 9, PAD_SAME, 2, 1, HARDWARE, "conv:rows", "conv rows +RELU6"},
        {1, 21, 3, 5, 9, PAD_SAME, 1, 2, HARDWARE, "conv:rows", "conv rows +RELU6"},
        {1, 21, 2, 5, 9, PAD_SAME, 2, 1, HARDWARE, "conv:rows", "conv 4x2 +RELU6"},
        {1, 7, 3, 5, 9, PAD_SAME, 1, 1, HARDWARE, "conv:rows", "conv 4x2 +RELU6"},
        /* where fewer strips fill rows, and where there is less to do, other tiles pay */
        {1, 34, 3, 20, 200, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 8x2 +RELU6"},
        {1, 24, 3, 20, 40, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 8x2 +RELU6"},
    };

    (void)state;
    check_all(cases, sizeof cases / sizeof *cases);
}

/* Written out, which compilers take long for: where it saves much, alone or together with others of the same shape. */
static void straight(void **state)
{
    static const struct layer cases[] = {
        /* 8 passes, of 52 slices; 16 passes, of which more save less */
        {1, 24, 1, 30, 206, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 4x2 +RELU6"},
        {1, 24, 1, 30, 206, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv straight +RELU6", .others = 1},
        {1, 24, 1, 30, 206, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 4x2 +RELU6", .others = 3, .other_out = 36}, /* 3 slices at once */
        {1, 40, 1, 64, 64, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 8x2 +RELU6", .others = 1},
        {1, 40, 1, 64, 64, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv straight +RELU6", .others = 2},
        {1, 40, 1, 68, 64, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 8x2 +RELU6", .others = 3},
        /* the layer that reads an image; too small for a workgroup; several images count as one */
        {1, 32, 3, 3, 16, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv straight +RELU6"},
        {1, 11, 3, 3, 16, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 4x2 +RELU6"},
        {2, 24, 1, 30, 206, PAD_SAME, 1, 1, STRAIGHT, NULL, "conv 4x2 +RELU6"},
        /* as long as compilers of hardware bear, and longer */
        {1, 24, 1, 30, 206, PAD_SAME, 1, 1, HARDWARE, "conv:straight", "conv straight +RELU6"},
        {1, 24, 3, 20, 40, PAD_SAME, 1, 1, HARDWARE, "conv:straight", "conv 4x2 +RELU6"},
        {1, 24, 3, 20, 40, PAD_SAME, 1, 1, STRAIGHT, "conv:straight", "conv straight +RELU6"},
    };

    (void)state;
    check_all(cases, sizeof cases / sizeof *cases);
}

/* By blocks of 64 pixels and 64 channels, 16 channels of the input at a time. */
static void shared(void **state)
{
    static const struct layer cases[] = {
        /* one beyond a block in both directions and a chunk, of two images; less than a block of either; as few as there may be */
        {2, 9, 1, 70, 67, PAD_SAME, 1, 1, HARDWARE, "conv:shared", "conv shared +RELU6"},
        {1, 4, 1, 33, 29, PAD_SAME, 1, 1, HARDWARE, "conv:shared", "conv shared +RELU6"},
        {1, 5, 1, 3, 66, PAD_VALID, 1, 1, STRAIGHT, "conv:shared", "conv shared +RELU6"},
        {1, 3, 1, 70, 67, PAD_SAME, 1, 1, HARDWARE, "conv:shared", "conv small image +RELU6"},
        {1, 9, 1, 70, 28, PAD_SAME, 1, 1, HARDWARE, "conv:shared", "conv 4x2 +RELU6"},
        /* where blocks are full, and the sum is four chunks; not where shared memory is as all else; no other filters */
        {1, 16, 1, 64, 64, PAD_SAME, 1, 1, HARDWARE, NULL, "conv shared +RELU6"},
        {2, 16, 3, 64, 36, PAD_SAME, 1, 1, HARDWARE, "conv:winograd 2x2,conv:shared", "conv shared"},
        {1, 16, 1, 60, 64, PAD_SAME, 1, 1, HARDWARE, NULL, "conv 4x2 +RELU6"},
        {1, 14, 1, 64, 64, PAD_SAME, 1, 1, HARDWARE, NULL, "conv shared +RELU6"},
        {1, 16, 1, 64, 52, PAD_SAME, 1, 1, HARDWARE, NULL, "conv shared +RELU6"},
        {1, 16, 1, 64, 48, PAD_SAME, 1, 1, HARDWARE, NULL, "conv 4x2 +RELU6"},
        {1, 16, 1, 64, 64, PAD_SAME, 1, 1, SOFTWARE, NULL, "conv 4x2 +RELU6"},
        {1, 16, 1, 64, 64, PAD_SAME, 1, 1, CACHED_SHARED, NULL, "conv 4x2 +RELU6"},
        {1, 16, 3, 64, 64, PAD_SAME, 1, 1, HARDWARE, "conv:shared", "conv 4x2 +RELU6"},
        {1, 16, 1, 64, 64, PAD_SAME, 2, 1, HARDWARE, "conv:shared", "conv 4x2 +RELU6"},
    };

    (void)state;
    check_all(cases, sizeof cases / sizeof *cases);
}

/* What the compilers of these devices hold (policy.c): layers of single pixels, of 3x3, of one slice, and what is asked for. */
static void tiles_are_as_large_as_registers_allow(void **state)
{
    static const struct {
        const char *vendor, *renderer, *pixels, *windows, *slice;
    } devices[] = {
        {"Broadcom", "V3D 4.2.14.0", "conv 2x2 +RELU6", "conv 2x1 +RELU6", "conv 2x1 +RELU6"},
        {"Mesa", "Mali-T860 (Panfrost)", "conv 2x1 +RELU6", "conv 1x1 +RELU6", "conv 2x1 +RELU6"},
        {"Mesa", "Mali-G610 (Panfrost)", "conv 2x2 +RELU6", "conv 2x2 +RELU6", "conv 2x1 +RELU6"},
        {"Intel", "Mesa Intel(R) Iris(R) Xe Graphics (TGL GT2)", "conv 2x2 +RELU6", "conv 2x2 +RELU6", "conv 2x1 +RELU6"},
        {"AMD", "AMD Radeon RX 6800 (radeonsi)", "conv 4x1 +RELU6", "conv 2x2 +RELU6", "conv 4x1 +RELU6"},
        {"freedreno", "FD630", "conv 4x2 +RELU6", "conv 4x2 +RELU6", "conv 4x1 +RELU6"},
        {"Mesa", "NV164", "conv 4x2 +RELU6", "conv 4x2 +RELU6", "conv 4x1 +RELU6"},
        {"Mesa", "softpipe", "conv 4x2 +RELU6", "conv 4x2 +RELU6", "conv 4x1 +RELU6"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        const struct layer pixels = {1, 16, 1, 8, 20, PAD_SAME, 1, 1, HARDWARE, NULL, devices[i].pixels};
        const struct layer windows = {1, 16, 3, 3, 8, PAD_SAME, 2, 1, HARDWARE, NULL, devices[i].windows};
        const struct layer slice = {1, 16, 1, 8, 4, PAD_SAME, 1, 1, HARDWARE, NULL, devices[i].slice};
        const struct layer forced = {1, 16, 3, 8, 20, PAD_SAME, 1, 1, HARDWARE, "conv:8x4", "conv 8x4 +RELU6"};
        const struct gl_device_names names = {devices[i].vendor, devices[i].renderer, ""};
        struct gl_policy p;

        gl_policy_find(&names, &p);
        check_for(&pixels, p.registers);
        check_for(&windows, p.registers);
        check_for(&slice, p.registers);
        check_for(&forced, p.registers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes),
        cmocka_unit_test(rows),
        cmocka_unit_test(straight),
        cmocka_unit_test(shared),
        cmocka_unit_test(tiles_are_as_large_as_registers_allow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
