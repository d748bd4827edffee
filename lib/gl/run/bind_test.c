/* SPDX-License-Identifier: Apache-2.0 */
/* bind_test.c - no run sets what is set already: functions that stand in epoxy's table for a while keep what they are given and
 * hold the next against it. And what others set between runs does no harm. */
#include "lib/gl/testing/test_session.h"

#include <math.h>
#include <string.h>

#include "lib/gl/gpu/gpu_kernel.h"
#include "lib/session/session_impl.h"

enum { POINTS = GL_MAX_BINDINGS, CONTEXTS = 1 + GL_MAX_HELPERS };

struct range {
    GLuint buffer;
    GLintptr offset;
    GLsizeiptr bytes;
};

/* What each context was given; all bits set: nothing yet. */
static struct given {
    EGLContext context;
    GLuint program, storage;
    GLenum unit;
    struct range ranges[2][POINTS]; /* storage, uniform */
    struct {
        GLuint texture;
        GLenum access, format;
    } images[POINTS];
    GLuint textures[2][POINTS]; /* arrays, buffers */
} given[CONTEXTS];

static struct {
    uint32_t calls, again, programs, dispatches;
} count;

static struct given *now(void)
{
    struct given *g = given;

    while (g->context != (EGLContext)UINTPTR_MAX && g->context != eglGetCurrentContext())
        g++;
    assert_true(g < given + CONTEXTS);
    g->context = eglGetCurrentContext();
    return g;
}

/* Keeps `bytes` of what is set, at *at. */
static void see(void *at, const void *is, size_t bytes)
{
    count.calls++;
    count.again += !memcmp(at, is, bytes);
    memcpy(at, is, bytes);
}

/* ---- functions of the driver, and what stands in for them ---- */

static __typeof__(glUseProgram) real_use;
static __typeof__(glBindBuffer) real_buffer;
static __typeof__(glBindBufferRange) real_range;
static __typeof__(glBindImageTexture) real_image;
static __typeof__(glActiveTexture) real_active;
static __typeof__(glBindTexture) real_texture;
static __typeof__(glDispatchCompute) real_dispatch;

static void see_use(GLuint program)
{
    count.programs++;
    see(&now()->program, &program, sizeof program);
    real_use(program);
}

static void see_buffer(GLenum target, GLuint buffer)
{
    assert_int_equal(target, GL_SHADER_STORAGE_BUFFER);
    see(&now()->storage, &buffer, sizeof buffer);
    real_buffer(target, buffer);
}

static void see_range(GLenum target, GLuint point, GLuint buffer, GLintptr offset, GLsizeiptr bytes)
{
    struct range is;

    memset(&is, 0, sizeof is);
    is.buffer = buffer;
    is.offset = offset;
    is.bytes = bytes;
    assert_true(point < POINTS);
    see(&now()->ranges[target == GL_UNIFORM_BUFFER][point], &is, sizeof is);
    if (target == GL_SHADER_STORAGE_BUFFER)
        now()->storage = buffer;
    real_range(target, point, buffer, offset, bytes);
}

static void see_image(GLuint unit, GLuint texture, GLint level, GLboolean layered, GLint layer, GLenum access, GLenum format)
{
    assert_true(unit < POINTS);
    see(&now()->images[unit], (GLuint[]){texture, access, format}, sizeof now()->images[unit]);
    real_image(unit, texture, level, layered, layer, access, format);
}

static void see_active(GLenum unit)
{
    assert_true(unit - GL_TEXTURE0 < POINTS);
    see(&now()->unit, &unit, sizeof unit);
    real_active(unit);
}

/* Whoever activates no unit before means the first one. */
static void see_texture(GLenum target, GLuint texture)
{
    const GLuint unit = now()->unit == UINT32_MAX ? 0 : now()->unit - GL_TEXTURE0;

    see(&now()->textures[target == GL_TEXTURE_BUFFER_EXT][unit], &texture, sizeof texture);
    real_texture(target, texture);
}

static void see_dispatch(GLuint x, GLuint y, GLuint z)
{
    count.dispatches++;
    real_dispatch(x, y, z);
}

static void begin(void)
{
    memset(given, 0xff, sizeof given);
    memset(&count, 0, sizeof count);
#define STAND_IN(gl, real, see_it) (real = gl, gl = see_it)
    STAND_IN(glUseProgram, real_use, see_use);
    STAND_IN(glBindBuffer, real_buffer, see_buffer);
    STAND_IN(glBindBufferRange, real_range, see_range);
    STAND_IN(glBindImageTexture, real_image, see_image);
    STAND_IN(glActiveTexture, real_active, see_active);
    STAND_IN(glBindTexture, real_texture, see_texture);
    STAND_IN(glDispatchCompute, real_dispatch, see_dispatch);
}

/* Something was done, and nothing twice. */
static void end(void)
{
    glUseProgram = real_use;
    glBindBuffer = real_buffer;
    glBindBufferRange = real_range;
    glBindImageTexture = real_image;
    glActiveTexture = real_active;
    glBindTexture = real_texture;
    glDispatchCompute = real_dispatch;
    assert_true(count.dispatches > 2);
    assert_true(count.calls > count.dispatches);
    assert_int_equal(count.again, 0);
}

/* ---- runs ---- */

