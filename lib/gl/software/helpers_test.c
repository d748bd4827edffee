/* SPDX-License-Identifier: Apache-2.0 */
/* helpers_test.c - helpers do each job once, with a context of their own, and leave no trace; what they compiled computes the same.
 */
#include "lib/gl/software/helpers.h"

#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#include "lib/gl/testing/test_session.h"

#define JOBS 40

/* What is done at once, as if nothing were found in any cache. */
static bool hurry(struct gl_context *c)
{
    if (!c->limits.policy.dynamic_compile)
        return false;
    c->programs.helpers.most = 3;
    c->programs.helpers.patience_ns = 0;
    return true;
}

/* Of a driver that compiles late; ends the test where there is no such. */
static struct gl_context *open_hurrying(void)
{
    struct gl_context *c = test_open_context();

    gl_context_call_helpers(c);
    if (!hurry(c)) {
        gl_context_close(c);
        skip();
    }
    return c;
}

struct jobs {
    struct gl_context *c;
    uint32_t done[JOBS];
    uint32_t by[1 + GL_MAX_HELPERS];
    uint32_t last_by; /* who did the last of n jobs */
    uint32_t n;
    uint32_t astray; /* jobs for which another context was current */
    uint32_t bad;    /* 1 + the one for which GL has an error */
};

static void do_job(void *arg, uint32_t i, uint32_t who)
{
    struct jobs *j = arg;

    __atomic_add_fetch(&j->done[i], 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&j->by[who], 1, __ATOMIC_RELAXED);
    if (i + 1 == j->n)
        j->last_by = who;
    if (eglGetCurrentContext() != j->c->programs.helpers.context[who])
        __atomic_add_fetch(&j->astray, 1, __ATOMIC_RELAXED);
    if (i + 1 == j->bad)
        glBindBuffer(0, 0);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* Returns how many the helpers did, and in *last_by who did the last. */
static uint32_t share_and_ask(struct gl_context *c, uint32_t n, uint32_t bad, uint32_t *last_by)
{
    struct jobs j = {.c = c, .n = n, .bad = bad};

    gl_helpers_share(&c->programs.helpers, n, do_job, &j);
    for (uint32_t i = 0; i < JOBS; i++)
        assert_int_equal(j.done[i], i < n);
    assert_int_equal(j.astray, 0);
    assert_ptr_equal(eglGetCurrentContext(), c->context);
    *last_by = j.last_by;
    return n - j.by[0];
}

static uint32_t share_jobs(struct gl_context *c, uint32_t n, uint32_t bad)
{
    uint32_t last_by;

    return share_and_ask(c, n, bad, &last_by);
}

/* On a busy machine the calling thread may have done all before the first of them has its context. */
static void wait_for_helpers(struct gl_context *c)
{
    for (int i = 0; i < 100; i++)
        if (share_jobs(c, JOBS, 0))
            return;
    fail_msg("no helper ever did a job");
}

static void each_job_is_done_once(void **state)
{
    struct gl_context *c = open_hurrying();
    struct err err;

    (void)state;
    wait_for_helpers(c);
    for (uint32_t n = 0; n < 5; n++)
        share_jobs(c, n, 0);
    TEST_OK(gl_context_check(c, "testing", &err), err);
    gl_context_close(c);
}

/* The last job, which is the shortest, is done before anybody else is asked. */
static void a_patient_thread_works_alone(void **state)
{
    struct gl_context *c = open_hurrying();
    uint32_t last_by = 1, helped = 0;

    (void)state;
    wait_for_helpers(c);
    c->programs.helpers.patience_ns = 1000000;
    for (int i = 0; i < 20 || (!helped && i < 100); i++) {
        helped += share_and_ask(c, 5, 0, &last_by);
        assert_int_equal(last_by, 0);
    }
    assert_true(helped > 0);
    c->programs.helpers.patience_ns = UINT64_MAX;
    c->programs.helpers.found_ns = UINT64_MAX;
    assert_int_equal(share_jobs(c, JOBS, 0), 0);
    c->programs.helpers.most = 0;
    c->programs.helpers.patience_ns = 0;
    assert_int_equal(share_jobs(c, JOBS, 0), 0);
    c->programs.helpers.most = 3;
    gl_context_close(c);
}

/* Not the first, which may be long for another reason. */
static void one_long_job_is_enough(void **state)
{
    struct gl_context *c = open_hurrying();
    uint32_t helped = 0;

    (void)state;
    wait_for_helpers(c);
    c->programs.helpers.patience_ns = UINT64_MAX;
    c->programs.helpers.found_ns = 1000000;
    for (int i = 0; i < 100 && !helped; i++)
        helped = share_jobs(c, JOBS, 0);
    assert_in_range(helped, 1, JOBS - 2);
    assert_int_equal(share_jobs(c, 2, 0), 0);
    gl_context_close(c);
}

/* As by ulimit -v, however much that leaves. */
static void who_may_have_only_so_much_memory_works_alone(void **state)
{
    static const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
    struct gl_context *c = open_hurrying();

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rlimit before, bound;

        assert_int_equal(getrlimit(resources[i], &before), 0);
        bound = before;
        bound.rlim_cur = (rlim_t)1 << 50;
        assert_int_equal(setrlimit(resources[i], &bound), 0);
        gl_context_call_helpers(c);
        assert_false(gl_helpers_any(&c->programs.helpers));
        assert_int_equal(setrlimit(resources[i], &before), 0);
    }
    gl_context_close(c);
}

