/* SPDX-License-Identifier: Apache-2.0 */
/* fused_mlp_test.c - which layers of a single pixel are computed in one dispatch, and that they are right there. */
#include <math.h>
#include <string.h>

#include "lib/gl/testing/test_session.h"

#define MOST 12

/* x [batch][1][1][widths[0]] through convolutions of 1x1, each with a function of `between` behind it but the last. */
struct network {
    int32_t batch, widths[MOST]; /* ended by 0 */
    enum activation between;
    enum builtin then;                                                  /* one more function behind that; 0 (ADD): none */
    enum { PLAIN, OUTPUT, READ_TWICE, INFINITE, IMAGE, ADDED } special; /* of the first layer's output, weights or place */
    bool software, any_batch;
    const char *forced;
    uint32_t chains, layers; /* dispatches of each kind */
};

static int32_t layer(struct builder *b, const struct network *c, int32_t x, uint64_t i)
{
    const int32_t in = c->widths[i], out = c->widths[i + 1], size = c->special == IMAGE ? 2 : 1;
    const struct opt_conv_2d conv = test_conv_with(c->widths[i + 2] ? c->between : ACT_NONE);
    const int32_t y = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(c->batch, size, size, out));
    int32_t w = test_weights(b, SHAPE(out, 1, 1, in), i);

    if (c->special == INFINITE && !i) {
        float *all = calloc((size_t)in * (size_t)out, sizeof *all);

        assert_non_null(all);
        all[0] = INFINITY;
        w = build_const(b, "w", TYPE_FLOAT32, SHAPE(out, 1, 1, in), all);
        free(all);
    }
    build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, w, test_weights(b, SHAPE(out), 100 + i)), INDICES(y));
    if (c->widths[i + 2] && c->then != BUILTIN_ADD) {
        const int32_t t = build_tensor(b, "f", TYPE_FLOAT32, SHAPE(c->batch, size, size, out));

        build_op(b, c->then, 1, NULL, INDICES(y), INDICES(t));
        return t;
    }
    return y;
}

static struct loaded load_network(const struct network *c)
{
    const int32_t size = c->special == IMAGE ? 2 : 1;
    struct builder b;
    int32_t x, y, first = 0, twice = 0;

    builder_init(&b, "chain");
    x = y = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(c->batch, size, size, c->widths[0]));
    for (uint64_t i = 0; c->widths[i + 1]; i++) {
        y = layer(&b, c, y, i);
        first = i ? first : y;
    }
    build_inputs(&b, INDICES(x));
    if (c->special == READ_TWICE) {
        twice = build_tensor(&b, "twice", TYPE_FLOAT32, SHAPE(c->batch, 1, 1, c->widths[1]));
        build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(first), INDICES(twice));
    }
    if (c->special == ADDED) {
        twice = build_tensor(&b, "sum", TYPE_FLOAT32, SHAPE(c->batch, 1, 1, c->widths[0]));
        build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(y, x), INDICES(twice));
        y = twice;
    }
    if (c->special == OUTPUT || c->special == READ_TWICE)
        build_outputs(&b, INDICES(y, c->special == OUTPUT ? first : twice));
    else
        build_outputs(&b, INDICES(y));
    return load(&b);
}

/* What an infinity in the input makes of both. */
static void compare_infinite(struct session *gpu, struct session *cpu)
{
    struct session *const both[] = {gpu, cpu};
    const float *got = session_output(gpu, 0)->data, *want = session_output(cpu, 0)->data;
    struct err err;

    for (int i = 0; i < 2; i++) {
        ((float *)session_input(both[i], 0)->data)[0] = INFINITY;
        TEST_OK(session_run(both[i], &err), err);
    }
    for (size_t i = 0; i < tensor_elems(session_output(cpu, 0)); i++)
        if (!(fabsf(got[i] - want[i]) <= 1e-5f))
            fail_msg("output %zu is %g, not %g", i, (double)got[i], (double)want[i]);
}

