/* SPDX-License-Identifier: Apache-2.0 */
/* wait_test.c - waiting for a GPU that answers, that is late, that fails; flushes; timers. Drivers are played by functions that
 * stand in epoxy's table for a while. */
#include "lib/gl/device/wait.h"

#include <string.h>

#include "bench/models/builder.h"
#include "lib/base/clock.h"
#include "lib/gl/testing/test_gpu.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

#define MS 1000000u

static struct gl_context *context;

/* What the played driver does, and what it was asked. */
static struct played {
    uint32_t late;       /* waits that time out before one does not */
    GLenum answer;       /* of that one */
    bool no_fence;       /* glFenceSync fails */
    uint64_t sleeps_ns;  /* what a wait takes at most */
    uint64_t longest_ns; /* that was asked for */
    uint32_t waits, fences, finishes, flushes;
} played;

static GLsync play_fence(GLenum condition, GLbitfield flags)
{
    (void)condition;
    (void)flags;
    played.fences++;
    return played.no_fence ? NULL : (GLsync)&played;
}

static void play_delete(GLsync fence)
{
    assert_ptr_equal(fence, &played);
    played.fences--;
}

static GLenum play_wait(GLsync fence, GLbitfield flags, GLuint64 ns)
{
    uint64_t nap = ns < played.sleeps_ns ? ns : played.sleeps_ns;

    assert_ptr_equal(fence, &played);
    assert_int_equal(flags, GL_SYNC_FLUSH_COMMANDS_BIT);
    if (ns > played.longest_ns)
        played.longest_ns = ns;
    if (played.waits++ >= played.late)
        return played.answer;
    nanosleep(&(struct timespec){(time_t)(nap / 1000000000u), (long)(nap % 1000000000u)}, NULL);
    return GL_TIMEOUT_EXPIRED;
}

static void play_finish(void)
{
    played.finishes++;
}

static void play_flush(void)
{
    played.flushes++;
}

/* Puts the played functions in, or the real ones back. */
static void swap_driver(void)
{
    static PFNGLFENCESYNCPROC fence = play_fence;
    static PFNGLDELETESYNCPROC delete_fence = play_delete;
    static PFNGLCLIENTWAITSYNCPROC wait = play_wait;
    static PFNGLFINISHPROC finish = play_finish;

#define SWAP(a, b)                                                                                                                 \
    do {                                                                                                                           \
        __typeof__(a) keep = a;                                                                                                    \
        a = b;                                                                                                                     \
        b = keep;                                                                                                                  \
    } while (0)
    SWAP(glFenceSync, fence);
    SWAP(glDeleteSync, delete_fence);
    SWAP(glClientWaitSync, wait);
    SWAP(glFinish, finish);
}

static enum status wait_played(struct played p, struct gl_waiting how, struct err *err)
{
    enum status st;

    played = p;
    swap_driver();
    st = gl_wait(context, &how, err);
    swap_driver();
    assert_int_equal(played.fences, played.no_fence);
    return st;
}

static int open_one(void **state)
{
    (void)state;
    context = NULL;
    return 0;
}

static int close_one(void **state)
{
    (void)state;
    gl_context_close(context);
    return 0;
}

static void an_answer_ends_the_wait(void **state)
{
    struct err err = {""};

    (void)state;
    context = test_open_context();
    TEST_OK(wait_played((struct played){.answer = GL_ALREADY_SIGNALED}, (struct gl_waiting){false, 1}, &err), err);
    assert_int_equal(played.waits, 1);
    TEST_OK(wait_played((struct played){.late = 3, .answer = GL_CONDITION_SATISFIED}, (struct gl_waiting){false, 60000}, &err),
            err);
    assert_int_equal(played.waits, 4);
    assert_true(played.longest_ns == 1000u * (uint64_t)MS);
    /* No deadline: it is waited for as often as it takes. */
    TEST_OK(wait_played((struct played){.late = 5000, .answer = GL_CONDITION_SATISFIED}, (struct gl_waiting){false, 0}, &err), err);
    assert_int_equal(played.waits, 5001);
    assert_false(context->stuck);
}

