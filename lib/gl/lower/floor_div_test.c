/* SPDX-License-Identifier: Apache-2.0 */
/* floor_div_test.c - the functions of kernels_gl/ops/floor_div.comp against C's, to the bit, whatever the quotient. */
#include <math.h>

#include "lib/gl/device/texts.h"
#include "lib/gl/testing/test_gpu.h"

#define SIDE 128
#define N    (SIDE * SIDE) /* pairs */

static struct pairs {
    float a[N], b[N], quotient[N], rest[N]; /* operands; floor_quotient and floor_rest of them */
} pairs;

static const char head_text[] =
    "#version 310 es\n#extension GL_EXT_gpu_shader5 : enable\n#define PRECISE precise\nprecision highp float;\n"
    "precision highp int;\nlayout(local_size_x = 32) in;\n";
static const char main_text[] = "layout(std430, binding = 0) buffer data { vec4 a[N], b[N], quotient[N], rest[N]; };\n"
                                "void main()\n{\n    uint i = gl_GlobalInvocationID.x;\n"
                                "    quotient[i] = floor_quotient(a[i], b[i]);\n    rest[i] = floor_rest(a[i], b[i]);\n}\n";

static void run(void)
{
    struct gl_context *c = test_open_context();
    char size[32];

    gl_texts_unpack();
    snprintf(size, sizeof size, "#define N %d\n", N / 4);
    test_run_shader((const char *[]){head_text, size, floor_div_comp, main_text}, 4, N / 4 / 32, &pairs, sizeof pairs);
    gl_context_close(c);
}

static bool is_same(float got, float want)
{
    return isnan(want) ? isnan(got) : got == want && signbit(got) == signbit(want);
}

/* The rest as the CPU has it: of the sign of b, and of a where it is 0. */
static float rest_of(float a, float b)
{
    const float rest = fmodf(a, b);

    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

static void hold(void)
{
    run();
    for (int i = 0; i < N; i++) {
        const float a = pairs.a[i], b = pairs.b[i];

        if (!is_same(pairs.quotient[i], floorf(a / b)))
            fail_msg("%a / %a: %a, not %a", (double)a, (double)b, (double)pairs.quotient[i], (double)floorf(a / b));
        if (!is_same(pairs.rest[i], rest_of(a, b)))
            fail_msg("%a mod %a: %a, not %a", (double)a, (double)b, (double)pairs.rest[i], (double)rest_of(a, b));
    }
}

/* All products of two whole numbers up to SIDE, divided by one of them, times a power of 2, and their next neighbours. */
static void whole_quotients_are_whole(void **state)
{
    static const float scales[] = {1, 0.125f, 1048576};

    (void)state;
    for (size_t k = 0; k < 9; k++) {
        for (int i = 0; i < N; i++) {
            const int row = i / SIDE;

            pairs.b[i] = (float)(i % SIDE + 1) * scales[k % 3];
            pairs.a[i] = (float)(row + 1) * pairs.b[i] * (i % 3 ? 1 : -1);
            pairs.a[i] = k < 3 ? pairs.a[i] : nextafterf(pairs.a[i], k < 6 ? 0 : INFINITY);
        }
        hold();
    }
}

/* A whole number of at most so many bits, not 0. */
static float whole_number(uint64_t *seed, uint32_t bits)
{
    return (float)(test_random(seed) % ((1u << bits) - 1) + 1);
}

/* a is a whole number times b, rounded: the quotient may be rounded to a whole number that a / b is below. */
static void products_that_were_rounded_are_no_multiples(void **state)
{
    uint64_t seed = 6;

    (void)state;
    for (int i = 0; i < N; i++) {
        pairs.b[i] = whole_number(&seed, 24) / 1048576;
        pairs.a[i] = whole_number(&seed, 16) * pairs.b[i];
    }
    hold();
}

static float of_bits(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Any bits but those of a divisor 0, which FLOOR_DIV does not get: quotients up to 2^276, infinities, NaN, subnormal numbers. */
static void any_floats(void **state)
{
    static const float special[] = {0,         -0.0f,     1,        -1,        INFINITY,   -INFINITY, NAN,
                                    3.4e38f,   -3.4e38f,  1.2e-38f, 0x1p-149f, -0x1p-149f, 16777216,  0.1f,
                                    0x1p-126f, -0x1p127f, 0x1p-75f, 0x1p76f,   0x1.8p76f};
    enum { S = sizeof special / sizeof *special };
    uint64_t seed = 7;

    (void)state;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < N; i++) {
            pairs.a[i] = i < S * S ? special[i / S] : of_bits((uint32_t)test_random(&seed));
            pairs.b[i] = i < S * S ? special[i % S] : of_bits((uint32_t)test_random(&seed));
            if (pairs.b[i] == 0)
                pairs.b[i] = of_bits(0x00000001u);
            if (k == 3 && i >= S * S) /* both subnormal, or one near that */
                pairs.a[i] *= 0x1p-100f, pairs.b[i] *= i & 1 ? 0x1p-100f : 1;
            if (pairs.b[i] == 0)
                pairs.b[i] = 1;
        }
        hold();
    }
}

/* There is no rest of a division by 0. */
static void by_zero(void **state)
{
    const int half = N / 2;

    (void)state;
    for (int i = 0; i < N; i++) {
        pairs.a[i] = (float)(i - half);
        pairs.b[i] = i & 1 ? 0.0f : -0.0f;
    }
    run();
    for (int i = 0; i < N; i++)
        assert_true(isnan(pairs.rest[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_quotients_are_whole),
        cmocka_unit_test(products_that_were_rounded_are_no_multiples),
        cmocka_unit_test(any_floats),
        cmocka_unit_test(by_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
