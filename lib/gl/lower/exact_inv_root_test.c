/* SPDX-License-Identifier: Apache-2.0 */
/* exact_inv_root_test.c - kernels_gl/quant/exact_inv_root.comp against a double rounded to a float: equal bits. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "lib/gl/device/texts.h"
#include "lib/gl/testing/test_gpu.h"

#define N 65536

static struct {
    float v[N], got[N];
} numbers;

static const char head_text[] = "#version 310 es\nprecision highp float;\nlayout(local_size_x = 32) in;\n";
static const char main_text[] = "layout(std430, binding = 0) buffer data { float v[65536], got[65536]; };\n"
                                "void main()\n{\n    uint i = gl_GlobalInvocationID.x;\n    got[i] = exact_inv_root(v[i]);\n}\n";

static void check(void)
{
    gl_texts_unpack();
    test_run_shader((const char *[]){head_text, exact_inv_root_comp, main_text}, 3, N / 32, &numbers, sizeof numbers);
    for (int i = 0; i < N; i++) {
        const float v = numbers.v[i], expected = (float)(1 / sqrt((double)v));

        if (!(numbers.got[i] == expected))
            fail_msg("1 / sqrt(%a) is %a, not %a", (double)v, (double)numbers.got[i], (double)expected);
    }
}

static float of_bits(uint32_t bits)
{
    float v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Of all normal numbers above 0, which are as many for even exponents as for odd ones. */
static void random_numbers(void **state)
{
    struct gl_context *c = test_open_context();
    uint64_t seed = 9;

    (void)state;
    for (int i = 0; i < N; i++)
        numbers.v[i] = of_bits((uint32_t)(test_random(&seed) % (0x7f800000 - 0x800000)) + 0x800000);
    check();
    gl_context_close(c);
}

/* Powers of two and their neighbours, squares and theirs, and the ends of what there is. */
static void numbers_with_exact_roots(void **state)
{
    struct gl_context *c = test_open_context();

    (void)state;
    for (int i = 0; i < N; i++) {
        const int k = i / 3;
        const float at = k < 250 ? ldexpf(1, k - 124) : (float)(k - 249) * (float)(k - 249);

        numbers.v[i] = i % 3 == 0 ? at : nextafterf(at, i % 3 == 1 ? 0 : INFINITY);
    }
    numbers.v[N - 1] = FLT_MIN;
    numbers.v[N - 2] = FLT_MAX;
    check();
    gl_context_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(numbers_with_exact_roots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
