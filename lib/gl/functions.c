/* SPDX-License-Identifier: Apache-2.0 */
/* functions.c - epoxy's table, filled from EGL's. */
#include "functions.h"

#include <pthread.h>

/* A name that is an extension's may be known where the extension is not: nobody calls it there. */
static void find_all(void)
{
#define GL_FUNCTION(name)                                                                                                          \
    {                                                                                                                              \
        void (*found)(void) = eglGetProcAddress("gl" #name);                                                                       \
        epoxy_gl##name = found ? (__typeof__(epoxy_gl##name))found : epoxy_gl##name;                                               \
    }
#include "functions.def"
#undef GL_FUNCTION
}

enum status gl_functions_begin(struct err *err)
{
    (void)err;
    return ST_OK;
}

void gl_functions_find(EGLDisplay display)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (epoxy_egl_version(display) >= 15 || epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_KHR_get_all_proc_addresses") ||
        epoxy_has_egl_extension(display, "EGL_KHR_get_all_proc_addresses"))
        pthread_once(&once, find_all);
}
