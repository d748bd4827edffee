/* SPDX-License-Identifier: Apache-2.0 */
/* current_test.c - callers that have contexts of their own: they find them as they were, lend them, share with them. */
#include "lib/gl/device/current.h"

#include <string.h>

#include "bench/models/builder.h"
#include "lib/gl/testing/test_gpu.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

#define N 8

/* ---- a caller ---- */

/* Its display is that of a device of ours, which stays open meanwhile. */
struct caller {
    struct gl_context *device;
    EGLContext context;
    EGLSurface draw, read;
};

static EGLSurface pixel(EGLDisplay display, EGLConfig config)
{
    const EGLint one[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};

    return eglCreatePbufferSurface(display, config, one);
}

/* A context of that client API, current, with two surfaces if the platform has any. */
static struct caller begin(EGLenum api)
{
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                           api == EGL_OPENGL_API ? EGL_OPENGL_BIT : EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    struct caller c = {.device = test_open_context()};
    EGLDisplay display = c.device->display;
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint n = 0;

    assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    assert_true(eglBindAPI(api));
    if (eglChooseConfig(display, want, &config, 1, &n) && n) {
        c.draw = pixel(display, config);
        c.read = pixel(display, config);
    }
    assert_non_null(c.context = eglCreateContext(display, n ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version));
    assert_true(eglMakeCurrent(display, c.draw, c.read, c.context));
    return c;
}

static void end(struct caller *c)
{
    EGLDisplay display = c->device->display;

    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, c->context);
    if (c->draw)
        eglDestroySurface(display, c->draw);
    if (c->read)
        eglDestroySurface(display, c->read);
    eglBindAPI(EGL_OPENGL_ES_API);
    gl_context_close(c->device);
}

static void assert_current(const struct gl_current *want)
{
    struct gl_current got;

    gl_current_save(&got);
    assert_int_equal(got.api, want->api);
    assert_ptr_equal(got.context, want->context);
    assert_ptr_equal(got.display, want->display);
    assert_ptr_equal(got.draw, want->draw);
    assert_ptr_equal(got.read, want->read);
}

/* ---- an inference ---- */

/* y = -softmax(x), by a matrix. */
static struct loaded network(void)
{
    float minus[N * N] = {0};
    struct builder b;
    int32_t x, t, y, w;

