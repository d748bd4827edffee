/* SPDX-License-Identifier: Apache-2.0 */
/* winograd_test.c - how far convolutions by transformed tiles are from direct ones, up to the most channels that they take. */
#include <math.h>

#include "lib/gl/testing/test_session.h"

#define SIDE         9
#define OUT          8
#define TAPS         9
#define MOST_IN      1025
#define MOST_CHANNEL 1024 /* that are transformed: MOST_TRANSFORMED of kernels_gl/matmul/conv.c */
#define TOLERANCE    5e-5 /* of the largest |y|, where conv.c says up to 2e-5 */
#define PIXELS       (SIDE * SIDE)

static float inputs[PIXELS * MOST_IN], weights[OUT * TAPS * MOST_IN];
static double sums[PIXELS * OUT];

/* Of a normal distribution. */
static void fill_normal(float *v, size_t n, uint64_t seed)
{
    uint64_t at = seed * 0x9e3779b97f4a7c15u;

    for (size_t i = 0; i < n; i++) {
        double u[2];

        for (int k = 0; k < 2; k++) {
            at = at * 6364136223846793005u + 1442695040888963407u;
            u[k] = ((double)(at >> 11) + 0.5) / 9007199254740992.0;
        }
        v[i] = (float)(sqrt(-2 * log(u[0])) * cos(6.283185307179586 * u[1]));
    }
}

/* In float64, with SAME padding. Returns the largest |y|. */
static double convolve(int32_t channels)
{
    double most = 0;

    for (int32_t i = 0; i < PIXELS * OUT; i++) {
        const int32_t h = i / OUT / SIDE, w = i / OUT % SIDE;

        sums[i] = 0;
        for (int32_t tap = 0; tap < TAPS; tap++) {
            const int32_t y = h + tap / 3 - 1, x = w + tap % 3 - 1;
            const float *b = &weights[(size_t)((i % OUT * TAPS + tap) * channels)];

            if (y < 0 || y >= SIDE || x < 0 || x >= SIDE)
                continue;
            for (int32_t c = 0; c < channels; c++)
                sums[i] += (double)inputs[(size_t)((y * SIDE + x) * channels + c)] * (double)b[c];
        }
        most = fmax(most, fabs(sums[i]));
    }
    return most;
}

static void run(int32_t channels, const char *variant, float *y)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .variants = variant});
    const struct opt_conv_2d conv = {
        .padding = PAD_SAME, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
    struct builder b;
    struct session *s;
    struct loaded l;
    struct err err;
    int32_t x, t;

    builder_init(&b, "winograd");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, SIDE, SIDE, channels));
    t = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, SIDE, SIDE, OUT));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, build_const(&b, "w", TYPE_FLOAT32, SHAPE(OUT, 3, 3, channels), weights), -1),
             INDICES(t));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(t));
    l = load(&b);
    s = test_start(&l, d);
    memcpy(session_input(s, 0)->data, inputs, (size_t)(PIXELS * channels) * sizeof *inputs);
    TEST_OK(session_run(s, &err), err);
    memcpy(y, session_output(s, 0)->data, PIXELS * OUT * sizeof *y);
    session_free(s);
    unload(&l);
    delegate_close(d);
}

/* Of sums in float64; as a part of the largest. */
static double error_of(const float *y, double most)
{
    double error = 0;

    for (int i = 0; i < PIXELS * OUT; i++)
        error = fmax(error, isfinite(y[i]) ? fabs((double)y[i] - sums[i]) / most : INFINITY);
    return error;
}

static bool are_same(const float *a, const float *b)
{
    for (int i = 0; i < PIXELS * OUT; i++)
        if (a[i] < b[i] || a[i] > b[i])
            return false;
    return true;
}

/* One channel more is not transformed: the results are those of the direct one, each of them. */
static void errors_are_small_parts_of_the_largest_output(void **state)
{
    static const int32_t channels[] = {16, 256, MOST_CHANNEL, MOST_IN};
    static const char *const variants[] = {"conv:4x2", "conv:winograd 2x2", "conv:winograd 4x4"};
    static float y[3][PIXELS * OUT];

    (void)state;
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        double most;

        fill_normal(inputs, (size_t)(PIXELS * channels[i]), 2 * i + 1);
        fill_normal(weights, (size_t)(OUT * TAPS * channels[i]), 2 * i + 2);
        most = convolve(channels[i]);
        for (int v = 0; v < 3; v++) {
            double error;

            run(channels[i], variants[v], y[v]);
            error = error_of(y[v], most);
            print_message("%s, %d channels: %.1e of the largest output\n", variants[v], channels[i], error);
            if (!(error <= TOLERANCE))
                fail_msg("%s of %d channels is off by %g of the largest output", variants[v], channels[i], error);
            if (v && are_same(y[v], y[0]) != (channels[i] > MOST_CHANNEL))
                fail_msg("%s of %d channels is%s transformed", variants[v], channels[i], channels[i] > MOST_CHANNEL ? "" : " not");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_small_parts_of_the_largest_output),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
