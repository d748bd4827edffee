/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu.c - see test_gpu.h */
#include "lib/gl/testing/test_gpu.h"

#include <string.h>

struct delegate *test_open_gpu(struct gpu_options o)
{
    struct delegate *d;
    struct err err = {""};
    enum status st = delegate_gpu.open(&o, &d, &err);

    if (st == ST_NO_GPU)
        test_no_gpu(&err);
    TEST_OK(st, err);
    TEST_OK(gl_context_enter(gpu_context(d), NULL, &err), err);
    return d;
}

struct gl_context *test_open_context(void)
{
    struct gl_context *c;
    struct err err = {""};
    enum status st = gl_context_open(-1, &c, &err);

    if (st == ST_NO_GPU)
        test_no_gpu(&err);
    TEST_OK(st, err);
    TEST_OK(gl_context_enter(c, NULL, &err), err);
    return c;
}

uint32_t test_gl_stores(void)
{
    uint32_t n = 0;

    for (GLuint name = 1; name < 4096; name++)
        n += (uint32_t)glIsBuffer(name) + glIsTexture(name);
    return n;
}

uint32_t test_gl_objects(void)
{
    uint32_t n = test_gl_stores();

    for (GLuint name = 1; name < 4096; name++)
        n += (uint32_t)glIsShader(name) + glIsProgram(name);
    while (glGetError())
        ;
    return n;
}

static GLuint linked(const char *const *texts, GLsizei n)
{
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    GLint ok;

    glShaderSource(shader, n, texts, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    assert_true(ok);
    glDeleteShader(shader);
    return program;
}

void test_run_shader(const char *const *texts, GLsizei n, GLuint groups, void *data, size_t bytes)
{
    GLuint program, buffer;
    void *map;

    program = linked(texts, n);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_COPY);
    glUseProgram(program);
    glDispatchCompute(groups, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    assert_non_null(map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT));
    memcpy(data, map, bytes);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    glDeleteBuffers(1, &buffer);
    glUseProgram(0);
    glDeleteProgram(program);
    assert_int_equal(glGetError(), 0);
}
