/* SPDX-License-Identifier: Apache-2.0 */
/* staging_test.c - inputs of runs that are handed over one behind the other: each run has its own, whatever the device is late
 * with; and who waits for what. A late device is played by the fence that stands in epoxy's table for a while. */
#include "test_session.h"

#include <math.h>

#include "../session_impl.h"
#include "compiled.h"
#include "gpu.h"

enum { RUNS = 7, N = 40000 };

/* Inputs and outputs go through staging, on software devices too; or the CPU lays them out, on others too. */
static const struct gl_policy by_dispatches = {.timer = true}, by_cpu = {.timer = true, .host_layout = true};

/* y = |x| * 3, on N floats in channels of four: outputs lie in buffers of the caller's as they are. */
static struct loaded scaled(void)
{
    struct builder b;
    int32_t x, t, y;

    builder_init(&b, "scaled");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 100, N / 400, 4));
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, 100, N / 400, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 100, N / 400, 4));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(t));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t, build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){3})), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static struct delegate *open_waiting(enum gpu_wait wait, const struct gl_policy *policy)
{
    return test_open_gpu((struct gpu_options){.device = -1, .policy = policy, .wait = wait});
}

static struct gl_compiled *kernel(struct session *s)
{
    return (struct gl_compiled *)s->plan.steps[0].kernel;
}

static double wanted(size_t i, double phase)
{
    return 3 * fabs(sin((double)i + phase));
}

/* Each run leaves its output in a buffer of its own. */
static void submit_to_buffers(struct session *s, struct delegate *d, struct delegate_buffer out[RUNS])
{
    struct err err = {""};

    for (int i = 0; i < RUNS; i++) {
        out[i] = (struct delegate_buffer){.bytes = 4 * N};
        TEST_OK(d->ops->buffer_new(d, 4 * N, &out[i].id, &err), err);
    }
    for (int i = 0; i < RUNS; i++) {
        TEST_OK(session_bind_output(s, 0, &out[i], &err), err);
        test_fill(s, i);
        TEST_OK(session_submit(s, &err), err);
    }
}

static void outputs_hold(struct delegate *d, const struct delegate_buffer out[RUNS])
{
    static float y[N];
    struct err err = {""};

    for (int i = 0; i < RUNS; i++) {
        TEST_OK(d->ops->buffer_read(d, out[i].id, y, sizeof y, &err), err);
        for (size_t e = 0; e < N; e++)
            if (fabs((double)y[e] - wanted(e, i)) > 1e-5)
                fail_msg("run %d, element %zu: %g", i, e, (double)y[e]);
        d->ops->buffer_free(d, out[i].id);
    }
}

static void each_has_its_inputs(const struct gl_policy *policy)
{
    struct loaded l = scaled();

    for (int wait = GPU_WAIT_PASSIVE; wait <= GPU_WAIT_NONE; wait++) {
        struct delegate *d = open_waiting((enum gpu_wait)wait, policy);
        struct session *s = test_start(&l, d);
        struct delegate_buffer out[RUNS];
        struct session_memory m;
        struct err err = {""};

        session_memory(s, &m);
        assert_true(kernel(s)->plan->store_bytes[GL_STORE_STAGING] >= 2 * 4 * N);
        assert_int_equal(m.delegate.staging,
                         (wait == GPU_WAIT_NONE && !policy->host_layout ? 2 : 1) * kernel(s)->plan->store_bytes[GL_STORE_STAGING]);
        submit_to_buffers(s, d, out);
        TEST_OK(session_wait(s, &err), err);
        outputs_hold(d, out);
        TEST_OK(session_bind_output(s, 0, NULL, &err), err);
        for (int i = 0; i < 3; i++) { /* and through both sets back */
            test_fill(s, i);
            TEST_OK(i ? session_run(s, &err) : session_submit(s, &err), err);
            TEST_OK(session_wait(s, &err), err);
            assert_true(fabs((double)((const float *)session_output(s, 0)->data)[N - 1] - wanted(N - 1, i)) < 1e-5);
        }
        session_free(s);
        delegate_close(d);
    }
    unload(&l);
}

