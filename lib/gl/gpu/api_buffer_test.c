/* SPDX-License-Identifier: Apache-2.0 */
/* api_buffer_test.c - dg_session_bind_input and dg_session_bind_output, as a program with an EGL context of its own uses them. */
#include "lib/api/delegauge.h"
#include "lib/gl/testing/test_session.h"

#include <math.h>
#include <stdlib.h>

#define DG_OK_OR_FAIL(call)                                                                                                        \
    do {                                                                                                                           \
        if ((call) != DG_OK)                                                                                                       \
            fail_msg("%s: %s", #call, err.message);                                                                                \
    } while (0)

enum { ELEMS = 15, BYTES = 4 * ELEMS };

static struct dg_error err;

/* With these elements, at `offset`. */
static GLuint new_buffer(const float *data, GLsizeiptr offset)
{
    GLuint id;

    glGenBuffers(1, &id);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id);
    glBufferData(GL_SHADER_STORAGE_BUFFER, offset + BYTES, NULL, GL_DYNAMIC_COPY);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, offset, BYTES, data);
    return id;
}

/* As a program reads it that knows nothing of the library. */
static void holds(GLuint id, GLsizeiptr offset, const float *x)
{
    const float *y;

    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, id);
    y = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, offset, BYTES, GL_MAP_READ_BIT);
    assert_non_null(y);
    for (int i = 0; i < ELEMS; i++)
        if (!(fabsf(y[i] - 3 * fabsf(x[i])) <= 1e-5F))
            fail_msg("buffer %u, element %d is %g, not %g", id, i, (double)y[i], 3 * fabs((double)x[i]));
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static uint32_t compiled(const struct dg_session *s)
{
    struct delegate_facts m;

    session_facts((const struct session *)s, NULL, &m);
    return fact_value(&m, "start.programs_compiled");
}

static struct dg_session *start(const struct loaded *l, const char *context, struct dg_session_options *o)
{
    const char *const options[] = {context, NULL};
    struct dg_session *s;

    DG_OK_OR_FAIL(dg_delegate_open("gpu", context ? options : NULL, &o->delegate, &err));
    DG_OK_OR_FAIL(dg_session_new((const struct dg_model *)l->model, o, &s, &err));
    return s;
}

/* From two inputs to two outputs by turns, one of them at an offset; then host memory again. */
static void run_in_buffers(const struct loaded *l, const char *context)
{
    float x[2][ELEMS], zero[ELEMS] = {0};
    struct dg_session_options o = {0};
    struct dg_session *s = start(l, context, &o);
    struct dg_buffer in[2] = {{0}}, out[2] = {{0}};
    struct dg_tensor t;
    GLint align;
    uint32_t before;

    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &align);
    for (int i = 0; i < ELEMS; i++) {
        x[0][i] = (float)(i - 7);
        x[1][i] = (float)(100 - 9 * i);
    }
    for (int i = 0; i < 2; i++) {
        in[i] = (struct dg_buffer){new_buffer(x[i], i * align), DG_LAYOUT_DENSE, (uint64_t)i * (uint64_t)align, BYTES};
        out[i] = (struct dg_buffer){new_buffer(zero, i * align), DG_LAYOUT_DENSE, (uint64_t)i * (uint64_t)align, BYTES};
    }
    glFinish();
    DG_OK_OR_FAIL(dg_session_prepare(s, &err));
    before = compiled(s);
    assert_true(before > 0);
    for (int i = 0; i < 4; i++) {
        DG_OK_OR_FAIL(dg_session_bind_input(s, 0, &in[i % 2], &err));
        DG_OK_OR_FAIL(dg_session_bind_output(s, 0, &out[i / 2], &err));
        DG_OK_OR_FAIL(dg_session_run(s, &err));
        holds(out[i / 2].id, (GLsizeiptr)out[i / 2].offset, x[i % 2]);
    }
    holds(out[0].id, 0, x[1]);
    assert_int_equal(compiled(s), before);
    DG_OK_OR_FAIL(dg_session_bind_input(s, 0, NULL, &err));
    DG_OK_OR_FAIL(dg_session_bind_output(s, 0, NULL, &err));
    DG_OK_OR_FAIL(dg_session_set_input(s, 0, x[0], BYTES, &err));
    DG_OK_OR_FAIL(dg_session_run(s, &err));
    assert_true(dg_session_output(s, 0, &t));
    for (int i = 0; i < ELEMS; i++)
        assert_true(fabsf(((const float *)t.data)[i] - 3 * fabsf(x[0][i])) <= 1e-5F);
    holds(out[1].id, align, x[1]);
    dg_session_free(s);
    dg_delegate_close(o.delegate);
    for (int i = 0; i < 2; i++) {
        assert_true(glIsBuffer(in[i].id) && glIsBuffer(out[i].id)); /* the caller's still */
        glDeleteBuffers(1, &in[i].id);
        glDeleteBuffers(1, &out[i].id);
    }
}