static void check(const struct network *c)
{
    const struct gl_policy policy = {.software = c->software, .iterations = GL_FEW_ITERATIONS};
    const struct gpu_options o = {.device = -1, .policy = &policy, .variants = c->forced, .dynamic_batch = c->any_batch};
    struct loaded l = load_network(c);
    struct delegate *d = test_open_gpu(o);
    struct session *cpu = test_start(&l, NULL), *s = test_start(&l, d);
    const struct profile_row *rows;
    uint32_t chains = 0, layers = 0;
    struct err err;
    size_t n;

    if (c->special != INFINITE) /* which makes NaN */
        test_compare(s, cpu, 1);
    if (c->between == ACT_RELU6) /* which makes numbers of infinities again */
        compare_infinite(s, cpu);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++) {
        chains += rows[i].detail && !strncmp(rows[i].detail, "chain ", 6);
        layers += rows[i].detail && !strncmp(rows[i].detail, "conv ", 5);
    }
    if (chains != c->chains || layers != c->layers)
        fail_msg("%u chains and %u layers, not %u and %u, from %d channels to %d", chains, layers, c->chains, c->layers,
                 c->widths[0], c->widths[1]);
    session_free(s);
    delegate_close(d);
    session_free(cpu);
    unload(&l);
}

static void layers_become_chains(void **state)
{
    static const struct network cases[] = {
        {1, {5, 7, 3}, ACT_RELU, .chains = 1},
        {1, {6, 1, 1, 2}, ACT_NONE, .chains = 1},
        {1, {4, 7, 4}, ACT_RELU6, .chains = 1},
        {3, {64, 17, 130, 4, 9}, ACT_RELU6, .chains = 1},
        {1, {512, 61, 512}, ACT_NONE, BUILTIN_TANH, .chains = 1},
        {1, {9, 40, 5}, ACT_NONE, BUILTIN_LOGISTIC, .chains = 1},
        {2, {33, 256, 128, 33}, ACT_RELU_N1_TO_1, .special = ADDED, .chains = 1},
        /* eight at most */
        {1, {4, 8, 12, 16, 20, 4, 8, 12, 16}, ACT_RELU, .chains = 1},
        {1, {4, 8, 12, 16, 20, 4, 8, 12, 16, 5}, ACT_RELU, .chains = 1, .layers = 1},
        {1, {4, 8, 12, 16, 20, 4, 8, 12, 16, 5, 3}, ACT_RELU, .chains = 2},
        /* what is too wide, or too much for one workgroup */
        {1, {513, 8, 4}, ACT_RELU, .layers = 2},
        {1, {8, 513, 8, 4, 6}, ACT_RELU, .chains = 1, .layers = 2},
        {1, {512, 68, 4, 8}, ACT_RELU, .chains = 1, .layers = 1},
        /* what others see, what makes NaN of zeros, and more than a pixel */
        {1, {5, 7, 3}, ACT_RELU, .special = OUTPUT, .layers = 2},
        {1, {5, 7, 3}, ACT_RELU, .special = READ_TWICE, .layers = 2},
        {1, {5, 7, 3}, ACT_RELU, .special = INFINITE, .layers = 2},
        {1, {5, 7, 3}, ACT_RELU, .special = IMAGE, .layers = 2},
        {1, {5, 7, 3}, ACT_RELU, BUILTIN_TANH, .layers = 2},
        {1, {5, 7, 3}, ACT_NONE, BUILTIN_HARD_SWISH, .layers = 2},
        {1, {5, 7, 3}, ACT_RELU, .any_batch = true, .layers = 2},
        /* where dispatches cost little, and where it is asked for */
        {1, {5, 7, 3}, ACT_RELU, .software = true, .layers = 2},
        {1, {5, 7, 3}, ACT_RELU, .software = true, .forced = "chain:workgroup", .chains = 1},
        {1, {5, 7, 3}, ACT_RELU, .forced = "chain:apart", .layers = 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_become_chains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