static void polling_never_sleeps(void **state)
{
    struct err err = {""};

    (void)state;
    context = test_open_context();
    TEST_OK(wait_played((struct played){.late = 100, .answer = GL_CONDITION_SATISFIED}, (struct gl_waiting){true, 60000}, &err),
            err);
    assert_int_equal(played.waits, 101);
    assert_true(played.longest_ns == 0);
}

static void expect_dynamic(bool active)
{
    struct err err = {""};
    uint64_t start = clock_ns(), took;

    context = test_open_context();
    assert_int_equal(wait_played((struct played){.late = UINT32_MAX, .sleeps_ns = 10 * MS}, (struct gl_waiting){active, 50}, &err),
                     ST_FAILED);
    took = clock_ns() - start;
    assert_true(took >= 50 * (uint64_t)MS);
    assert_true(played.longest_ns <= 50 * (uint64_t)MS);
    assert_non_null(strstr(err.msg, "the GPU has not finished after "));
    assert_non_null(strstr(err.msg, "at most 50 ms are waited for (--gpu_timeout_ms)"));
    assert_true(context->stuck);
    assert_int_equal(gl_context_enter(context, NULL, &err), ST_FAILED);
    assert_string_equal(err.msg, "the GPU has not finished an earlier run");
}

static void a_gpu_that_is_late_is_given_up(void **state)
{
    (void)state;
    expect_dynamic(false);
    gl_context_close(context);
    assert_null(eglGetCurrentContext());
    expect_dynamic(true);
}

/* What came while this process was not run is taken, however late it is. */
static void the_last_look_counts(void **state)
{
    struct err err = {""};

    (void)state;
    context = test_open_context();
    TEST_OK(wait_played((struct played){.late = 1, .answer = GL_ALREADY_SIGNALED, .sleeps_ns = 30 * MS},
                        (struct gl_waiting){false, 20}, &err),
            err);
}

static void failures_are_told(void **state)
{
    struct err err = {""};

    (void)state;
    context = test_open_context();
    assert_int_equal(wait_played((struct played){.answer = GL_WAIT_FAILED}, (struct gl_waiting){false, 50}, &err), ST_FAILED);
    assert_string_equal(err.msg, "waiting for the GPU failed (GL error 0x0)");
    assert_int_equal(wait_played((struct played){.no_fence = true}, (struct gl_waiting){false, 50}, &err), ST_FAILED);
    assert_string_equal(err.msg, "the driver makes no fence (GL error 0x0)");
    assert_false(context->stuck);
}

static void the_policy_may_ask_for_finish(void **state)
{
    struct err err = {""};

    (void)state;
    context = test_open_context();
    context->limits.policy.finish = true;
    TEST_OK(wait_played((struct played){.no_fence = false}, (struct gl_waiting){false, 50}, &err), err);
    assert_int_equal(played.finishes, 1);
    assert_int_equal(played.waits, 0);
}

/* ---- the real driver ---- */

/* Sums in 1024 invocations, some tenths of a second of work for a CPU. */
static void start_long_work(void)
{
    static const char *const text = "#version 310 es\nlayout(local_size_x = 32) in;\n"
                                    "layout(std430, binding = 0) buffer b { float f[]; };\n"
                                    "void main()\n{\n    float x = f[gl_GlobalInvocationID.x];\n"
                                    "    for (int i = 0; i < 60000; i++)\n        x += sin(x + float(i));\n"
                                    "    f[gl_GlobalInvocationID.x] = x;\n}\n";
    GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text), buffer;

    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 1024 * sizeof(float), NULL, GL_DYNAMIC_COPY);
    glUseProgram(program);
    glDispatchCompute(32, 1, 1);
}