    for (int i = 0; i < N; i++)
        minus[i * N + i] = -1;
    builder_init(&b, "network");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, N));
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, N));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, N));
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(x), INDICES(t));
    w = build_const(&b, "w", TYPE_FLOAT32, SHAPE(N, N), minus);
    build_op(&b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(t, w, -1), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static void nothing(void *arg, const struct delegate_device *d)
{
    (void)arg;
    (void)d;
}

static void check_run(struct session *s)
{
    struct err err = {""};

    memset(session_input(s, 0)->data, 0, session_input(s, 0)->bytes);
    memset(session_output(s, 0)->data, 0, session_output(s, 0)->bytes);
    TEST_OK(session_run(s, &err), err);
    for (int i = 0; i < N; i++)
        assert_true(((const float *)session_output(s, 0)->data)[i] == -1.0f / N);
}

/* A delegate's whole life; what is current is looked at after each step. */
static void live(struct gpu_options o, const struct gl_current *want)
{
    struct session_options so = {.mode = CPU_REFERENCE};
    const struct profile_row *rows;
    struct loaded l = network();
    struct delegate *d;
    struct session *s;
    struct err err = {""};
    size_t n;

    TEST_OK(gl_list_devices(nothing, NULL, &err), err);
    assert_current(want);
    TEST_OK(delegate_gpu.open(&o, &d, &err), err);
    assert_current(want);
    so.delegates[0] = d;
    TEST_OK(session_new(l.model, &so, &s, &err), err);
    assert_current(want);
    TEST_OK(session_prepare(s, &err), err);
    assert_current(want);
    check_run(s);
    assert_current(want);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    assert_current(want);
    session_free(s);
    assert_current(want);
    delegate_close(d);
    assert_current(want);
    unload(&l);
}

static void what_a_caller_has_current_stays(void **state)
{
    static const EGLenum apis[] = {EGL_OPENGL_ES_API, EGL_OPENGL_API};

    (void)state;
    gl_context_close(test_open_context()); /* ends the test where there is no EGL to call */
    for (size_t i = 0; i < sizeof apis / sizeof *apis; i++) {
        struct caller c;
        struct gl_current want;

        if (!eglBindAPI(apis[i]))
            continue;
        c = begin(apis[i]);
        gl_current_save(&want);
        assert_ptr_equal(want.context, c.context);
        assert_int_equal(want.api, apis[i]);
        live((struct gpu_options){.device = -1}, &want);
        end(&c);
    }
}

static void where_nothing_is_current_nothing_stays(void **state)
{
    struct gl_current want;

    (void)state;
    gl_context_close(test_open_context());
    gl_current_save(&want);
    assert_null(want.context);
    live((struct gpu_options){.device = -1}, &want);
    assert_true(eglBindAPI(EGL_OPENGL_API));
    want.api = EGL_OPENGL_API;
    live((struct gpu_options){.device = -1}, &want);
    eglBindAPI(EGL_OPENGL_ES_API);
}

static void enters_nest(void **state)
{
    struct gl_context *a = test_open_context(), *b = test_open_context();
    struct gl_current none, of_a, of_b;
    struct err err = {""};

    (void)state;
    eglMakeCurrent(a->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    TEST_OK(gl_context_enter(a, &none, &err), err);
    TEST_OK(gl_context_enter(b, &of_a, &err), err);
    TEST_OK(gl_context_enter(a, &of_b, &err), err);
    assert_ptr_equal(eglGetCurrentContext(), a->context);
    TEST_OK(gl_context_leave(a, &of_b, ST_OK, &err), err);
    assert_ptr_equal(eglGetCurrentContext(), b->context);
    assert_int_equal(gl_context_leave(b, &of_a, ST_IO, &err), ST_IO); /* what went wrong inside */
    assert_ptr_equal(eglGetCurrentContext(), a->context);
    TEST_OK(gl_context_leave(a, &none, ST_OK, &err), err);
    assert_null(eglGetCurrentContext());
    gl_context_close(a);
    gl_context_close(b);
}

/* The caller's context goes while we work: that is said. */
static void what_cannot_be_restored_is_an_error(void **state)
{
    struct gl_context *c = test_open_context();
    struct gl_current before;
    struct err err = {""};

    (void)state;
    TEST_OK(gl_context_enter(c, &before, &err), err);
    before.context = (EGLContext)&before;
    assert_int_equal(gl_context_leave(c, &before, ST_OK, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "cannot be made current again"));
    gl_context_close(c);
}

/* ---- adopted ---- */

/* What a caller of GL has bound. */
struct bound {
    GLuint buffer, other, texture, array, sampler, program;
};

static struct bound bind_things(void)
{
    static const char *const text =
        "#version 310 es\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer b { int i; };\n"
        "void main() { i = 7; }\n";
    struct bound b;

    b.program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text);
    glGenBuffers(1, &b.buffer);
    glGenBuffers(1, &b.other);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, b.other);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 4096, NULL, GL_STATIC_DRAW);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, b.buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 4096, NULL, GL_STATIC_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b.buffer);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, b.other, 1024, 256);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, b.other, 512, 1024);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, b.other, 1024, 2048);
    glBindBuffer(GL_UNIFORM_BUFFER, b.buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, b.other);
    glGenTextures(1, &b.texture);
    glBindTexture(GL_TEXTURE_BUFFER_EXT, b.texture);
    glTexBufferEXT(GL_TEXTURE_BUFFER_EXT, GL_RGBA32F, b.buffer);
    glBindImageTexture(0, b.texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
    /* With that sampler a texture of floats is incomplete. */
    glGenTextures(1, &b.array);
    glBindTexture(GL_TEXTURE_2D_ARRAY, b.array);
    glGenSamplers(1, &b.sampler);
    glSamplerParameteri(b.sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glBindSampler(0, b.sampler);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_BUFFER_EXT, b.texture);
    glActiveTexture(GL_TEXTURE3);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, b.buffer);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 2000);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 1);
    glUseProgram(b.program);
    assert_int_equal(glGetError(), 0);
    return b;
}

