/* SPDX-License-Identifier: Apache-2.0 */
/* functions.c - epoxy's table, filled from EGL's. */
#include "lib/gl/device/functions.h"

#include <dlfcn.h>
#include <pthread.h>

/* A name that is an extension's may be known where the extension is not: nobody calls it there. */
static void find_all(void)
{
#define GL_FUNCTION(name)                                                                                                          \
    {                                                                                                                              \
        void (*found)(void) = eglGetProcAddress("gl" #name);                                                                       \
        epoxy_gl##name = found ? (__typeof__(epoxy_gl##name))found : epoxy_gl##name;                                               \
    }
#include "lib/gl/device/functions.def"
#undef GL_FUNCTION
}

/* epoxy ends the process where a library is missing, so that is found out before its first call. */
enum status gl_functions_begin(struct err *err)
{
    static const char *const names[] = {LIB_EGL, LIB_GLES};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *lib = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);

        if (!lib)
            return err_set(err, ST_NO_GPU, GL_NOT_LOADED, names[i]);
        dlclose(lib);
    }
    return ST_OK;
}

void gl_functions_find(EGLDisplay display)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (epoxy_egl_version(display) >= 15 || epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_KHR_get_all_proc_addresses") ||
        epoxy_has_egl_extension(display, "EGL_KHR_get_all_proc_addresses"))
        pthread_once(&once, find_all);
}
