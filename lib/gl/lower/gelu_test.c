/* SPDX-License-Identifier: Apache-2.0 */
/* gelu_test.c - GELU of negative numbers has digits however small it is, for what looks at its sign or divides by it. */
#include <float.h>
#include <math.h>

#include "lib/gl/testing/test_session.h"

#define N 64

static void fill(struct session *s)
{
    float *x = session_input(s, 0)->data;

    for (int i = 0; i < N; i++)
        x[i] = 1 - 0.2f * (float)i; /* to -11.6 */
}

static void tails_have_digits(void **state)
{
    const struct opt_gelu exactly = {.approximate = false};
    const struct gpu_options o = {.device = -1};
    struct test_pair p;
    struct builder b;
    const float *got, *want;
    int32_t x, y;

    (void)state;
    builder_init(&b, "gelu");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, N));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, N));
    build_inputs(&b, INDICES(x));
    build_op(&b, BUILTIN_GELU, 1, &exactly, INDICES(x), INDICES(y));
    build_outputs(&b, INDICES(y));
    p = test_pair_start(&b, o, 1);
    test_pair_run(&p, fill);
    got = session_output(p.gpu, 0)->data;
    want = session_output(p.cpu, 0)->data;
    for (int i = 0; i < N; i++)
        if (fabsf(want[i]) >= FLT_MIN && !(fabsf(got[i] - want[i]) <= 1e-4f * fabsf(want[i])))
            fail_msg("GELU of %g is %g, not %g", 1 - 0.2 * i, (double)got[i], (double)want[i]);
    test_pair_stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_have_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