static void assert_integer(GLenum what, GLuint want)
{
    GLint got = -1;

    glGetIntegerv(what, &got);
    if ((GLuint)got != want)
        fail_msg("0x%x is %d instead of %u", what, got, want);
}

static void assert_indexed(GLenum what, GLuint i, GLint64 want)
{
    GLint64 got = -1;

    glGetInteger64i_v(what, i, &got);
    if (got != want)
        fail_msg("0x%x at %u is %lld instead of %lld", what, i, (long long)got, (long long)want);
}

static void assert_bound(const struct bound *b)
{
    assert_integer(GL_CURRENT_PROGRAM, b->program);
    assert_integer(GL_SHADER_STORAGE_BUFFER_BINDING, b->other);
    assert_integer(GL_UNIFORM_BUFFER_BINDING, b->buffer);
    assert_integer(GL_ACTIVE_TEXTURE, GL_TEXTURE3);
    assert_integer(GL_TEXTURE_BINDING_BUFFER_EXT, 0);
    assert_integer(GL_PIXEL_UNPACK_BUFFER_BINDING, b->buffer);
    assert_integer(GL_UNPACK_ROW_LENGTH, 2000);
    assert_integer(GL_UNPACK_SKIP_PIXELS, 1);
    glActiveTexture(GL_TEXTURE0);
    assert_integer(GL_TEXTURE_BINDING_BUFFER_EXT, b->texture);
    assert_integer(GL_TEXTURE_BINDING_2D_ARRAY, b->array);
    assert_integer(GL_SAMPLER_BINDING, b->sampler);
    glActiveTexture(GL_TEXTURE1);
    assert_integer(GL_TEXTURE_BINDING_BUFFER_EXT, b->texture);
    glActiveTexture(GL_TEXTURE3);
    assert_indexed(GL_SHADER_STORAGE_BUFFER_BINDING, 0, b->buffer);
    assert_indexed(GL_SHADER_STORAGE_BUFFER_SIZE, 0, 0);
    assert_indexed(GL_SHADER_STORAGE_BUFFER_BINDING, 1, b->other);
    assert_indexed(GL_SHADER_STORAGE_BUFFER_START, 1, 1024);
    assert_indexed(GL_SHADER_STORAGE_BUFFER_SIZE, 1, 256);
    assert_indexed(GL_SHADER_STORAGE_BUFFER_BINDING, 2, 0);
    assert_indexed(GL_UNIFORM_BUFFER_BINDING, 0, b->other);
    assert_indexed(GL_UNIFORM_BUFFER_START, 0, 512);
    assert_indexed(GL_UNIFORM_BUFFER_SIZE, 0, 1024);
    assert_indexed(GL_UNIFORM_BUFFER_BINDING, 1, b->other);
    assert_indexed(GL_UNIFORM_BUFFER_START, 1, 1024);
    assert_indexed(GL_UNIFORM_BUFFER_SIZE, 1, 2048);
    assert_indexed(GL_IMAGE_BINDING_NAME, 0, b->texture);
    assert_indexed(GL_IMAGE_BINDING_LAYERED, 0, GL_FALSE);
    assert_indexed(GL_IMAGE_BINDING_ACCESS, 0, GL_READ_WRITE);
    assert_indexed(GL_IMAGE_BINDING_FORMAT, 0, GL_RGBA32F);
    assert_int_equal(glGetError(), 0);
}

/* The caller's own program still runs. */
static void assert_works(const struct bound *b)
{
    const GLint *map;

    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, b->buffer);
    assert_non_null(map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, 4, GL_MAP_READ_BIT));
    assert_int_equal(*map, 7);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
}

