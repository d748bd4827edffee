/* SPDX-License-Identifier: Apache-2.0 */
/* probe_test.c - what a device reaches, whether a run can be true, and when its work was handed over. */
#include "lib/base/clock.h"
#include "lib/gl/device/probe.h"
#include "lib/gl/testing/test_session.h"
#include "lib/measure/plausible.h"

static void reaches_something(void **state)
{
    struct delegate *d = test_open_best();
    struct device_peak once, twice;
    uint32_t objects;
    struct err err;

    (void)state;
    TEST_OK(gl_context_enter(gpu_context(d), NULL, &err), err);
    objects = test_gl_objects();
    TEST_OK(d->ops->probe(d, &once, &err), err);
    TEST_OK(d->ops->probe(d, &twice, &err), err);
    assert_true(once.gflops > 0.05 && once.gflops < 1e6);
    assert_true(twice.gflops > once.gflops / 20 && twice.gflops < once.gflops * 20);
    assert_true(once.half_gflops == 0);
    assert_true(once.gbytes > 0.05 && once.gbytes < 1e5);
    assert_true(twice.gbytes > once.gbytes / 20 && twice.gbytes < once.gbytes * 20);
    assert_int_equal(test_gl_objects(), objects);
    delegate_close(d);
}

static void count_limit(void *arg, const char *name, uint64_t value)
{
    const struct gl_limits *l = &gl_limits_least;

    if (!strcmp(name, "shared_bytes"))
        assert_true(value >= l->shared_bytes);
    if (!strcmp(name, "group_size_z"))
        assert_true(value >= l->group_size[2]);
    ++*(int *)arg;
}

static void limits_are_told(void **state)
{
    struct delegate *d = test_open_best();
    int n = 0;

    (void)state;
    d->ops->limits(d, count_limit, &n);
    assert_int_equal(n, 25);
    assert_non_null(strstr(d->quirks, "timer"));
    delegate_close(d);
}

static struct loaded convolution(void)
{
    struct builder b;
    int32_t x, y;

    builder_init(&b, "convolution");
    x = test_image(&b, "x");
    y = test_image(&b, "y");
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static void submission_is_a_part(void **state)
{
    struct gpu_options o = {.device = -1, .wait = GPU_WAIT_NONE};
    struct delegate *d = test_open_gpu(o), *other = test_open_gpu(o);
    struct plausible p;
    struct err err;
    struct loaded l;
    struct session *s;
    uint64_t start;

    (void)state;
    l = convolution();
    s = test_start(&l, d);
    test_fill(s, 0);
    assert_true(d->submission.counted);
    d->submission.ns = 0;
    start = clock_ns();
    TEST_OK(session_run(s, &err), err);
    assert_in_range(d->submission.ns, 1, clock_ns() - start);
    TEST_OK(plausible_of(s, d, 1e6, &p, &err), err);
    assert_true(p.peak.gflops > 0 && !p.beyond);
    assert_true(p.gflops > 0.99 * 2e-9 * H * W * C * C * 9 && p.gflops < 1.01 * 2e-9 * H * W * C * C * 9);
    assert_false(plausible_beyond(1.4, 1) || plausible_beyond(9, 0));
    assert_true(plausible_beyond(1.6, 1));
    TEST_OK(plausible_of(s, d, 1e-3, &p, &err), err);
    assert_true(p.beyond);
    TEST_OK(plausible_of(s, NULL, 1, &p, &err), err);
    assert_true(p.peak.gflops == 0 && p.gflops == 0 && !p.beyond);
    TEST_OK(plausible_of(s, other, 1e-3, &p, &err), err); /* which runs nothing of it */
    assert_true(p.peak.gflops > 0 && p.gflops == 0 && !p.beyond);
    session_free(s);
    delegate_close(other);
    delegate_close(d);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reaches_something),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(submission_is_a_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