static void long_work_is_waited_for(void **state)
{
    struct err err = {""};

    (void)state;
    context = test_open_context();
    start_long_work();
    TEST_OK(gl_wait(context, &(struct gl_waiting){false, 0}, &err), err);
    start_long_work();
    TEST_OK(gl_wait(context, &(struct gl_waiting){true, 60000}, &err), err);
    TEST_OK(gl_context_check(context, "waiting", &err), err);
}

/* Where dispatching takes as long as the work, there is nothing left to wait for. */
static void long_work_can_be_too_long(void **state)
{
    uint64_t start, given, done;
    struct err err = {""};
    enum status st;

    (void)state;
    context = test_open_context();
    start_long_work(); /* compiles */
    TEST_OK(gl_wait(context, &(struct gl_waiting){false, 0}, &err), err);
    start = clock_ns();
    start_long_work();
    given = clock_ns() - start;
    st = gl_wait(context, &(struct gl_waiting){false, 1}, &err);
    /* Reading waits for the work; zink ends a second fence, behind which nothing was given, at once (22.3.6). */
    assert_non_null(glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, sizeof(float), GL_MAP_READ_BIT));
    done = clock_ns() - start;
    assert_int_equal(context->stuck, st != ST_OK);
    if (done < 2 * given + 20 * (uint64_t)MS)
        return;
    assert_int_equal(st, ST_FAILED);
    assert_non_null(strstr(err.msg, "at most 1 ms are waited for"));
}

/* ---- inferences ---- */

/* y = -x, then two softmaxes: with upload and download five dispatches. */
static struct loaded network(void)
{
    struct builder b;
    int32_t x, t, u, y;

    builder_init(&b, "network");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 8));
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, 8));
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1, 8));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 8));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(t));
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(t), INDICES(u));
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(u), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static struct session *start(const struct loaded *l, struct delegate *d)
{
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}};
    struct session *s;
    struct err err = {""};

    TEST_OK(session_new(l->model, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    memset(session_input(s, 0)->data, 0, session_input(s, 0)->bytes);
    return s;
}

static void a_late_inference_is_an_error(void **state)
{
    struct loaded l;
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .timeout_ms = 30});
    struct session *s;
    struct err err = {""};

    (void)state;
    l = network();
    s = start(&l, d);
    played = (struct played){.late = UINT32_MAX, .sleeps_ns = 10 * MS};
    swap_driver();
    assert_int_equal(session_run(s, &err), ST_FAILED);
    swap_driver();
    assert_non_null(strstr(err.msg, "at most 30 ms are waited for (--gpu_timeout_ms)"));
    assert_int_equal(session_run(s, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "the GPU has not finished an earlier run"));
    session_free(s);
    delegate_close(d);
    unload(&l);
}

/* Dispatches an inference has: one glFlush for each, or for every `flush` of them. */
static uint32_t count_flushes(const struct loaded *l, uint32_t flush)
{
    struct gl_policy p = gl_policy_unknown;
    struct delegate *d;
    struct session *s;
    struct err err = {""};
    PFNGLFLUSHPROC real;

    p.flush = flush;
    d = test_open_gpu((struct gpu_options){.device = -1, .policy = &p});
    s = start(l, d);
    real = glFlush;
    played.flushes = 0;
    glFlush = play_flush;
    TEST_OK(session_run(s, &err), err);
    glFlush = real;
    session_free(s);
    delegate_close(d);
    return played.flushes;
}

static void the_policy_may_ask_for_flushes(void **state)
{
    struct loaded l;
    uint32_t all;

    (void)state;
    gl_context_close(test_open_context());
    l = network();
    all = count_flushes(&l, 1);
    assert_true(all >= 2);
    assert_int_equal(count_flushes(&l, 0), 0);
    assert_int_equal(count_flushes(&l, 2), all / 2);
    assert_int_equal(count_flushes(&l, all + 1), 0);
    unload(&l);
}

/* ---- timers ---- */

static PFNGLGETINTEGERVPROC real_get;
static int disjoint[2], asked; /* what the driver answers in turn, and how often it was asked */

