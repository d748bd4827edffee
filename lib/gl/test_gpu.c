/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu.c - opening the GPU for a test. */
#include "test_gpu.h"

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
