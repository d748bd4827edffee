/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c - counters in epoxy's table of functions.
 *
 * epoxy replaces an entry at its first call by the function that it finds, and the counter with it, so that each counter looks
 * after its entry. Functions are called by several threads (helpers.h). */
#include "lib/gl/gpu/objects.h"
#include "lib/gl/device/headers.h"

#include <stdatomic.h>

enum kind { BUFFERS, TEXTURES, PROGRAMS, SHADERS, QUERIES, FENCES, CONTEXTS, KINDS };

static const char *const names[KINDS] = {"GL buffers", "GL textures", "GL programs", "GL shaders",
                                         "GL queries", "GL fences",   "EGL contexts"};
static atomic_bool wanted;
static atomic_llong held[KINDS];

static void count(enum kind kind, long long more)
{
    atomic_fetch_add(&held[kind], more);
}

static GLsizei not_zero(GLsizei n, const GLuint *list)
{
    GLsizei some = 0;

    for (GLsizei i = 0; i < n; i++)
        some += list[i] != 0;
    return some;
}

/* real_X is what EGL finds: what stands in epoxy's table before its first call looks there itself, and would find the counter. A
 * function that EGL does not find is not counted. LISTS has names without gl: those with it are macros. */
#define COUNTER(function)                                                                                                          \
    static __typeof__(epoxy_##function) real_##function;                                                                           \
    static __typeof__(*epoxy_##function) counting_##function;                                                                      \
    static void watch_##function(void)                                                                                             \
    {                                                                                                                              \
        if (!real_##function && (real_##function = (__typeof__(epoxy_##function))eglGetProcAddress(#function)))                    \
            epoxy_##function = counting_##function;                                                                                \
    }

#define LISTS(makes, deletes, kind)                                                                                                \
    COUNTER(gl##makes)                                                                                                             \
    COUNTER(gl##deletes)                                                                                                           \
    static void counting_gl##makes(GLsizei n, GLuint *list)                                                                        \
    {                                                                                                                              \
        real_gl##makes(n, list);                                                                                                   \
        count(kind, not_zero(n, list));                                                                                            \
    }                                                                                                                              \
    static void counting_gl##deletes(GLsizei n, const GLuint *list)                                                                \
    {                                                                                                                              \
        count(kind, -not_zero(n, list));                                                                                           \
        real_gl##deletes(n, list);                                                                                                 \
    }

LISTS(GenBuffers, DeleteBuffers, BUFFERS)
LISTS(GenTextures, DeleteTextures, TEXTURES)
LISTS(GenQueriesEXT, DeleteQueriesEXT, QUERIES)
COUNTER(glCreateProgram)
COUNTER(glDeleteProgram)
COUNTER(glCreateShader)
COUNTER(glDeleteShader)
COUNTER(glFenceSync)
COUNTER(glDeleteSync)
COUNTER(eglCreateContext)
COUNTER(eglDestroyContext)

static GLuint counting_glCreateProgram(void)
{
    const GLuint made = real_glCreateProgram();

    count(PROGRAMS, made != 0);
    return made;
}

static void counting_glDeleteProgram(GLuint program)
{
    count(PROGRAMS, -(program != 0));
    real_glDeleteProgram(program);
}

static GLuint counting_glCreateShader(GLenum type)
{
    const GLuint made = real_glCreateShader(type);

    count(SHADERS, made != 0);
    return made;
}

static void counting_glDeleteShader(GLuint shader)
{
    count(SHADERS, -(shader != 0));
    real_glDeleteShader(shader);
}

static GLsync counting_glFenceSync(GLenum condition, GLbitfield flags)
{
    const GLsync made = real_glFenceSync(condition, flags);

    count(FENCES, made != NULL);
    return made;
}

static void counting_glDeleteSync(GLsync fence)
{
    count(FENCES, -(fence != NULL));
    real_glDeleteSync(fence);
}

static EGLContext counting_eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attributes)
{
    const EGLContext made = real_eglCreateContext(display, config, share, attributes);

    count(CONTEXTS, made != EGL_NO_CONTEXT);
    return made;
}

static EGLBoolean counting_eglDestroyContext(EGLDisplay display, EGLContext context)
{
    const EGLBoolean done = real_eglDestroyContext(display, context);

    count(CONTEXTS, -(done == EGL_TRUE));
    return done;
}

void gl_objects_watch(void)
{
    if (!atomic_load(&wanted))
        return;
    if (!real_eglDestroyContext)
        count(CONTEXTS, 1); /* the current one was made before the counters were there */
    watch_glGenBuffers();
    watch_glDeleteBuffers();
    watch_glGenTextures();
    watch_glDeleteTextures();
    watch_glGenQueriesEXT();
    watch_glDeleteQueriesEXT();
    watch_glCreateProgram();
    watch_glDeleteProgram();
    watch_glCreateShader();
    watch_glDeleteShader();
    watch_glFenceSync();
    watch_glDeleteSync();
    watch_eglCreateContext();
    watch_eglDestroyContext();
}

void gl_objects_held(struct delegate_facts *to)
{
    atomic_store(&wanted, true);
    for (int kind = 0; kind < KINDS; kind++) {
        const long long n = atomic_load(&held[kind]);

        facts_add(to, &(struct delegate_fact){names[kind], "objects", n > 0 ? (uint64_t)n : 0}, 1);
    }
}
