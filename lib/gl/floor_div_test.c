/* SPDX-License-Identifier: Apache-2.0 */
/* floor_div_test.c - the functions of kernels_gl/floor_div.comp where division is exact, and where it is a product by the
 * reciprocal, as drivers may make it. */
#include <math.h>

#include "test_gpu.h"
#include "texts.h"

#define SIDE 128
#define N    (SIDE * SIDE) /* pairs */

static struct pairs {
    float a[N], b[N], plain[N], got[N]; /* operands; floor() of the driver's or played quotient; floor_quotient */
} pairs;

static const char head_text[] =
    "#version 310 es\n#extension GL_EXT_gpu_shader5 : enable\n#define PRECISE precise\nprecision highp float;\n"
    "layout(local_size_x = 32) in;\n";
static const char main_text[] = "layout(std430, binding = 0) buffer data { vec4 a[N], b[N], plain[N], got[N]; };\n"
                                "void main()\n{\n    uint i = gl_GlobalInvocationID.x;\n"
                                "    plain[i] = floor(QUOTIENT(a[i], b[i]));\n    got[i] = floor_quotient(a[i], b[i]);\n}\n";

/* Runs with `define` before the template. */
static void run(const char *define)
{
    char size[32];

    gl_texts_unpack();
    snprintf(size, sizeof size, "#define N %d\n", N / 4);
    test_run_shader((const char *[]){head_text, size, define, floor_div_comp, main_text}, 5, N / 4 / 32, &pairs, sizeof pairs);
}

static const char reciprocal[] = "#define QUOTIENT(a, b) (a * (1.0 / b))\n";

/* All products of two whole numbers up to SIDE, divided by one of them, times `scale` (a power of 2 keeps them exact). */
static void whole_quotients(float scale)
{
    for (int i = 0; i < N; i++) {
        const int quotient = i / SIDE + 1;

        pairs.b[i] = (float)(i % SIDE + 1) * scale;
        pairs.a[i] = (float)quotient * pairs.b[i];
        if (i % 3 == 0)
            pairs.a[i] = -pairs.a[i];
    }
}

static int count_wrong_wholes(const float *got)
{
    int wrong = 0;

    for (int i = 0; i < N; i++) {
        const int quotient = i / SIDE + 1;

        wrong += got[i] != (float)(i % 3 ? quotient : -quotient);
    }
    return wrong;
}

static void whole_quotients_are_whole(void **state)
{
    static const float scales[] = {1, 0.125f, 1048576};
    struct gl_context *c = test_open_context();

    (void)state;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        whole_quotients(scales[i]);
        run("");
        assert_int_equal(count_wrong_wholes(pairs.got), 0);
        run(reciprocal);
        assert_int_equal(count_wrong_wholes(pairs.got), 0);
        assert_true(count_wrong_wholes(pairs.plain) > 0);
    }
    gl_context_close(c);
}

/* A whole number of at most so many bits, not 0. */
static float whole_number(uint64_t *seed, uint32_t bits)
{
    return (float)(test_random(seed) % ((1u << bits) - 1) + 1);
}

/* Multiples whose factors fill the 24 bits of a float between them, and their next neighbours below, which must not be rounded up.
 */
static void neighbours_of_multiples_stay_below(void **state)
{
    struct gl_context *c = test_open_context();
    uint64_t seed = 5;

    (void)state;
    for (int i = 0; i < N; i++) {
        uint32_t bits = 1 + (uint32_t)(test_random(&seed) % 20);

        pairs.b[i] = whole_number(&seed, 24 - bits);
        pairs.a[i] = whole_number(&seed, bits) * pairs.b[i];
        if (i & 1)
            pairs.a[i] = nextafterf(pairs.a[i], 0);
    }
    run(reciprocal);
    for (int i = 0; i < N; i++)
        if (i & 1)
            assert_true(pairs.got[i] == pairs.plain[i]);
        else
            assert_true(pairs.got[i] == pairs.a[i] / pairs.b[i]);
    run("");
    for (int i = 0; i < N; i++)
        assert_true(pairs.got[i] == floorf(pairs.a[i] / pairs.b[i]));
    gl_context_close(c);
}

/* a is a whole number times b, rounded down, and so less: the quotient is rounded to less than the whole number. */
static void products_that_were_rounded_are_no_multiples(void **state)
{
    struct gl_context *c = test_open_context();
    uint64_t seed = 6;

    (void)state;
    for (int i = 0; i < N;) {
        float n = whole_number(&seed, 16);

        pairs.b[i] = whole_number(&seed, 24) / 1048576;
        pairs.a[i] = n * pairs.b[i];
        i += floorf(pairs.a[i] / pairs.b[i]) != n;
    }
    run("");
    for (int i = 0; i < N; i++)
        assert_true(pairs.got[i] == floorf(pairs.a[i] / pairs.b[i]));
    gl_context_close(c);
}

/* Where division is exact nothing changes, whatever the operands; NaN is NaN. */
static void exact_division_is_left_alone(void **state)
{
    static const float special[] = {0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 3.4e38f, -3.4e38f, 1.2e-38f, 16777216, 0.1f};
    enum { S = sizeof special / sizeof *special };
    struct gl_context *c = test_open_context();
    uint64_t seed = 7;

    (void)state;
    for (int i = 0; i < N; i++) {
        pairs.a[i] = i < S * S ? special[i / S] : (float)(test_random(&seed) % 2000001) / 1000 - 1000;
        pairs.b[i] = i < S * S ? special[i % S] : (float)(test_random(&seed) % 2000000 + 1) / 100000;
    }
    run("");
    for (int i = 0; i < N; i++)
        if (!(pairs.got[i] == pairs.plain[i] || (isnan(pairs.got[i]) && isnan(pairs.plain[i]))))
            fail_msg("%g / %g: %g, without correction %g", (double)pairs.a[i], (double)pairs.b[i], (double)pairs.got[i],
                     (double)pairs.plain[i]);
    gl_context_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_quotients_are_whole),
        cmocka_unit_test(neighbours_of_multiples_stay_below),
        cmocka_unit_test(products_that_were_rounded_are_no_multiples),
        cmocka_unit_test(exact_division_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