static EGLContext no_context(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attributes)
{
    (void)display, (void)config, (void)share, (void)attributes;
    return EGL_NO_CONTEXT;
}

static EGLBoolean not_current(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    (void)display, (void)draw, (void)read, (void)context;
    return EGL_FALSE;
}

static __typeof__(epoxy_eglMakeCurrent) real_make_current;

static EGLBoolean not_released(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    return context ? real_make_current(display, draw, read, context) : EGL_FALSE;
}

static void who_gets_no_context_helps_nobody(void **state)
{
    struct gl_context *c = open_hurrying();
    __typeof__(epoxy_eglCreateContext) create = epoxy_eglCreateContext;
    struct err err;

    (void)state;
    epoxy_eglCreateContext = no_context;
    assert_int_equal(share_jobs(c, JOBS, 0), 0);
    epoxy_eglCreateContext = create;
    TEST_OK(gl_context_check(c, "testing", &err), err);
    gl_context_close(c);
}

static void check_tells(struct gl_context *c, const char *what)
{
    struct err err;

    assert_int_equal(gl_context_check(c, "testing", &err), ST_FAILED);
    assert_string_equal(err.msg, what);
    TEST_OK(gl_context_check(c, "testing again", &err), err);
}

static void their_errors_are_told(void **state)
{
    struct gl_context *c = open_hurrying();

    (void)state;
    wait_for_helpers(c);
    for (uint32_t bad = 1; bad <= JOBS; bad++) {
        share_jobs(c, JOBS, bad);
        check_tells(c, "GL_INVALID_ENUM while testing");
    }
    gl_helpers_turn(&c->programs.helpers, 1);
    assert_ptr_equal(eglGetCurrentContext(), c->programs.helpers.context[1]);
    glBindBuffer(0, 0);
    gl_helpers_turn(&c->programs.helpers, 0);
    assert_ptr_equal(eglGetCurrentContext(), c->context);
    check_tells(c, "GL_INVALID_ENUM while testing");

    real_make_current = epoxy_eglMakeCurrent;
    epoxy_eglMakeCurrent = not_current;
    gl_helpers_turn(&c->programs.helpers, 1);
    epoxy_eglMakeCurrent = not_released;
    assert_ptr_equal(eglGetCurrentContext(), c->context);
    check_tells(c, "EGL does not change contexts (EGL error 0x3000) while testing");
    wait_for_helpers(c);
    epoxy_eglMakeCurrent = real_make_current;
    check_tells(c, "EGL does not change contexts (EGL error 0x3000) while testing");
    gl_context_close(c);
}

/* As after a turn that EGL refused. */
static void who_enters_has_the_turn(void **state)
{
    struct gl_context *c = open_hurrying();
    struct gl_current before;
    struct err err;

    (void)state;
    wait_for_helpers(c);
    gl_helpers_turn(&c->programs.helpers, 1);
    TEST_OK(gl_context_enter(c, &before, &err), err);
    assert_int_equal(c->programs.helpers.turn, 0);
    assert_ptr_equal(eglGetCurrentContext(), c->context);
    gl_context_close(c);
}

/* ---- networks ---- */

