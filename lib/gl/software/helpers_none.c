/* SPDX-License-Identifier: Apache-2.0 */
/* helpers_none.c - helpers.h where no driver compiles late, and size counts: Android. */
#include "lib/gl/software/helpers.h"

void gl_helpers_init(struct gl_helpers *h, EGLDisplay display, EGLContext first,
                     EGLContext (*make)(EGLDisplay display, EGLContext share))
{
    (void)h, (void)display, (void)first, (void)make;
}

bool gl_helpers_any(const struct gl_helpers *h)
{
    (void)h;
    return false;
}

void gl_helpers_dismiss(struct gl_helpers *h)
{
    (void)h;
}

void gl_helpers_share(struct gl_helpers *h, uint32_t n, void (*job)(void *arg, uint32_t i, uint32_t who), void *arg)
{
    (void)h;
    for (uint32_t i = 0; i < n; i++)
        job(arg, i, 0);
}

void gl_helpers_turn(struct gl_helpers *h, uint32_t who)
{
    (void)h, (void)who;
}

GLenum gl_helpers_error(struct gl_helpers *h)
{
    (void)h;
    return GL_NO_ERROR;
}

EGLint gl_helpers_refused(struct gl_helpers *h)
{
    (void)h;
    return 0;
}