static void play_get(GLenum what, GLint *v)
{
    if (what == GL_GPU_DISJOINT_EXT)
        *v = disjoint[asked++ & 1];
    else
        real_get(what, v);
}

/* Profiles where the driver tells of lost time before the run, or within it. True: all dispatches have a time. */
static bool profile(struct session *s, int before, int within)
{
    const struct profile_row *rows;
    struct err err = {""};
    size_t n;
    bool timed = true;

    disjoint[0] = before;
    disjoint[1] = within;
    asked = 0;
    real_get = glGetIntegerv;
    glGetIntegerv = play_get;
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    glGetIntegerv = real_get;
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++)
        timed &= rows[i].timed;
    return timed;
}

static void times_lost_earlier_do_not_matter(void **state)
{
    struct gl_context *c = test_open_context();
    struct gl_policy p = c->limits.policy;
    bool timer = c->timer_query;
    struct delegate *d;
    struct loaded l;
    struct session *s;

    (void)state;
    gl_context_close(c);
    if (!timer)
        skip();
    p.timer = true;
    l = network();
    d = test_open_gpu((struct gpu_options){.device = -1, .policy = &p});
    s = start(&l, d);
    assert_true(profile(s, 0, 0));
    assert_int_equal(asked, 2);
    assert_true(profile(s, 1, 0));
    assert_false(profile(s, 0, 1));
    session_free(s);
    delegate_close(d);
    unload(&l);
}

/* The clocks are two, so that a begin may lie a little outside of the run. */
static void begins_by_the_clock_of_the_device(void **state)
{
    struct gl_context *c = test_open_context();
    struct gl_policy p = c->limits.policy;
    const bool told = c->timestamps;
    const struct profile_row *rows;
    struct session *s;
    struct delegate *d;
    struct loaded l;
    uint64_t last;
    size_t n, by_device = 0;
    struct err err = {""};

    (void)state;
    gl_context_close(c);
    if (!told)
        skip();
    p.timer = true;
    l = network();
    d = test_open_gpu((struct gpu_options){.device = -1, .policy = &p});
    s = start(&l, d);
    last = clock_ns() - 1000000;
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++) {
        if (!rows[i].device_clock)
            continue;
        assert_true(rows[i].begin_ns >= last && rows[i].begin_ns < clock_ns() + 1000000);
        last = rows[i].begin_ns;
        by_device++;
    }
    assert_true(by_device > 0);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

static void no_bits(GLenum target, GLenum what, GLint *v)
{
    assert_int_equal(target, GL_TIME_ELAPSED_EXT);
    assert_int_equal(what, GL_QUERY_COUNTER_BITS_EXT);
    *v = 0;
}

static void a_timer_without_bits_is_none(void **state)
{
    PFNGLGETQUERYIVEXTPROC real = glGetQueryivEXT;

    (void)state;
    glGetQueryivEXT = no_bits;
    context = test_open_context();
    glGetQueryivEXT = real;
    assert_false(context->timer_query);
}

#define WITH_CONTEXT(f) cmocka_unit_test_setup_teardown(f, open_one, close_one)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(an_answer_ends_the_wait),
        WITH_CONTEXT(polling_never_sleeps),
        WITH_CONTEXT(a_gpu_that_is_late_is_given_up),
        WITH_CONTEXT(the_last_look_counts),
        WITH_CONTEXT(failures_are_told),
        WITH_CONTEXT(the_policy_may_ask_for_finish),
        WITH_CONTEXT(long_work_is_waited_for),
        WITH_CONTEXT(long_work_can_be_too_long),
        cmocka_unit_test(a_late_inference_is_an_error),
        cmocka_unit_test(the_policy_may_ask_for_flushes),
        cmocka_unit_test(times_lost_earlier_do_not_matter),
        cmocka_unit_test(begins_by_the_clock_of_the_device),
        WITH_CONTEXT(a_timer_without_bits_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
