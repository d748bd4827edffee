/* SPDX-License-Identifier: Apache-2.0 */
/* staging_test.c - inputs and outputs of runs that are handed over one behind the other: each run has its own, whatever the device
 * is late with; and who waits for what. A late device is played by the fence that stands in epoxy's table for a while. */
#include "lib/gl/testing/test_session.h"

#include <math.h>

#include "lib/gl/gpu/gpu.h"
#include "lib/gl/gpu/gpu_kernel.h"
#include "lib/session/session_impl.h"

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

static struct gl_executable *executable(struct session *s)
{
    return ((struct gpu_kernel *)s->plan.steps[0].kernel)->executable;
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
        struct delegate_facts m;
        struct err err = {""};

        session_facts(s, NULL, &m);
        assert_true(executable(s)->plan->store_bytes[GL_STORE_STAGING] >= 2 * 4 * N);
        assert_int_equal(fact_value(&m, "memory.staging"), (wait == GPU_WAIT_NONE && !policy->host_layout ? 2 : 1) *
                                                               executable(s)->plan->store_bytes[GL_STORE_STAGING]);
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

/* ---- outputs of each run ---- */

static void holds_outputs(const struct session *s, int run)
{
    const float *y = session_output(s, 0)->data;

    for (size_t i = 0; i < N; i++)
        if (fabs((double)y[i] - wanted(i, run)) > 1e-5)
            fail_msg("run %d, element %zu: %g", run, i, (double)y[i]);
}

/* As many runs behind each as there may be. */
static void stream(struct session *s, struct delegate *d, int loops, int ahead)
{
    struct err err = {""};

    d->traffic.read = 0;
    for (int i = 0; i < RUNS + ahead; i++) {
        if (i < RUNS) {
            test_fill(s, i);
            TEST_OK(session_submit(s, &err), err);
            if (i > ahead)
                holds_outputs(s, i - 1 - ahead); /* until the next is fetched */
        }
        if (i < ahead)
            continue;
        TEST_OK(session_fetch(s, &err), err);
        holds_outputs(s, i - ahead);
        assert_int_equal(d->traffic.read, 4 * N * (i - ahead + 1));
        assert_int_equal(executable(s)->set.context->pending, i < RUNS ? loops * ahead : 0);
    }
    memset((void *)session_output(s, 0)->data, 0x5a, 4 * N);
    TEST_OK(session_fetch(s, &err), err); /* no run is left */
    assert_int_equal(*(const uint32_t *)session_output(s, 0)->data, 0x5a5a5a5a);
}

/* A third run takes the set of the first; and who runs or waits fetches the last one. */
static void fetch_the_last_two(struct session *s)
{
    struct err err = {""};

    for (int i = 0; i < 3; i++) {
        test_fill(s, i);
        TEST_OK(session_submit(s, &err), err);
    }
    TEST_OK(session_fetch(s, &err), err);
    holds_outputs(s, 1);
    test_fill(s, 3);
    TEST_OK(session_submit(s, &err), err);
    TEST_OK(session_wait(s, &err), err);
    holds_outputs(s, 3);
    TEST_OK(session_submit(s, &err), err);
    test_fill(s, 5);
    TEST_OK(session_run(s, &err), err);
    test_fill(s, 6);
    TEST_OK(session_submit(s, &err), err);
    holds_outputs(s, 5);
    TEST_OK(session_fetch(s, &err), err);
    holds_outputs(s, 6);
}

static void outputs_of_each_run_are_fetched(void **state)
{
    static const struct {
        enum gpu_wait wait;
        const struct gl_policy *policy;
        int loops, ahead;
    } cases[] = {{GPU_WAIT_NONE, &by_dispatches, 1, 1},
                 {GPU_WAIT_NONE, &by_cpu, 1, 0},
                 {GPU_WAIT_NONE, &by_cpu, 3, 1}, /* dispatches that come again: inputs are no longer there */
                 {GPU_WAIT_PASSIVE, &by_dispatches, 1, 0}};
    struct loaded l = scaled();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct delegate *d = test_open_gpu(
            (struct gpu_options){.device = -1, .policy = cases[i].policy, .wait = cases[i].wait, .loop_times = cases[i].loops});
        struct session *s = test_start(&l, d);

        assert_int_equal(session_ahead(s), cases[i].ahead);
        stream(s, d, cases[i].loops, cases[i].ahead);
        stream(s, d, cases[i].loops, cases[i].ahead);
        if (cases[i].ahead)
            fetch_the_last_two(s);
        session_free(s);
        delegate_close(d);
    }
    unload(&l);
}

