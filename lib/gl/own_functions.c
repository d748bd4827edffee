/* SPDX-License-Identifier: Apache-2.0 */
/* own_functions.c - functions.h, and epoxy's pointers and questions, without epoxy.
 *
 * libdelegauge_gpu.so is loaded by programs that may have a libepoxy of their own, and shares no symbol with them. Debian has
 * libepoxy as a shared library alone, so what lib/gl calls of it is here: the same pointers, which nobody else sees. A function of
 * EGL that is called and missing here does not link; functions.def has those of OpenGL ES. */
#include "functions.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DEFINE(name) __typeof__(name) name;
DEFINE(epoxy_eglBindAPI)
DEFINE(epoxy_eglChooseConfig)
DEFINE(epoxy_eglCreateContext)
DEFINE(epoxy_eglCreatePbufferSurface)
DEFINE(epoxy_eglDestroyContext)
DEFINE(epoxy_eglDestroySurface)
DEFINE(epoxy_eglGetCurrentContext)
DEFINE(epoxy_eglGetCurrentDisplay)
DEFINE(epoxy_eglGetCurrentSurface)
DEFINE(epoxy_eglGetDisplay)
DEFINE(epoxy_eglGetError)
DEFINE(epoxy_eglGetProcAddress)
DEFINE(epoxy_eglInitialize)
DEFINE(epoxy_eglMakeCurrent)
DEFINE(epoxy_eglQueryAPI)
DEFINE(epoxy_eglQueryString)
DEFINE(epoxy_eglQuerySurface)
DEFINE(epoxy_eglGetPlatformDisplayEXT)
DEFINE(epoxy_eglQueryDevicesEXT)
#define GL_FUNCTION(name) DEFINE(epoxy_gl##name)
#include "functions.def"
#undef GL_FUNCTION
#undef DEFINE

/* ---- finding them ---- */

struct function {
    const char *name;
    void (**to)(void);
};

#define FUNCTION(name)                                                                                                             \
    {                                                                                                                              \
#name, (void (**)(void)) & epoxy_##name                                                                                    \
    }
/* Of EGL 1.4. */
static const struct function egl_functions[] = {
    FUNCTION(eglBindAPI),           FUNCTION(eglChooseConfig),   FUNCTION(eglCreateContext),     FUNCTION(eglCreatePbufferSurface),
    FUNCTION(eglDestroyContext),    FUNCTION(eglDestroySurface), FUNCTION(eglGetCurrentContext), FUNCTION(eglGetCurrentDisplay),
    FUNCTION(eglGetCurrentSurface), FUNCTION(eglGetDisplay),     FUNCTION(eglGetError),          FUNCTION(eglGetProcAddress),
    FUNCTION(eglInitialize),        FUNCTION(eglMakeCurrent),    FUNCTION(eglQueryAPI),          FUNCTION(eglQueryString),
    FUNCTION(eglQuerySurface),
};
static const struct function egl_extensions[] = {
    FUNCTION(eglGetPlatformDisplayEXT),
    FUNCTION(eglQueryDevicesEXT),
};
#define GL_FUNCTION(name) FUNCTION(gl##name),
static const struct function gl_functions[] = {
#include "functions.def"
};
#undef GL_FUNCTION

#define COUNT(list) (sizeof(list) / sizeof *(list))

static enum status found;
static struct err why;

/* Both libraries stay loaded: drivers leave threads and handlers behind. */
static void find_all(void)
{
    void *egl = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL), *gles;

    if (!egl)
        egl = dlopen("libEGL.so", RTLD_NOW | RTLD_LOCAL);
    if (!egl) {
        found = err_set(&why, ST_NO_GPU, "no OpenGL ES: %.300s (Debian: libegl1)", dlerror());
        return;
    }
    for (size_t i = 0; i < COUNT(egl_functions) && !found; i++)
        if (!(*egl_functions[i].to = (void (*)(void))dlsym(egl, egl_functions[i].name)))
            found = err_set(&why, ST_NO_GPU, "no OpenGL ES: libEGL lacks %s", egl_functions[i].name);
    if (found)
        return;
    for (size_t i = 0; i < COUNT(egl_extensions); i++)
        *egl_extensions[i].to = eglGetProcAddress(egl_extensions[i].name);
    gles = dlopen("libGLESv2.so.2", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < COUNT(gl_functions); i++) {
        *gl_functions[i].to = eglGetProcAddress(gl_functions[i].name);
        if (!*gl_functions[i].to && gles)
            *gl_functions[i].to = (void (*)(void))dlsym(gles, gl_functions[i].name);
    }
}

enum status gl_functions_begin(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_all);
    return found ? err_set(err, found, "%s", why.msg) : ST_OK;
}

void gl_functions_find(EGLDisplay display)
{
    (void)display; /* they have been found */
}

/* ---- what epoxy tells of a display and of the current context ---- */

/* "1.5 …" and "OpenGL ES 3.2 …" as 15 and 32. */
static int version_of(const char *text)
{
    const char *digits = text ? strpbrk(text, "0123456789") : NULL;
    char *end;
    long major = digits ? strtol(digits, &end, 10) : 0;

    return major && *end == '.' ? (int)(10 * major + strtol(end + 1, NULL, 10)) : 0;
}

/* Among words with spaces between them. */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = list; at && (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

int epoxy_egl_version(EGLDisplay display)
{
    return version_of(eglQueryString(display, EGL_VERSION));
}

bool epoxy_has_egl_extension(EGLDisplay display, const char *extension)
{
    return has_word(eglQueryString(display, EGL_EXTENSIONS), extension);
}

int epoxy_gl_version(void)
{
    return version_of((const char *)glGetString(GL_VERSION));
}

bool epoxy_is_desktop_gl(void)
{
    const char *version = (const char *)glGetString(GL_VERSION);

    return version && strncmp(version, "OpenGL ES", 9) != 0;
}

bool epoxy_has_gl_extension(const char *extension)
{
    return has_word((const char *)glGetString(GL_EXTENSIONS), extension);
}
