/* SPDX-License-Identifier: Apache-2.0 */
/* context_test.c - opening a device, keeping to one thread, telling errors; and a machine that has none. */
#include "lib/gl/device/context.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/gl/testing/test_gpu.h"

static void limits_are_at_least_those_of_es31(void **state)
{
    struct gl_context *c = test_open_context();
    const struct gl_limits *l = &c->limits, *least = &gl_limits_least;

    (void)state;
    assert_true(l->storage_blocks >= least->storage_blocks && l->storage_blocks <= GL_MAX_BINDINGS);
    assert_true(l->output_resources >= l->storage_blocks);
    assert_true(l->storage_block_bytes >= least->storage_block_bytes);
    assert_true(l->storage_align > 0 && l->storage_align <= least->storage_align);
    for (int i = 0; i < 3; i++) {
        assert_true(l->group_count[i] >= least->group_count[i]);
        assert_true(l->group_size[i] >= least->group_size[i]);
    }
    assert_true(l->group_invocations >= least->group_invocations);
    assert_true(l->shared_bytes >= least->shared_bytes);
    assert_true(l->uniform_blocks >= least->uniform_blocks && l->uniform_block_bytes >= least->uniform_block_bytes);
    assert_true(l->uniform_align > 0 && l->uniform_align <= least->uniform_align);
    assert_non_null(strstr(c->text, c->renderer));
    assert_non_null(strstr(c->text, c->version));
    assert_true(c->platform[0] && c->renderer[0]);
    gl_context_close(c);
    assert_null(eglGetCurrentContext());
    gl_context_close(NULL);
}

static void devices_are_counted_from_zero(void **state)
{
    struct gl_context *c = test_open_context();
    struct err err = {""};

    (void)state;
    gl_context_close(c);
    TEST_OK(gl_context_open(0, &c, &err), err);
    gl_context_close(c);
    assert_int_equal(gl_context_open(99, &c, &err), ST_USAGE);
    assert_null(c);
    assert_non_null(strstr(err.msg, "no GPU device 99"));
}

static void take_device(void *arg, const struct delegate_device *d)
{
    char want[200];

    assert_int_equal(d->index, (*(int *)arg)++);
    snprintf(want, sizeof want, "%d: %s%s\n   %s, %s, EGL ", d->index, d->name, d->software ? " (software)" : "", d->driver,
             d->platform);
    assert_memory_equal(d->text, want, strlen(want));
    assert_int_equal(d->text[strlen(d->text) - 1], '\n');
    for (size_t i = 0; i < d->n_facts; i++) {
        assert_true(*d->facts[i].unit);
        assert_true(strcmp(d->facts[i].unit, "boolean") != 0 || d->facts[i].value <= 1);
        if (!strcmp(d->facts[i].name, "storage_blocks"))
            assert_in_range(d->facts[i].value, gl_limits_least.storage_blocks, GL_MAX_BINDINGS);
    }
}

/* As many as can be opened. */
static void devices_are_listed(void **state)
{
    struct gl_context *c = test_open_context();
    struct err err = {""};
    int n = 0;

    (void)state;
    gl_context_close(c);
    TEST_OK(gl_list_devices(take_device, &n, &err), err);
    assert_true(n > 0);
    for (int32_t i = 0; i <= n; i++) {
        assert_int_equal(gl_context_open(i, &c, &err), i < n ? ST_OK : ST_USAGE);
        gl_context_close(c);
    }
}

static void contexts_take_turns(void **state)
{
    struct gl_context *a = test_open_context(), *b = test_open_context();
    struct err err = {""};

    (void)state;
    for (int i = 0; i < 3; i++) {
        TEST_OK(gl_context_enter(a, NULL, &err), err);
        assert_ptr_equal(eglGetCurrentContext(), a->context);
        TEST_OK(gl_context_enter(b, NULL, &err), err);
        assert_ptr_equal(eglGetCurrentContext(), b->context);
    }
    gl_context_close(a); /* not the current one */
    assert_ptr_equal(eglGetCurrentContext(), b->context);
    TEST_OK(gl_context_check(b, "testing", &err), err);
    gl_context_close(b);
}

