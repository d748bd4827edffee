/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu.h - for tests that need a GPU: skipped where there is none, failed where REQUIRE_GPU=1 demands one; and a census of what
 * GL holds. */
#ifndef DELEGAUGE_GL_TEST_GPU_H
#define DELEGAUGE_GL_TEST_GPU_H

#include "../test.h"
#include "context.h"
#include "gpu.h"

/* The delegate with these options, its context current. Ends the test where there is no GPU or where opening fails otherwise. */
static inline struct delegate *test_open_gpu(struct gpu_options o)
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

/* A context on the best device, current. */
static inline struct gl_context *test_open_context(void)
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

/* How many buffers, textures, shaders and programs the current context holds, by asking for every name up to a bound far beyond
 * what a test makes. */
static inline uint32_t test_gl_objects(void)
{
    uint32_t n = 0;

    for (GLuint name = 1; name < 4096; name++)
        n += (uint32_t)glIsBuffer(name) + glIsTexture(name) + glIsShader(name) + glIsProgram(name);
    while (glGetError())
        ;
    return n;
}

#endif
