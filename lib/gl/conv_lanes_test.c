/* SPDX-License-Identifier: Apache-2.0 */
/* conv_lanes_test.c - where a workgroup adds up each vector of a convolution's output, and that it adds it up right. */
#include <string.h>

#include "test_session.h"

/* x [batch][size][size][in] by filters of `kernel` x `kernel`. */
struct layer {
    int32_t batch, size, kernel, in, out;
    enum padding padding;
    bool software;
    const char *forced, *label;
};

static struct loaded network(const struct layer *c)
{
    const int32_t end = c->padding == PAD_SAME ? c->size : c->size - c->kernel + 1;
    struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    struct builder b;
    int32_t x, w, bias, y;

    conv.padding = c->padding;
    builder_init(&b, "lanes");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(c->batch, c->size, c->size, c->in));
    w = test_weights(&b, SHAPE(c->out, c->kernel, c->kernel, c->in), 1);
    bias = test_weights(&b, SHAPE(c->out), 2);
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(c->batch, end, end, c->out));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, w, bias), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static void check(const struct layer *c)
{
    const struct gl_policy policy = {.software = c->software, .iterations = GL_FEW_ITERATIONS};
    const struct gpu_options o = {.device = -1, .policy = &policy, .variants = c->forced};
    struct loaded l = network(c);
    struct delegate *d = test_open_gpu(o);
    struct session *cpu = test_start(&l, NULL), *s = test_start(&l, d);
    const struct profile_row *rows;
    struct err err;
    bool found = false;
    size_t n;

    test_compare(s, cpu, 1);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        found |= rows[i].detail && !strcmp(rows[i].detail, c->label);
    if (!found)
        fail_msg("no dispatch \"%s\" for %d x %d of %d", c->label, c->size, c->size, c->in);
    session_free(s);
    delegate_close(d);
    session_free(cpu);
    unload(&l);
}

static void few_pixels_of_long_sums(void **state)
{
    static const struct layer cases[] = {
        {1, 1, 1, 300, 10, PAD_VALID, false, NULL, "conv lanes +RELU6"},           /* fully connected: 75 passes, 3 slices */
        {3, 1, 1, 4 * 64 * 5 + 1, 5, PAD_VALID, false, NULL, "conv lanes +RELU6"}, /* of several images */
        {1, 5, 5, 6, 7, PAD_VALID, false, NULL, "conv lanes +RELU6"},              /* all of an image: 25 taps of 2 slices */
        {1, 3, 3, 18, 6, PAD_SAME, false, "conv:lanes", "conv lanes +RELU6"},      /* across borders */
        {1, 1, 1, 300, 10, PAD_VALID, true, NULL, "conv small image +RELU6"},      /* lanes of a CPU */
        {1, 1, 1, 4 * 31, 10, PAD_VALID, false, NULL, "conv small image +RELU6"},  /* shorter than what a workgroup is worth */
        {1, 2, 1, 300, 20, PAD_VALID, false, NULL, "conv small image +RELU6"},     /* weights would be read four times */
        {1, 4, 1, 300, 70, PAD_VALID, false, "conv:lanes", "conv 4x2 +RELU6"},     /* no small image */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pixels_of_long_sums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