static void a_program_lends_its_buffers(void **state)
{
    struct gl_context *mine = test_open_context();
    struct loaded l = test_small_network();
    const EGLContext current = eglGetCurrentContext();

    (void)state;
    run_in_buffers(&l, "gpu_context=adopt");
    run_in_buffers(&l, "gpu_context=share");
    assert_ptr_equal(eglGetCurrentContext(), current);
    unload(&l);
    gl_context_close(mine);
}

static void refused(enum dg_status st, enum dg_status want, const char *part)
{
    assert_int_equal(st, want);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, err.message);
}

static void what_is_no_buffer_is_refused(void **state)
{
    struct gl_context *mine = test_open_context();
    struct loaded l = test_small_network();
    const float zero[ELEMS] = {0};
    struct dg_session_options o = {0}, none = {0};
    struct dg_session *s = start(&l, "gpu_context=adopt", &o), *cpu;
    struct dg_buffer b = {new_buffer(zero, 0), DG_LAYOUT_DENSE, 0, BYTES};

    (void)state;
    refused(dg_session_bind_input(s, 0, &b, &err), DG_USAGE, "not prepared");
    DG_OK_OR_FAIL(dg_session_prepare(s, &err));
    refused(dg_session_bind_input(s, 1, &b, &err), DG_USAGE, "the model has 1");
    refused(dg_session_bind_output(s, 7, &b, &err), DG_USAGE, "the model has 1");
    b.bytes = BYTES - 4;
    refused(dg_session_bind_input(s, 0, &b, &err), DG_USAGE, "56");
    b.bytes = BYTES + 4;
    refused(dg_session_bind_output(s, 0, &b, &err), DG_USAGE, "64");
    b.bytes = BYTES;
    b.layout = (enum dg_layout)7;
    refused(dg_session_bind_input(s, 0, &b, &err), DG_USAGE, "layout 7");
    refused(dg_session_bind_output(s, 0, &b, &err), DG_USAGE, "layout 7");
    b.layout = DG_LAYOUT_DENSE;
    b.id += 1000;
    refused(dg_session_bind_input(s, 0, &b, &err), DG_USAGE, "no GL buffer");
    b.id -= 1000;
    DG_OK_OR_FAIL(dg_session_new((const struct dg_model *)l.model, &none, &cpu, &err));
    DG_OK_OR_FAIL(dg_session_prepare(cpu, &err));
    refused(dg_session_bind_input(cpu, 0, &b, &err), DG_UNSUPPORTED, "on the CPU");
    dg_session_free(cpu);
    dg_session_free(s);
    dg_delegate_close(o.delegate);
    glDeleteBuffers(1, &b.id);
    unload(&l);
    gl_context_close(mine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_lends_its_buffers),
        cmocka_unit_test(what_is_no_buffer_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