static void an_adopted_context_is_left_as_it_was(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_IMAGE, GPU_OBJECTS_BUFFER, GPU_OBJECTS_TEXTURE};
    static const struct gl_pick fetches = {.reads = GL_READS_TEXELS, .constants = GL_READS_UNIFORMS};
    static const struct gl_pick copies = {.constants = GL_READS_FOUR};
    struct caller c = begin(EGL_OPENGL_ES_API);
    struct bound b = bind_things();
    struct gl_current want;
    struct gl_state saved;
    uint32_t before = test_gl_objects();

    (void)state;
    gl_current_save(&want);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        live((struct gpu_options){.context = GPU_CONTEXT_ADOPT, .objects = objects[i]}, &want);
        assert_bound(&b);
        assert_int_equal(test_gl_objects(), before);
    }
    live((struct gpu_options){.context = GPU_CONTEXT_ADOPT, .pick = fetches}, &want);
    assert_bound(&b);
    live((struct gpu_options){.context = GPU_CONTEXT_ADOPT, .pick = copies}, &want);
    assert_bound(&b);
    /* No driver here minds that sampler; others may. */
    gl_state_save(&c.device->limits, &saved);
    assert_integer(GL_SAMPLER_BINDING, 0);
    gl_state_restore(&saved);
    assert_bound(&b);
    assert_works(&b);
    end(&c);
}

/* It need not be current when the delegate works. */
static void an_adopted_context_is_entered_with_its_surfaces(void **state)
{
    struct caller c = begin(EGL_OPENGL_ES_API);
    struct gl_context *adopted;
    struct gl_current lent, before;
    struct err err = {""};

    (void)state;
    gl_current_save(&lent);
    TEST_OK(gl_context_adopt(&adopted, &err), err);
    assert_ptr_equal(adopted->context, c.context);
    assert_string_equal(adopted->renderer, c.device->renderer);
    eglMakeCurrent(c.device->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    TEST_OK(gl_context_enter(adopted, &before, &err), err);
    assert_current(&lent);
    TEST_OK(gl_context_leave(adopted, &before, ST_OK, &err), err);
    assert_null(eglGetCurrentContext());
    gl_context_close(adopted);
    assert_true(eglMakeCurrent(c.device->display, c.draw, c.read, c.context)); /* closing did not destroy it */
    end(&c);
}

static void there_must_be_something_to_adopt(void **state)
{
    struct gl_context *got = (struct gl_context *)&got;
    struct gpu_options o = {.context = GPU_CONTEXT_SHARE};
    struct delegate *d;
    struct caller c;
    struct err err = {""};

    (void)state;
    gl_context_close(test_open_context());
    assert_int_equal(gl_context_adopt(&got, &err), ST_USAGE);
    assert_null(got);
    assert_int_equal(gl_context_share(&got, &err), ST_USAGE);
    assert_null(got);
    assert_int_equal(delegate_gpu.open(&o, &d, &err), ST_USAGE);
    assert_null(d);
    if (!eglBindAPI(EGL_OPENGL_API))
        return;
    c = begin(EGL_OPENGL_API);
    assert_int_equal(gl_context_adopt(&got, &err), ST_NO_GPU);
    assert_string_equal(err.msg, "the current context cannot be adopted: no OpenGL ES 3.1 context");
    assert_ptr_equal(eglGetCurrentContext(), c.context);
    end(&c);
}

/* ---- shared ---- */

static void objects_are_shared(void **state)
{
    struct caller c = begin(EGL_OPENGL_ES_API);
    struct bound b = bind_things();
    struct gl_context *shared;
    struct gl_current want, before;
    struct err err = {""};

    (void)state;
    gl_current_save(&want);
    TEST_OK(gl_context_share(&shared, &err), err);
    assert_current(&want);
    assert_ptr_not_equal(shared->context, c.context);
    TEST_OK(gl_context_enter(shared, &before, &err), err);
    assert_true(glIsBuffer(b.buffer) && glIsProgram(b.program));
    assert_integer(GL_CURRENT_PROGRAM, 0);
    TEST_OK(gl_context_leave(shared, &before, ST_OK, &err), err);
    gl_context_close(shared);
    live((struct gpu_options){.context = GPU_CONTEXT_SHARE}, &want);
    assert_bound(&b);
    assert_works(&b);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_caller_has_current_stays),
        cmocka_unit_test(where_nothing_is_current_nothing_stays),
        cmocka_unit_test(enters_nest),
        cmocka_unit_test(what_cannot_be_restored_is_an_error),
        cmocka_unit_test(an_adopted_context_is_left_as_it_was),
        cmocka_unit_test(an_adopted_context_is_entered_with_its_surfaces),
        cmocka_unit_test(there_must_be_something_to_adopt),
        cmocka_unit_test(objects_are_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