/* Two inputs and three outputs; weights as each way to read them has it; one program several times in a row, twice on one value. */
static struct loaded network(void)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU);
    struct builder b;
    int32_t x, x2, t[4], y;

    builder_init(&b, "network");
    x = test_image(&b, "x");
    x2 = test_image(&b, "x2");
    t[0] = test_image(&b, "conv");
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)),
             INDICES(t[0]));
    t[1] = test_image(&b, "depthwise");
    build_op(&b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same,
             INDICES(x2, test_weights(&b, SHAPE(1, 3, 3, C), 3), test_weights(&b, SHAPE(C), 4)), INDICES(t[1]));
    for (int i = 2; i < 4; i++) {
        t[i] = test_image(&b, "conv");
        build_op(&b, BUILTIN_CONV_2D, 1, &conv,
                 INDICES(t[0], test_weights(&b, SHAPE(C, 3, 3, C), (uint64_t)i + 5), test_weights(&b, SHAPE(C), 9)), INDICES(t[i]));
    }
    y = test_image(&b, "y");
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(t[1]), INDICES(y));
    build_inputs(&b, INDICES(x, x2));
    build_outputs(&b, INDICES(y, t[2], t[3]));
    return load(&b);
}

static struct gl_executable *executable(struct session *s)
{
    assert_int_equal(s->plan.n_steps, 1);
    return ((struct gpu_kernel *)s->plan.steps[0].kernel)->executable;
}

/* Dispatches from the first that no transfer makes, or that one alone. */
static void repeat(struct session *gpu, bool one)
{
    struct gl_executable *x = executable(gpu);
    const uint32_t first = gl_plan_n(x->plan, GL_PLAN_UPLOADS), n = gl_plan_n(x->plan, GL_PLAN_DISPATCHES);
    uint32_t which[16];
    uint64_t ns;
    struct err err = {""};

    assert_true(n <= 16);
    for (uint32_t i = first; i < n; i++)
        which[i - first] = i;
    TEST_OK(gl_run_repeated(x, which, one ? 1 : n - first, 2, &ns, &err), err);
}

/* Drivers that find a function at its first call put it where another would stand: `gpu` has run before. */
static void check(struct session *gpu, struct session *cpu)
{
    const struct profile_row *rows;
    size_t n;
    struct err err = {""};

    test_compare(gpu, cpu, 0.5);
    for (int i = 1; i < 4; i++) {
        begin();
        test_compare(gpu, cpu, i);
        end();
        assert_true(count.programs < count.dispatches); /* neighbours with one program */
    }
    begin();
    TEST_OK(session_submit(gpu, &err), err);
    end();
    begin();
    TEST_OK(session_submit(gpu, &err), err);
    end();
    TEST_OK(session_wait(gpu, &err), err);
    begin();
    TEST_OK(session_profile(gpu, &rows, &n, &err), err);
    end();
    begin();
    repeat(gpu, false);
    end();
    test_compare(gpu, cpu, 6);
}

static void no_run_sets_anything_twice(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_FASTEST, GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE, GPU_OBJECTS_TEXTURE};
    static const struct gl_policy by_dispatches = {.image_reads = true}; /* inputs and outputs go through staging */
    struct loaded l = network();
    struct session *cpu = test_start(&l, NULL);

    (void)state;
    for (size_t i = 0; i < 2 * sizeof objects / sizeof *objects; i++) {
        struct delegate *d = test_open_gpu(
            (struct gpu_options){.device = -1, .objects = objects[i / 2], .policy = i % 2 ? &by_dispatches : NULL});
        struct session *gpu = test_start(&l, d);

        check(gpu, cpu);
        session_free(gpu);
        delegate_close(d);
    }
    session_free(cpu);
    unload(&l);
}

/* ---- what others set ---- */

static void bind_other_things(void)
{
    GLuint buffer, texture;

    glGenBuffers(1, &buffer);
    glGenTextures(1, &texture);
    glUseProgram(0);
    for (GLuint i = 0; i < 4; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
        glBindBufferBase(GL_UNIFORM_BUFFER, i, 0);
        glBindImageTexture(i, 0, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA32F);
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    }
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
    assert_int_equal(glGetError(), 0);
}

static double first(const struct session *s, uint32_t output)
{
    return (double)*(const float *)session_output(s, output)->data;
}

/* With the delegate's own context current, and when runs are over but not yet read. */
static void runs_trust_nothing_that_was_bound_before(void **state)
{
    struct loaded l = network();
    struct delegate *d = test_open_best();
    struct session *gpu = test_start(&l, d), *cpu = test_start(&l, NULL);
    struct err err = {""};

    (void)state;
    for (int i = 0; i < 3; i++) {
        test_compare(gpu, cpu, i);
        bind_other_things();
    }
    for (uint32_t i = 0; i < 2; i++) {
        memset((void *)session_output(gpu, i)->data, 0x5a, session_output(gpu, i)->bytes);
        TEST_OK(session_submit(gpu, &err), err);
        bind_other_things();
        TEST_OK(session_wait(gpu, &err), err);
        assert_true(fabs(first(gpu, i) - first(cpu, i)) < 1e-5);
    }
    for (int i = 0; i < 2; i++) {
        repeat(gpu, true);
        bind_other_things();
    }
    session_free(gpu);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_run_sets_anything_twice),
        cmocka_unit_test(runs_trust_nothing_that_was_bound_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