enum second { BY_CPU, THE_INPUT, OF_BOOLS, SECONDS };

/* y = |x|, and z: the CPU makes it of x; it is x; or it is x > 0, which no CPU lays out. */
static struct loaded two_outputs(enum second second)
{
    struct builder b;
    int32_t x, y, z;

    builder_init(&b, "two outputs");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2, 2, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 2, 2, 4));
    z = second == THE_INPUT ? x : build_tensor(&b, "z", second == OF_BOOLS ? TYPE_BOOL : TYPE_FLOAT32, SHAPE(1, 2, 2, 4));
    if (second == BY_CPU)
        test_on_cpu(&b, x, z);
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(y));
    if (second == OF_BOOLS)
        build_op(&b, BUILTIN_GREATER, 1, NULL, INDICES(x, build_const(&b, "0", TYPE_FLOAT32, SHAPE(1), (float[]){0})), INDICES(z));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y, z));
    return load(&b);
}

/* Some outputs of a run are where the next one's will be. */
static void who_shares_outputs_is_not_ahead(void **state)
{
    (void)state;
    for (int i = 0; i < SECONDS; i++) {
        struct delegate *d = open_waiting(GPU_WAIT_NONE, i == OF_BOOLS ? &by_cpu : &by_dispatches);
        struct loaded l = two_outputs((enum second)i);
        struct session *s = test_start(&l, d);

        assert_true(session_submits(s));
        assert_int_equal(session_ahead(s), 0);
        session_free(s);
        delegate_close(d);
        unload(&l);
    }
}

/* What the CPU makes comes to host memory, though the last partition's output is in a buffer. */
static void outputs_of_the_cpu_are_fetched(void **state)
{
    struct delegate *d = open_waiting(GPU_WAIT_NONE, &by_dispatches);
    struct delegate_buffer b = {.bytes = 4 * 2 * 2 * 4};
    struct loaded l = two_outputs(BY_CPU);
    struct session *s = test_start(&l, d);
    struct err err = {""};

    (void)state;
    TEST_OK(d->ops->buffer_new(d, b.bytes, &b.id, &err), err);
    TEST_OK(session_bind_output(s, 0, &b, &err), err);
    assert_int_equal(session_ahead(s), 0);
    session_free(s);
    d->ops->buffer_free(d, b.id);
    delegate_close(d);
    unload(&l);
}

/* All is there when the CPU has run; nothing comes of what stays on the device. */
static void who_has_nothing_to_fetch(void **state)
{
    struct delegate *d = open_waiting(GPU_WAIT_NONE, &by_dispatches);
    struct delegate_buffer b = {.bytes = 4 * N};
    struct loaded l = scaled();
    struct session *s = test_start(&l, NULL);
    struct err err = {""};

    (void)state;
    assert_int_equal(session_ahead(s), 0);
    test_fill(s, 4);
    TEST_OK(session_submit(s, &err), err);
    TEST_OK(session_fetch(s, &err), err);
    holds_outputs(s, 4);
    session_free(s);
    s = test_start(&l, d);
    TEST_OK(d->ops->buffer_new(d, 4 * N, &b.id, &err), err);
    TEST_OK(session_bind_output(s, 0, &b, &err), err);
    assert_int_equal(session_ahead(s), UINT32_MAX);
    for (int i = 0; i < 3; i++)
        TEST_OK(session_submit(s, &err), err);
    TEST_OK(session_fetch(s, &err), err);
    assert_int_equal(executable(s)->pending, 0);
    session_free(s);
    d->ops->buffer_free(d, b.id);
    delegate_close(d);
    unload(&l);
}

/* ---- who waits for what ---- */

static struct {
    uint32_t made, waits, deleted, finished;
    GLsync fence[64]; /* in the order in which they were made */
    GLsync waited_for;
} seen;

static __typeof__(glFenceSync) real_fence;
static __typeof__(glClientWaitSync) real_wait;
static __typeof__(glDeleteSync) real_delete;
static __typeof__(glFinish) real_finish;

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

static void see_finish(void)
{
    seen.finished++;
    real_finish();
}

