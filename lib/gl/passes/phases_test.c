/* SPDX-License-Identifier: Apache-2.0 */
/* phases_test.c - which transposed convolutions are computed by phases, as a convolution whose channels are dealt out to pixels,
 * and where the functions behind them are applied. */
#include "lib/gl/testing/test_session.h"

enum behind { NOTHING, SIGMOID, SUM };

/* x [1][size][size][C] by windows of kernel x kernel to 3 channels. */
struct layer {
    int32_t size, kernel, stride;
    enum behind behind;
    bool hardware;
    const char *forced;
    const char *labels[2]; /* of dispatches between upload and download */
};

static struct loaded network(const struct layer *c)
{
    const struct opt_transpose_conv o = {.padding = PAD_SAME, .stride_width = c->stride, .stride_height = c->stride};
    const int32_t dim[4] = {1, c->size * c->stride - 1, c->size * c->stride, 3};
    struct builder b;
    int32_t x, y[2], z;

    builder_init(&b, "phases");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, c->size, c->size, C));
    z = build_tensor(&b, "z", TYPE_FLOAT32, dim, 4);
    y[0] = build_tensor(&b, "y", TYPE_FLOAT32, dim, 4);
    y[1] = build_tensor(&b, "end", TYPE_FLOAT32, dim, 4);
    build_op(&b, BUILTIN_TRANSPOSE_CONV, 3, &o,
             INDICES(build_const(&b, "shape", TYPE_INT32, SHAPE(4), dim), test_weights(&b, SHAPE(3, c->kernel, c->kernel, C), 1), x,
                     test_weights(&b, SHAPE(3), 2)),
             INDICES(y[0]));
    if (c->behind == SIGMOID)
        build_op(&b, BUILTIN_LOGISTIC, 1, NULL, INDICES(y[0]), INDICES(y[1]));
    if (c->behind == SUM)
        build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(y[0], z), INDICES(y[1]));
    build_inputs(&b, INDICES(x, z));
    build_outputs(&b, INDICES(y[c->behind != NOTHING]));
    return load(&b);
}

static void check_all(const struct layer *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct layer *c = &cases[i];
        const struct gl_policy policy = {
            .software = !c->hardware, .straight_code = !c->hardware, .row_groups = !c->hardware, .iterations = GL_FEW_ITERATIONS};
        const struct gpu_options o = {.device = -1, .policy = &policy, .variants = c->forced};
        struct loaded l = network(c);

        for (int k = 0; k < 2 && c->labels[k]; k++)
            if (test_dispatches(&l, o, c->labels[k]) != 1)
                fail_msg("no dispatch \"%s\" for windows of %d, strides of %d", c->labels[k], c->kernel, c->stride);
        unload(&l);
    }
}

#define FORCED .forced = "transpose_conv:phases"

static void windows_of_whole_strides_have_phases(void **state)
{
    static const struct layer cases[] = {
        {9, 2, 2, FORCED, .labels = {"conv", "depth_to_space elements"}},
        {9, 4, 2, FORCED, .labels = {"conv", "depth_to_space elements"}},
        {5, 9, 3, FORCED, .labels = {"conv", "depth_to_space elements"}},
        {9, 3, 2, FORCED, .labels = {"transpose_conv gather"}},
        {9, 2, 4, FORCED, .labels = {"transpose_conv gather"}},
        {9, 2, 1, FORCED, .labels = {"transpose_conv gather"}},
    };

    (void)state;
    check_all(cases, sizeof cases / sizeof *cases);
}

static void large_outputs_pay_on_software(void **state)
{
    static const struct layer cases[] = {
        {33, 2, 2, .labels = {"conv", "depth_to_space elements"}},
        {31, 2, 2, .labels = {"transpose_conv gather"}},
        {33, 2, 2, .hardware = true, .labels = {"transpose_conv gather"}},
    };

    (void)state;
    check_all(cases, sizeof cases / sizeof *cases);
}

/* What a function reads beside the result lies as the output does. */
static void functions_go_where_they_can(void **state)
{
    static const struct layer cases[] = {
        {9, 4, 2, SIGMOID, FORCED, .labels = {"conv 4x2 +LOGISTIC", "depth_to_space elements"}},
        {9, 4, 2, SUM, FORCED, .labels = {"conv", "depth_to_space elements +ADD"}},
    };

    (void)state;
    check_all(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_whole_strides_have_phases),
        cmocka_unit_test(large_outputs_pay_on_software),
        cmocka_unit_test(functions_go_where_they_can),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