static void *enter_elsewhere(void *arg)
{
    struct err err = {""};

    assert_int_equal(gl_context_enter(arg, NULL, &err), ST_FAILED);
    assert_string_equal(err.msg, "the GPU delegate was opened on another thread and can run only there");
    assert_null(eglGetCurrentContext());
    return NULL;
}

static void other_threads_are_refused(void **state)
{
    struct gl_context *c = test_open_context();
    struct err err = {""};
    pthread_t t;

    (void)state;
    assert_int_equal(pthread_create(&t, NULL, enter_elsewhere, c), 0);
    pthread_join(t, NULL);
    TEST_OK(gl_context_enter(c, NULL, &err), err);
    gl_context_close(c);
}

static void errors_are_told_once(void **state)
{
    struct gl_context *c = test_open_context();
    struct err err = {""};

    (void)state;
    TEST_OK(gl_context_check(c, "testing", &err), err);
    glBindBuffer(GL_TRIANGLES, 0);
    assert_int_equal(gl_context_check(c, "testing", &err), ST_FAILED);
    assert_string_equal(err.msg, "GL_INVALID_ENUM while testing");
    TEST_OK(gl_context_check(c, "testing", &err), err);
    glDispatchCompute(1, 1, 1); /* without a program */
    assert_int_equal(gl_context_check(c, "running", &err), ST_FAILED);
    assert_string_equal(err.msg, "GL_INVALID_OPERATION while running");
    gl_context_close(c);
}

/* ---- drivers played by functions that stand in epoxy's table for a while ---- */

static PFNEGLCREATECONTEXTPROC real_create;
static EGLint asked[8]; /* attributes after the version, of each call */
static int n_asked, refused;

/* Refuses the first `refused` calls. */
static EGLContext play_create(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attributes)
{
    if (n_asked < 8)
        asked[n_asked] = attributes[4];
    return n_asked++ < refused ? EGL_NO_CONTEXT : real_create(display, config, share, attributes);
}

/* Opens device 0 by a driver that knows only one of the ways. */
static struct gl_context *open_refused(int n)
{
    struct gl_context *c;
    struct err err = {""};

    n_asked = 0;
    refused = n;
    real_create = eglCreateContext;
    eglCreateContext = play_create;
    TEST_OK(gl_context_open(0, &c, &err), err);
    eglCreateContext = real_create;
    return c;
}

/* By the extension for OpenGL ES, by EGL 1.5's attribute, then without. */
static void resets_are_asked_for_both_ways(void **state)
{
    struct gl_context *c = test_open_context();
    bool extension = epoxy_has_egl_extension(c->display, "EGL_EXT_create_context_robustness");
    bool core = epoxy_egl_version(c->display) >= 15 || epoxy_has_egl_extension(c->display, "EGL_KHR_create_context");

    (void)state;
    if (extension)
        assert_true(c->resets_told);
    gl_context_close(c);
    c = open_refused(extension);
    if (extension)
        assert_int_equal(asked[0], EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT);
    assert_int_equal(asked[extension], core ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY : EGL_NONE);
    gl_context_close(c);
    c = open_refused(extension + core);
    assert_int_equal(asked[extension + core], EGL_NONE);
    assert_int_equal(n_asked, extension + core + 1);
    assert_false(c->resets_told);
    gl_context_close(c);
}

static GLenum was_reset(void)
{
    return GL_UNKNOWN_CONTEXT_RESET;
}

/* Each of the three functions is the one that is called, and what it says is an error. */
static void resets_are_errors(void **state)
{
    struct gl_context *c = test_open_context();
    PFNGLGETGRAPHICSRESETSTATUSPROC core = glGetGraphicsResetStatus;
    PFNGLGETGRAPHICSRESETSTATUSKHRPROC khr = glGetGraphicsResetStatusKHR;
    PFNGLGETGRAPHICSRESETSTATUSEXTPROC ext = glGetGraphicsResetStatusEXT;
    enum gl_reset_query query = c->reset_query;
    struct err err = {""};

    (void)state;
    if (epoxy_gl_version() >= 32)
        assert_int_equal(query, GL_RESET_QUERY_CORE);
    TEST_OK(gl_context_check(c, "testing", &err), err);
    for (int i = GL_RESET_QUERY_NONE; i <= GL_RESET_QUERY_EXT; i++) {
        enum status st;

        c->reset_query = (enum gl_reset_query)i;
        glGetGraphicsResetStatus = i == GL_RESET_QUERY_CORE ? was_reset : NULL;
        glGetGraphicsResetStatusKHR = i == GL_RESET_QUERY_KHR ? was_reset : NULL;
        glGetGraphicsResetStatusEXT = i == GL_RESET_QUERY_EXT ? was_reset : NULL;
        st = gl_context_check(c, "testing", &err);
        glGetGraphicsResetStatus = core;
        glGetGraphicsResetStatusKHR = khr;
        glGetGraphicsResetStatusEXT = ext;
        assert_int_equal(st, i ? ST_FAILED : ST_OK);
    }
    assert_string_equal(err.msg, "the GPU was reset while testing");
    gl_context_close(c);
}