static void stand_in(bool in)
{
    if (in) {
        memset(&seen, 0, sizeof seen);
        real_fence = glFenceSync;
        real_wait = glClientWaitSync;
        real_delete = glDeleteSync;
        real_finish = glFinish;
    }
    glFenceSync = in ? see_fence : real_fence;
    glClientWaitSync = in ? see_wait : real_wait;
    glDeleteSync = in ? see_delete : real_delete;
    glFinish = in ? see_finish : real_finish;
}

/* A session that has run once, whose fences are seen from now on. */
struct watched {
    struct loaded l;
    struct delegate *d;
    struct session *s;
};

static struct watched watch(void)
{
    struct watched w = {.l = scaled(), .d = open_waiting(GPU_WAIT_NONE, &by_dispatches)};
    struct err err = {""};

    w.s = test_start(&w.l, w.d);
    TEST_OK(session_run(w.s, &err), err);
    stand_in(true);
    w.d->traffic.waits = 0;
    return w;
}

static void unwatch(struct watched *w)
{
    stand_in(false);
    assert_int_equal(seen.deleted, seen.made);
    session_free(w->s);
    delegate_close(w->d);
    unload(&w->l);
}

/* The third run waits for the first one, and so on; where each is waited for, nobody else waits. */
static void a_set_is_waited_for_when_it_is_taken_again(void **state)
{
    struct watched w = watch();
    struct session *s = w.s;
    GLuint before = 0;
    struct err err = {""};

    (void)state;
    for (uint32_t i = 0; i < RUNS; i++) {
        TEST_OK(session_submit(s, &err), err);
        assert_int_equal(seen.made, i + 1);
        assert_int_equal(w.d->traffic.waits, i < 2 ? 0 : i - 1);
        assert_true(seen.waits >= w.d->traffic.waits);
        if (i >= 2)
            assert_ptr_equal(seen.waited_for, seen.fence[i - 2]);
        assert_int_not_equal(executable(s)->buffers[GL_STORE_STAGING], before);
        before = executable(s)->buffers[GL_STORE_STAGING];
    }
    TEST_OK(session_wait(s, &err), err);
    assert_int_equal(seen.deleted, seen.made);
    seen.waits = 0;
    w.d->traffic.waits = 0;
    TEST_OK(session_run(s, &err), err);
    assert_int_equal(w.d->traffic.waits, 1);
    unwatch(&w);
}

/* By its own fence, and nobody waits for what is behind that; the set is then free for the next run. */
static void a_run_is_fetched_when_it_alone_is_done(void **state)
{
    struct watched w = watch();
    struct session *s = w.s;
    struct err err = {""};

    (void)state;
    for (uint32_t i = 0; i < RUNS; i++) {
        TEST_OK(session_submit(s, &err), err);
        assert_int_equal(seen.made, i + 1);
        assert_int_equal(w.d->traffic.waits, i ? i - 1 : 0);
        if (!i)
            continue;
        TEST_OK(session_fetch(s, &err), err);
        assert_int_equal(w.d->traffic.waits, i);
        assert_true(seen.waits >= i);
        assert_ptr_equal(seen.waited_for, seen.fence[i - 1]);
        assert_int_equal(seen.made, i + 1);
    }
    assert_int_equal(seen.deleted, RUNS - 1);
    assert_int_equal(seen.finished, 0);
    TEST_OK(session_fetch(s, &err), err);
    assert_int_equal(seen.finished, 0);
    unwatch(&w);
}

/* One set and no fence but that of the wait itself. */
static void whoever_waits_has_one_set(void **state)
{
    struct loaded l = scaled();
    struct delegate *d = open_waiting(GPU_WAIT_PASSIVE, &by_dispatches);
    struct session *s = test_start(&l, d);
    struct err err = {""};

    (void)state;
    assert_int_equal(executable(s)->set.shared->buffer[GL_SHARED_OTHER_STAGING], 0);
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
        cmocka_unit_test(outputs_of_each_run_are_fetched),
        cmocka_unit_test(who_shares_outputs_is_not_ahead),
        cmocka_unit_test(outputs_of_the_cpu_are_fetched),
        cmocka_unit_test(who_has_nothing_to_fetch),
        cmocka_unit_test(a_set_is_waited_for_when_it_is_taken_again),
        cmocka_unit_test(a_run_is_fetched_when_it_alone_is_done),
        cmocka_unit_test(whoever_waits_has_one_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