/* Two partitions of the GPU's, with a node of the CPU's between them. */
static struct loaded network(void)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    const struct opt_softmax softmax = {.beta = 1};
    struct builder b;
    int32_t t[8];

    builder_init(&b, "network");
    for (int i = 0; i < 8; i++)
        t[i] = test_image(&b, (const char *const[]){"x", "conv", "depthwise", "sum", "softmax", "cpu", "last", "y"}[i]);
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(t[0], test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)),
             INDICES(t[1]));
    build_op(&b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same,
             INDICES(t[1], test_weights(&b, SHAPE(1, 3, 3, C), 4), test_weights(&b, SHAPE(C), 5)), INDICES(t[2]));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(t[2], t[0]), INDICES(t[3]));
    build_op(&b, BUILTIN_SOFTMAX, 1, &softmax, INDICES(t[3]), INDICES(t[4]));
    test_on_cpu(&b, t[4], t[5]);
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(t[5], test_weights(&b, SHAPE(C, 1, 1, C), 6), test_weights(&b, SHAPE(C), 7)),
             INDICES(t[6]));
    build_op(&b, BUILTIN_SOFTMAX, 1, &softmax, INDICES(t[6]), INDICES(t[7]));
    build_inputs(&b, INDICES(t[0]));
    build_outputs(&b, INDICES(t[7]));
    return load(&b);
}

static void profile(struct session *s)
{
    const struct profile_row *rows;
    struct err err;
    size_t n;

    TEST_OK(session_profile(s, &rows, &n, &err), err);
    assert_true(n > 4);
}

/* Programs of the context that a helper dispatches. */
static uint32_t n_theirs(const struct gl_context *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->programs.n; i++)
        n += c->programs.list[i]->who != 0;
    return n;
}

/* Another network comes and goes, and its programs with it. */
static void pass_away(struct delegate *d)
{
    struct loaded l = test_small_network();
    struct session *s = test_start(&l, d);
    struct err err;

    TEST_OK(session_run(s, &err), err);
    session_free(s);
    unload(&l);
}

static __typeof__(epoxy_glDispatchComputeIndirect) real_dispatch;
static pthread_t caller;

/* The calling thread takes its time, or, where code is in a cache, had done all before a helper begins. */
static void dispatch_slowly(GLintptr at)
{
    if (pthread_equal(pthread_self(), caller))
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    real_dispatch(at);
}

/* In what order they share the programs differs from time to time. */
static void what_they_compiled_computes_the_same(void **state)
{
    struct loaded l = network();
    struct session *cpu = test_start(&l, NULL);
    struct err err;
    uint32_t theirs = 0, anew = 0;

    (void)state;
    caller = pthread_self();
    for (int round = 0; round < 6 || (!(theirs && anew) && round < 60); round++) {
        struct delegate *d = test_open_best();
        struct gl_context *c = gpu_context(d);
        uint32_t before = test_gl_objects();
        struct session *gpu;

        if (epoxy_glDispatchComputeIndirect != dispatch_slowly) /* libepoxy's first call puts the driver's function there */
            real_dispatch = epoxy_glDispatchComputeIndirect;
        epoxy_glDispatchComputeIndirect = dispatch_slowly;
        if (!hurry(c)) {
            delegate_close(d);
            session_free(cpu);
            unload(&l);
            skip();
        }
        wait_for_helpers(c);
        gpu = test_start(&l, d);
        if (round % 2)
            profile(gpu);
        test_compare(gpu, cpu, round);
        test_compare(gpu, cpu, round + 0.5);
        profile(gpu);
        test_compare(gpu, cpu, -round);
        assert_int_equal(c->programs.helpers.turn, 0);
        theirs += n_theirs(c);
        pass_away(d);
        assert_int_equal(n_theirs(c), 0);
        wait_for_helpers(c);
        test_compare(gpu, cpu, round + 0.25);
        anew += n_theirs(c);
        session_free(gpu);
        assert_int_equal(test_gl_objects(), before);
        for (uint32_t who = 1; who <= GL_MAX_HELPERS; who++)
            assert_ptr_equal(c->programs.helpers.context[who], EGL_NO_CONTEXT);
        TEST_OK(gl_context_check(c, "testing", &err), err);
        delegate_close(d);
    }
    epoxy_glDispatchComputeIndirect = real_dispatch;
    assert_true(theirs > 0 && anew > 0);
    session_free(cpu);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_is_done_once),
        cmocka_unit_test(a_patient_thread_works_alone),
        cmocka_unit_test(one_long_job_is_enough),
        cmocka_unit_test(who_may_have_only_so_much_memory_works_alone),
        cmocka_unit_test(who_gets_no_context_helps_nobody),
        cmocka_unit_test(their_errors_are_told),
        cmocka_unit_test(who_enters_has_the_turn),
        cmocka_unit_test(what_they_compiled_computes_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
