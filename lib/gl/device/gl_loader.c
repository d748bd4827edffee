/* SPDX-License-Identifier: Apache-2.0 */
/* gl_loader.c - functions.h, and epoxy's pointers and questions, without epoxy.
 *
 * For Android and static programs, and for libdelegauge_gpu.so: programs that load it may have a libepoxy of their own, and it
 * shares no symbol with them. Debian has libepoxy as a shared library alone, so what lib/gl calls of it is here: the same
 * pointers. */
#include "lib/gl/device/functions.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DEFINE(name)        __typeof__(name) name;
#define EGL_FUNCTION(name)  DEFINE(epoxy_egl##name)
#define EGL_EXTENSION(name) DEFINE(epoxy_egl##name)
#include "lib/gl/device/egl_functions.def"
#undef EGL_EXTENSION
#undef EGL_FUNCTION
#define GL_FUNCTION(name) DEFINE(epoxy_gl##name)
#include "lib/gl/device/functions.def"
#undef GL_FUNCTION
#undef DEFINE

/* ---- finding them ---- */

static enum status found;
static struct err why;

#ifdef STATIC_BUILD

static void find_all(void)
{
    found = err_set(&why, ST_NO_GPU, "no GPU: this program is linked statically and loads no driver");
}

#else

struct function {
    const char *name;
    void (**to)(void);
};

#define FUNCTION(name)                                                                                                             \
    {                                                                                                                              \
#name, (void (**)(void)) & epoxy_##name                                                                                    \
    }
#define EGL_FUNCTION(name) FUNCTION(egl##name),
#define EGL_EXTENSION(name)
static const struct function egl_functions[] = {
#include "lib/gl/device/egl_functions.def"
};
#undef EGL_EXTENSION
#undef EGL_FUNCTION
#define EGL_FUNCTION(name)
#define EGL_EXTENSION(name) FUNCTION(egl##name),
static const struct function egl_extensions[] = {
#include "lib/gl/device/egl_functions.def"
};
#undef EGL_EXTENSION
#undef EGL_FUNCTION
#define GL_FUNCTION(name) FUNCTION(gl##name),
static const struct function gl_functions[] = {
#include "lib/gl/device/functions.def"
};
#undef GL_FUNCTION

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Both libraries stay loaded: drivers leave threads and handlers behind. */
static void find_all(void)
{
    void *egl = dlopen(LIB_EGL, RTLD_NOW | RTLD_LOCAL), *gles = dlopen(LIB_GLES, RTLD_NOW | RTLD_LOCAL);

    if (!egl || !gles) {
        found = err_set(&why, ST_NO_GPU, GL_NOT_LOADED, egl ? LIB_GLES : LIB_EGL);
        return;
    }
    for (size_t i = 0; i < COUNT(egl_functions) && !found; i++)
        if (!(*egl_functions[i].to = (void (*)(void))dlsym(egl, egl_functions[i].name)))
            found = err_set(&why, ST_NO_GPU, "no GPU: libEGL lacks %s", egl_functions[i].name);
    if (found)
        return;
    for (size_t i = 0; i < COUNT(egl_extensions); i++)
        *egl_extensions[i].to = eglGetProcAddress(egl_extensions[i].name);
    for (size_t i = 0; i < COUNT(gl_functions); i++) {
        *gl_functions[i].to = eglGetProcAddress(gl_functions[i].name);
        if (!*gl_functions[i].to)
            *gl_functions[i].to = (void (*)(void))dlsym(gles, gl_functions[i].name);
    }
}

#endif

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
