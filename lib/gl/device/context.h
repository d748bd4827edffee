/* SPDX-License-Identifier: Apache-2.0 */
/* context.h - an OpenGL ES 3.1 context without a window, on a device of choice.
 *
 * Tried in this order: the devices of EGL's device platform (vendor drivers, Mesa's GPUs, Mesa's software renderer), and where
 * none of these works Mesa's surfaceless platform, then the default display (Android). Hardware is preferred. No GL library
 * is loaded before gl_context_open or gl_list_devices is called.
 *
 * EGL displays are never terminated: a display is shared by everyone in the process who asks for it. */
#ifndef DELEGAUGE_GL_CONTEXT_H
#define DELEGAUGE_GL_CONTEXT_H

#include <pthread.h>

#include "lib/base/err.h"
#include "lib/delegate/delegate.h"
#include "lib/gl/device/current.h"
#include "lib/gl/device/headers.h"
#include "lib/gl/device/limits.h"
#include "lib/gl/device/program.h"

struct gl_watch;

/* Which function tells of a reset: that of OpenGL ES 3.2, GL_KHR_robustness or GL_EXT_robustness. */
enum gl_reset_query { GL_RESET_QUERY_NONE, GL_RESET_QUERY_CORE, GL_RESET_QUERY_KHR, GL_RESET_QUERY_EXT };

/* Contexts that a compiler may take with it, before it is asked no more. */
#define GL_MAX_LOST 3

struct gl_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* 1x1 where the driver cannot go without one, else EGL_NO_SURFACE; of an adopted context, the caller's */
    EGLSurface read_surface; /* of an adopted context alone */
    bool adopted;            /* the caller made it and destroys it */
    pthread_t thread;        /* the only one that may use it */
    struct gl_limits limits;
    char platform[24]; /* "EGL device 0", "surfaceless", "default display" */
    char renderer[128], version[128];
    char text[288];        /* renderer and version: what results are labelled with */
    bool timer_query;      /* EXT_disjoint_timer_query, with bits to count in */
    bool parallel_compile; /* KHR_parallel_shader_compile */
    enum gl_reset_query reset_query;
    bool resets_told; /* it was made so that it tells when the GPU was reset */
    uint32_t pending; /* inferences of partitions that were handed over since anybody waited */
    bool stuck;       /* what it was given does not come to an end (gl_wait): nothing more is done with it, and what it holds is
                         left to the end of the process */
    uint32_t compile_timeout_ms;  /* for which the driver's compiler may make no headway; 0: as long as it likes */
    struct gl_watch *watch;       /* its thread; NULL: not yet made */
    EGLContext lost[GL_MAX_LOST]; /* [n_lost] contexts that hang in the compiler, in whose place others were made */
    uint32_t n_lost;
    struct gl_programs programs;
    struct gl_state now[1 + GL_MAX_HELPERS]; /* by `who` of gl_helpers: see bind.h */
};

/* Calls device() with every usable device. ST_NO_GPU where there is none. */
enum status gl_list_devices(delegate_device_fn device, void *arg, struct err *err);

/* Opens device `index` of gl_list_devices, or the best one for -1. What the thread had current stays current. ST_NO_GPU: the
 * message says what was tried and what to install. */
enum status gl_context_open(int32_t index, struct gl_context **out, struct err *err);

/* Takes over the context that the calling thread has current, of OpenGL ES 3.1 or later, which the caller goes on using and
 * outlives *out. ST_USAGE where none is current, ST_NO_GPU where it does not do. Each time it is left, programs, buffers, textures
 * and images are bound as when it was entered; GL errors that the caller left unread are lost. */
enum status gl_context_adopt(struct gl_context **out, struct err *err);

/* Makes a context of its own that shares its objects with the one that the calling thread has current, which stays so. Errors as of
 * gl_context_adopt. */
enum status gl_context_share(struct gl_context **out, struct err *err);

/* What the three above are made of: a context on that display, current, which shares its objects with `share` unless that is
 * EGL_NO_CONTEXT. NULL with the reason in *why. */
struct gl_context *gl_context_new(EGLDisplay display, const char *platform, EGLContext share, const char **why);

/* Of that, what makes a context and a surface of it in c, which has a display and a policy; current. */
bool gl_context_make(struct gl_context *c, EGLContext share);

/* From now on helpers may compile programs beside the thread (helpers.h), where the driver compiles late and no query is begun,
 * which belongs to one context: once the policy is final. For a context of gl_context_open. */
void gl_context_call_helpers(struct gl_context *c);

/* From now on the device passes for one that offers no more than `most`, and no extension to OpenGL ES 3.1. For tests. */
void gl_context_clamp(struct gl_context *c, const struct gl_limits *most);

/* Where it is current and not adopted, nothing is afterwards. Accepts NULL. */
void gl_context_close(struct gl_context *c);

/* Makes the context current and keeps in *before what was, for gl_context_leave; NULL: it stays current. Enters and leaves may
 * nest. Fails on another thread than the one that opened it, and where it is stuck; then everything is as it was. */
enum status gl_context_enter(struct gl_context *c, struct gl_current *before, struct err *err);

/* What runs have bound is not known any more, in the helpers' contexts neither; in the first the first texture unit is the active
 * one. gl_context_enter does so: to be called where within the same enter anything is bound in another way than by bind.h, deleted
 * or made before the next run. */
void gl_context_forget(struct gl_context *c);

/* Makes that current again. Returns st, what was done meanwhile came to, or ST_FAILED where that is ST_OK and EGL refuses. */
enum status gl_context_leave(struct gl_context *c, const struct gl_current *before, enum status st, struct err *err);

/* Fails if GL recorded an error or lost the GPU since the last check: "GL_OUT_OF_MEMORY while compiling". */
enum status gl_context_check(struct gl_context *c, const char *doing, struct err *err);

#endif