static PFNGLGETSTRINGPROC real_string;

/* A device whose contexts work only with a surface (policy.c). */
static const GLubyte *play_powervr(GLenum what)
{
    if (what == GL_VENDOR)
        return (const GLubyte *)"Imagination Technologies";
    return what == GL_RENDERER ? (const GLubyte *)"PowerVR Rogue GE8320" : real_string(what);
}

static void the_policy_may_ask_for_a_surface(void **state)
{
    struct gl_context *c = test_open_context();
    struct err err = {""};
    EGLint width = 0;

    (void)state;
    assert_ptr_equal(c->surface, EGL_NO_SURFACE);
    gl_context_close(c);
    real_string = glGetString;
    glGetString = play_powervr;
    TEST_OK(gl_context_open(-1, &c, &err), err);
    glGetString = real_string;
    assert_true(c->limits.policy.pbuffer);
    assert_non_null(c->surface);
    assert_true(eglQuerySurface(c->display, c->surface, EGL_WIDTH, &width));
    assert_int_equal(width, 1);
    TEST_OK(gl_context_enter(c, NULL, &err), err);
    assert_ptr_equal(eglGetCurrentSurface(EGL_DRAW), c->surface);
    gl_context_close(c);
}

/* ---- a machine without a driver: this program again, with the drivers hidden ---- */

static const char *self;

static void never(void *arg, const struct delegate_device *d)
{
    (void)d;
    *(bool *)arg = true;
}

static int say_no_gpu(void)
{
    struct gl_context *c = (struct gl_context *)&self;
    struct gpu_options o = {.device = -1};
    struct delegate *d = (struct delegate *)&self;
    struct err err = {""};
    bool any = false;

    if (gl_context_open(-1, &c, &err) != ST_NO_GPU || c)
        return 1;
    puts(err.msg);
    if (gl_list_devices(never, &any, &err) != ST_NO_GPU || any)
        return 2;
    if (delegate_gpu.open(&o, &d, &err) != ST_NO_GPU || d)
        return 3;
    if (delegate_gpu.open_static(&o, &d, &err) != ST_OK || !d)
        return 4;
    delegate_close(d);
    return 0;
}

static void a_machine_without_a_driver_is_told_what_to_install(void **state)
{
    char command[512], said[512] = "";
    FILE *child;
    int status;

    (void)state;
    snprintf(command, sizeof command,
             "__EGL_VENDOR_LIBRARY_DIRS=/nonexistent __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent '%s' no-gpu 2>/dev/null", self);
    assert_non_null(child = popen(command, "r"));
    if (!fgets(said, sizeof said, child))
        said[0] = 0;
    status = pclose(child);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fail_msg("the child ended with status 0x%x after \"%s\"", status, said);
    assert_non_null(strstr(said, "no GPU"));
    assert_non_null(strstr(said, "apt install"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_at_least_those_of_es31),
        cmocka_unit_test(devices_are_counted_from_zero),
        cmocka_unit_test(devices_are_listed),
        cmocka_unit_test(contexts_take_turns),
        cmocka_unit_test(other_threads_are_refused),
        cmocka_unit_test(errors_are_told_once),
        cmocka_unit_test(resets_are_asked_for_both_ways),
        cmocka_unit_test(resets_are_errors),
        cmocka_unit_test(the_policy_may_ask_for_a_surface),
        cmocka_unit_test(a_machine_without_a_driver_is_told_what_to_install),
    };

    self = argv[0];
    if (argc > 1)
        return say_no_gpu();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
