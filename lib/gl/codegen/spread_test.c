/* SPDX-License-Identifier: Apache-2.0 */
/* spread_test.c - more workgroups than may be started along a dimension: each element is the CPU's, whichever dimension it was. */
#include "lib/gl/testing/test_session.h"

/* What the device offers, but for so many workgroups along x and y, and one along z. */
static struct gl_limits with_groups(uint32_t x, uint32_t y)
{
    struct gl_context *c = test_open_context();
    struct gl_limits lim = c->limits;

    gl_context_close(c);
    lim.group_count[0] = x;
    lim.group_count[1] = y;
    lim.group_count[2] = 1;
    return lim;
}

/* y = -x, of [1, ...]. */
static struct loaded negation(const int32_t *shape)
{
    struct builder b;
    int32_t x, y;

    builder_init(&b, "negation");
    x = build_tensor(&b, "x", TYPE_FLOAT32, shape, 4);
    y = build_tensor(&b, "y", TYPE_FLOAT32, shape, 4);
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* All on the GPU. Returns how many programs the start compiled. */
static uint32_t hold(const struct loaded *l, struct delegate *d, int32_t batch)
{
    struct session *s[2];
    struct delegate_facts m;
    struct err err = {""};

    for (int i = 0; i < 2; i++) {
        const struct session_options o = {.mode = CPU_REFERENCE, .delegates = {i ? d : NULL}};
        const struct tensor *x;

        TEST_OK(session_new(l->model, &o, &s[i], &err), err);
        x = session_input(s[i], 0);
        if (batch)
            TEST_OK(session_resize_input(s[i], 0, SHAPE(batch, x->dim[1], x->dim[2], x->dim[3]), &err), err);
        TEST_OK(session_prepare(s[i], &err), err);
    }
    assert_int_equal(session_partitioning(s[1])->n_cpu, 0);
    test_compare(s[1], s[0], 0);
    session_facts(s[1], NULL, &m);
    session_free(s[0]);
    session_free(s[1]);
    return fact_value(&m, "start.programs_compiled");
}

/* Of the shortest that have more than 65,535 workgroups along a dimension of the grid, in groups of 16 invocations along x, of 4
 * along y behind these, of one along z behind both: on a device that starts no more, and on one that starts what this one does. */
static void each_dimension_may_be_long(void **state)
{
    static const int32_t shapes[][4] = {{1, 1, 1048577, 1}, {1, 262141, 9, 1}, {65537, 3, 9, 1}, {1, 3, 9, 262145}};

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int least = 0; least < 2; least++) {
            struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .most = least ? &gl_limits_least : NULL});
            struct loaded l = negation(shapes[i]);

            hold(&l, d, 0);
            unload(&l);
            delegate_close(d);
        }
}

/* Kernels of several kinds of grids, those with a main() of their own among them: a convolution, one that writes more than it
 * reads, probabilities of each pixel, and what is one long row. */
static struct loaded network(void)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU);
    struct opt_softmax softmax = {.beta = 0.5f};
    struct builder b;
    int32_t t[5], y[2];

    builder_init(&b, "network");
    for (int i = 0; i < 5; i++)
        t[i] = test_image(&b, (const char *const[]){"x", "conv", "depthwise", "softmax", "sum"}[i]);
    y[0] = build_tensor(&b, "transposed", TYPE_FLOAT32, SHAPE(1, C, H, W));
    y[1] = build_tensor(&b, "row", TYPE_FLOAT32, SHAPE(1, H * W * C));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(t[0], test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)),
             INDICES(t[1]));
    build_op(&b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same,
             INDICES(t[1], test_weights(&b, SHAPE(1, 3, 3, C), 3), test_weights(&b, SHAPE(C), 4)), INDICES(t[2]));
    build_op(&b, BUILTIN_SOFTMAX, 1, &softmax, INDICES(t[2]), INDICES(t[3]));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(t[3], t[0]), INDICES(t[4]));
    build_op(&b, BUILTIN_TRANSPOSE, 1, NULL, INDICES(t[4], build_const(&b, "order", TYPE_INT32, SHAPE(4), (int32_t[]){0, 3, 1, 2})),
             INDICES(y[0]));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL,
             INDICES(t[1], build_const(&b, "to a row", TYPE_INT32, SHAPE(2), (int32_t[]){-1, H * W * C})), INDICES(y[1]));
    build_inputs(&b, INDICES(t[0]));
    build_outputs(&b, INDICES(y[0], y[1]));
    return load(&b);
}

/* In rows of every length, of which the last is full or not. */
static void kernels_find_their_place(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_FASTEST, GPU_OBJECTS_TEXTURE};
    static const uint32_t rows[] = {1, 2, 3, 7};

    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            const struct gl_limits lim = with_groups(rows[k], 65535);
            struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = objects[i], .most = &lim});
            struct loaded l = network();

            hold(&l, d, 0);
            hold(&l, d, 5);
            unload(&l);
            delegate_close(d);
        }
}

/* Such batches are computed by another program, which they share. In buffers, for images may be too small. */
static void a_batch_may_be_long(void **state)
{
    static const int32_t shape[] = {1, 3, 9, 1};
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = GPU_OBJECTS_BUFFER, .dynamic_batch = true});
    struct loaded l = negation(shape);
    struct session *one = test_start(&l, d), *many;
    struct err err = {""};

    (void)state;
    assert_int_equal(hold(&l, d, 65535), 0);
    assert_true(hold(&l, d, 65536) > 0);
    TEST_OK(session_new(l.model, &(struct session_options){.delegates = {d}}, &many, &err), err);
    TEST_OK(session_resize_input(many, 0, SHAPE(65536, 3, 9, 1), &err), err);
    TEST_OK(session_prepare(many, &err), err);
    assert_int_equal(hold(&l, d, 65537), 0);
    session_free(one);
    session_free(many);
    unload(&l);
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dimension_may_be_long),
        cmocka_unit_test(kernels_find_their_place),
        cmocka_unit_test(a_batch_may_be_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