static void each_run_has_its_inputs(void **state)
{
    (void)state;
    each_has_its_inputs(&by_dispatches);
}

static void each_run_has_what_the_cpu_laid_out(void **state)
{
    (void)state;
    each_has_its_inputs(&by_cpu);
}

/* ---- who waits for what ---- */

static struct {
    uint32_t made, waits, deleted;
    GLsync fence[64]; /* in the order in which they were made */
    GLsync waited_for;
} seen;

static __typeof__(glFenceSync) real_fence;
static __typeof__(glClientWaitSync) real_wait;
static __typeof__(glDeleteSync) real_delete;

static GLsync see_fence(GLenum condition, GLbitfield flags)
{
    assert_true(seen.made < 64);
    return seen.fence[seen.made++] = real_fence(condition, flags);
}

static GLenum see_wait(GLsync fence, GLbitfield flags, GLuint64 ns)
{
    seen.waits++;
    seen.waited_for = fence;
    return real_wait(fence, flags, ns);
}

static void see_delete(GLsync fence)
{
    seen.deleted++;
    real_delete(fence);
}

static void stand_in(bool in)
{
    if (in) {
        memset(&seen, 0, sizeof seen);
        real_fence = glFenceSync;
        real_wait = glClientWaitSync;
        real_delete = glDeleteSync;
    }
    glFenceSync = in ? see_fence : real_fence;
    glClientWaitSync = in ? see_wait : real_wait;
    glDeleteSync = in ? see_delete : real_delete;
}

/* The third run waits for the first one, and so on; where each is waited for, nobody else waits. */
static void a_set_is_waited_for_when_it_is_taken_again(void **state)
{
    struct loaded l = scaled();
    struct delegate *d = open_waiting(GPU_WAIT_NONE, &by_dispatches);
    struct session *s = test_start(&l, d), *second = test_start(&l, d);
    GLuint before = 0;
    struct err err = {""};

    (void)state;
    TEST_OK(session_run(s, &err), err);
    stand_in(true);
    d->traffic.waits = 0;
    for (uint32_t i = 0; i < RUNS; i++) {
        TEST_OK(session_submit(i % 3 ? s : second, &err), err); /* all sessions have the same two */
        assert_int_equal(seen.made, i + 1);
        assert_int_equal(d->traffic.waits, i < 2 ? 0 : i - 1);
        assert_true(seen.waits >= d->traffic.waits);
        if (i >= 2)
            assert_ptr_equal(seen.waited_for, seen.fence[i - 2]);
        assert_int_not_equal(kernel(i % 3 ? s : second)->buffers[GL_STORE_STAGING], before);
        before = kernel(i % 3 ? s : second)->buffers[GL_STORE_STAGING];
    }
    TEST_OK(session_wait(s, &err), err);
    assert_int_equal(seen.deleted, seen.made);
    seen.waits = 0;
    d->traffic.waits = 0;
    TEST_OK(session_run(s, &err), err);
    assert_int_equal(d->traffic.waits, 1);
    stand_in(false);
    assert_int_equal(seen.deleted, seen.made);
    session_free(second);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

/* One set and no fence but that of the wait itself. */
static void whoever_waits_has_one_set(void **state)
{
    struct loaded l = scaled();
    struct delegate *d = open_waiting(GPU_WAIT_PASSIVE, &by_dispatches);
    struct session *s = test_start(&l, d);
    struct err err = {""};

    (void)state;
    assert_int_equal(kernel(s)->set.shared->buffer[GL_SHARED_OTHER_STAGING], 0);
    TEST_OK(session_run(s, &err), err);
    stand_in(true);
    for (int i = 0; i < 3; i++)
        TEST_OK(session_submit(s, &err), err);
    assert_int_equal(seen.made, 0);
    TEST_OK(session_wait(s, &err), err);
    stand_in(false);
    assert_int_equal(seen.made, 1);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_has_its_inputs),
        cmocka_unit_test(each_run_has_what_the_cpu_laid_out),
        cmocka_unit_test(a_set_is_waited_for_when_it_is_taken_again),
        cmocka_unit_test(whoever_waits_has_one_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
