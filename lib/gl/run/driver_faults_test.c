/* SPDX-License-Identifier: Apache-2.0 */
/* driver_faults_test.c - each call of a kind to the driver fails once: the session says so; what does not link, the CPU computes.
 *
 * What fails stands in epoxy's table for a while. No object of GL's is left behind. */
#include "lib/gl/testing/test_session.h"

enum { MOST = 60 };

static struct {
    int at, n; /* number of the call that fails, and of those met so far */
    bool lost; /* a GL error that is still to be told */
} fault;

static __typeof__(glBufferData) real_data;
static __typeof__(glGetError) real_error;
static __typeof__(glLinkProgram) real_link;
static __typeof__(glMapBufferRange) real_map;
static __typeof__(glUnmapBuffer) real_unmap;
static __typeof__(glFenceSync) real_fence;
static __typeof__(glClientWaitSync) real_wait;
static PFNGLGETGRAPHICSRESETSTATUSPROC real_reset;
static PFNGLGETGRAPHICSRESETSTATUSKHRPROC real_reset_khr;
static PFNGLGETGRAPHICSRESETSTATUSEXTPROC real_reset_ext;

static bool fails(void)
{
    return ++fault.n == fault.at;
}

static void no_data(GLenum target, GLsizeiptr bytes, const void *data, GLenum usage)
{
    if (fails())
        fault.lost = true;
    else
        real_data(target, bytes, data, usage);
}

static GLenum told_error(void)
{
    const bool lost = fault.lost;

    fault.lost = false;
    return lost ? GL_OUT_OF_MEMORY : real_error();
}

static void no_link(GLuint program)
{
    if (!fails())
        real_link(program);
}

static void *no_map(GLenum target, GLintptr from, GLsizeiptr bytes, GLbitfield access)
{
    return fails() ? NULL : real_map(target, from, bytes, access);
}

static GLboolean no_unmap(GLenum target)
{
    const GLboolean kept = real_unmap(target);

    return fails() ? GL_FALSE : kept;
}

static GLsync no_fence(GLenum condition, GLbitfield flags)
{
    return fails() ? NULL : real_fence(condition, flags);
}

static GLenum no_wait(GLsync fence, GLbitfield flags, GLuint64 ns)
{
    return fails() ? GL_WAIT_FAILED : real_wait(fence, flags, ns);
}

/* From that call on. */
static GLenum was_reset(void)
{
    return ++fault.n >= fault.at ? GL_GUILTY_CONTEXT_RESET : GL_NO_ERROR;
}

enum what { DATA, LINK, MAP, UNMAP, FENCE, WAIT, RESET };

static void stand_in(enum what what, int at)
{
    fault.at = at;
    fault.n = 0;
    fault.lost = false;
    real_data = glBufferData, real_error = glGetError, real_link = glLinkProgram, real_map = glMapBufferRange;
    real_unmap = glUnmapBuffer, real_fence = glFenceSync, real_wait = glClientWaitSync;
    real_reset = glGetGraphicsResetStatus, real_reset_khr = glGetGraphicsResetStatusKHR;
    real_reset_ext = glGetGraphicsResetStatusEXT;
    switch (what) {
    case DATA:
        glBufferData = no_data;
        glGetError = told_error;
        break;
    case LINK: glLinkProgram = no_link; break;
    case MAP: glMapBufferRange = no_map; break;
    case UNMAP: glUnmapBuffer = no_unmap; break;
    case FENCE: glFenceSync = no_fence; break;
    case WAIT: glClientWaitSync = no_wait; break;
    case RESET:
        glGetGraphicsResetStatus = was_reset;
        glGetGraphicsResetStatusKHR = was_reset;
        glGetGraphicsResetStatusEXT = was_reset;
        break;
    }
}

static void stand_out(void)
{
    glBufferData = real_data, glGetError = real_error, glLinkProgram = real_link, glMapBufferRange = real_map;
    glUnmapBuffer = real_unmap, glFenceSync = real_fence, glClientWaitSync = real_wait;
    glGetGraphicsResetStatus = real_reset, glGetGraphicsResetStatusKHR = real_reset_khr;
    glGetGraphicsResetStatusEXT = real_reset_ext;
}

/* Outputs are right, or there is a message. */
static void hold(struct session *s, struct session *cpu, enum status st, const struct err *err)
{
    const float *got, *want;

    if (st) {
        assert_true(*err->msg);
        return;
    }
    got = session_output(s, 0)->data;
    want = session_output(cpu, 0)->data;
    for (size_t i = 0; i < session_output(cpu, 0)->bytes / sizeof *want; i++)
        assert_float_equal(got[i], want[i], 1e-5);
}

/* Whether there was such a call. */
static bool try(enum what what, int at, const struct loaded *l, struct delegate *d, struct session *cpu)
{
    const struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}};
    struct session *s = NULL;
    struct err err = {""};
    enum status st;

    stand_in(what, at);
    if (!(st = session_new(l->model, &o, &s, &err)) && !(st = session_prepare(s, &err))) {
        test_fill(s, 1);
        st = session_run(s, &err);
    }
    stand_out();
    assert_true(st || what == LINK || fault.n < at); /* what does not link runs on the CPU */
    hold(s, cpu, st, &err);
    session_free(s);
    return fault.n >= at;
}

static void fail_each(enum what what)
{
    const struct gpu_options options = {.device = -1};
    struct loaded l = test_small_network();
    struct session *cpu = test_start(&l, NULL);
    struct err err = {""};
    int met = 0;

    test_fill(cpu, 1);
    TEST_OK(session_run(cpu, &err), err);
    for (bool more = true; more && met < MOST;) {
        struct delegate *d = test_open_gpu(options);
        const uint32_t before = test_gl_objects();

        if ((more = try(what, met + 1, &l, d, cpu)))
            met++;
        assert_int_equal(test_gl_objects(), before);
        delegate_close(d);
    }
    assert_true(met < MOST && (met || what >= FENCE)); /* not every driver is asked for those */
    session_free(cpu);
    unload(&l);
}

static void buffers_have_no_memory(void **state)
{
    (void)state;
    fail_each(DATA);
}

static void programs_do_not_link(void **state)
{
    (void)state;
    fail_each(LINK);
}

static void buffers_are_not_mapped(void **state)
{
    (void)state;
    fail_each(MAP);
}

static void mapped_buffers_are_lost(void **state)
{
    (void)state;
    fail_each(UNMAP);
}

static void there_is_no_fence(void **state)
{
    (void)state;
    fail_each(FENCE);
}

static void waiting_fails(void **state)
{
    (void)state;
    fail_each(WAIT);
}

static void the_context_is_lost(void **state)
{
    (void)state;
    fail_each(RESET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_have_no_memory),  cmocka_unit_test(programs_do_not_link), cmocka_unit_test(buffers_are_not_mapped),
        cmocka_unit_test(mapped_buffers_are_lost), cmocka_unit_test(there_is_no_fence),    cmocka_unit_test(waiting_fails),
        cmocka_unit_test(the_context_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
