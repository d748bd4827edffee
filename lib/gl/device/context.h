/* SPDX-License-Identifier: Apache-2.0 */
/* context.h - an OpenGL ES 3.1 context without a window, on a device of choice.
 *
 * Tried in this order: the devices of EGL's device platform (vendor drivers, Mesa's GPUs, Mesa's software renderer), and if none of
 * these works Mesa's surfaceless platform, then the default display (Android). Hardware is preferred. No GL library is loaded
 * before gl_context_open or gl_list_devices is called.
 *
 * EGL displays are never terminated: a display is shared by everyone in the process who asks for it. */
#pragma once

#include <pthread.h>

#include "lib/base/err.h"
#include "lib/delegate/delegate.h"
#include "lib/gl/device/current.h"
#include "lib/gl/device/headers.h"
#include "lib/gl/device/limits.h"
#include "lib/gl/device/program.h"

struct gl_watch;

/* The function that tells of a reset: the one of OpenGL ES 3.2, GL_KHR_robustness or GL_EXT_robustness. */
enum gl_reset_query { GL_RESET_QUERY_NONE, GL_RESET_QUERY_CORE, GL_RESET_QUERY_KHR, GL_RESET_QUERY_EXT };

/* Most contexts that hang in the compiler, before no more programs are compiled. */
#define GL_MAX_LOST 3

struct gl_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface;      /* 1x1 if the driver needs one, else EGL_NO_SURFACE; of an adopted context, the caller's */
    EGLSurface read_surface; /* of an adopted context alone */
    bool adopted;            /* the caller made it and destroys it */
    pthread_t thread;        /* the only one that may use it */
    struct gl_limits limits;
    char platform[24]; /* "EGL device 0", "surfaceless", "default display" */
    char renderer[128], version[128];
    char text[288];        /* renderer and version: the label of results */
    bool timer_query;      /* EXT_disjoint_timer_query, with bits to count in */
    bool timestamps;       /* and its clock can be read in between (GL_TIMESTAMP_EXT) */
    bool parallel_compile; /* KHR_parallel_shader_compile */
    enum gl_reset_query reset_query;
    bool resets_told; /* the context was made so that it tells when the GPU was reset */
    uint32_t pending; /* number of inferences of partitions that were handed over since the last wait */
    bool stuck; /* work given to it does not come to an end (gl_wait): the context is used no more, and its objects are left to the
                   end of the process */
    uint32_t compile_timeout_ms;  /* longest time that the driver's compiler may make no progress; 0: no bound */
    struct gl_watch *watch;       /* thread that compiles; NULL: not yet made */
    EGLContext lost[GL_MAX_LOST]; /* [n_lost] contexts that hang in the compiler and were replaced */
    uint32_t n_lost;
    struct gl_programs programs;
    struct gl_state now[1 + GL_MAX_HELPERS]; /* by `who` of gl_helpers: see bind.h */
};

/* Call device() with every usable device. ST_NO_GPU if there is none. */
enum status gl_list_devices(delegate_device_fn device, void *arg, struct err *err);

/* Open device `index` of gl_list_devices, or the best one for -1. The thread's current context stays current. ST_NO_GPU: the
 * message lists the attempts and the packages to install. */
enum status gl_context_open(int32_t index, struct gl_context **out, struct err *err);

/* Take over the context that the calling thread has current, of OpenGL ES 3.1 or later, which the caller goes on using and outlives
 * *out. ST_USAGE if none is current, ST_NO_GPU if it does not suffice. Each gl_context_leave binds programs, buffers, textures and
 * images as at the enter; GL errors that the caller left unread are lost. */
enum status gl_context_adopt(struct gl_context **out, struct err *err);

/* Make a new context that shares its objects with the calling thread's current one, which stays current. Errors as of
 * gl_context_adopt. */
enum status gl_context_share(struct gl_context **out, struct err *err);

/* Make a context on the display, current, which shares its objects with `share` unless that is EGL_NO_CONTEXT: the base of the
 * three functions above. NULL with the reason in *why. */
struct gl_context *gl_context_new(EGLDisplay display, const char *platform, EGLContext share, const char **why);

/* Make the EGL context, and its surface, in c, which has a display and a policy, and make it current: a step of gl_context_new. */
bool gl_context_make(struct gl_context *c, EGLContext share);

/* Let helpers compile programs beside the thread (helpers.h) from now on, if the driver compiles late and no query is begun, since
 * a query belongs to one context. Call once the policy is final, with a context of gl_context_open. */
void gl_context_call_helpers(struct gl_context *c);

/* Let the device pass for one that offers no more than `most`, and no extension to OpenGL ES 3.1. For tests. */
void gl_context_clamp(struct gl_context *c, const struct gl_limits *most);

/* Close the context. If it is current and not adopted, no context is current afterwards. Accepts NULL. */
void gl_context_close(struct gl_context *c);

/* Make the context current and store in *before the thread's current state, for gl_context_leave; NULL: the context stays current.
 * Enters and leaves may nest. Fails on another thread than the one that opened it, and if it is stuck; then nothing has changed. */
enum status gl_context_enter(struct gl_context *c, struct gl_current *before, struct err *err);

/* Return true if the context is current on this thread, and not stuck: GL takes calls. */
bool gl_context_is_current(const struct gl_context *c);

/* Forget the bindings that runs have made, in the helpers' contexts too, and make the first texture unit of the first context the
 * active one. gl_context_enter does so: call this if within the same enter anything is bound in another way than by bind.h, deleted
 * or made before the next run. */
void gl_context_forget(struct gl_context *c);

/* Make the state in *before current again. Returns st, the status of the work done meanwhile, or ST_FAILED if st is ST_OK and EGL
 * refuses. */
enum status gl_context_leave(struct gl_context *c, const struct gl_current *before, enum status st, struct err *err);

/* Check for errors. Fails if GL recorded an error or lost the GPU since the last check: "GL_OUT_OF_MEMORY while compiling". */
enum status gl_context_check(struct gl_context *c, const char *doing, struct err *err);
