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

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <pthread.h>

#include "../err.h"
#include "limits.h"
#include "program.h"

struct gl_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* 1x1 where the driver cannot go without one, else EGL_NO_SURFACE */
    pthread_t thread;   /* the only one that may use it */
    struct gl_limits limits;
    char platform[24]; /* "EGL device 0", "surfaceless", "default display" */
    char renderer[128], version[128];
    char text[288];        /* renderer and version: what results are labelled with */
    bool timer_query;      /* EXT_disjoint_timer_query, with bits to count in */
    bool parallel_compile; /* KHR_parallel_shader_compile */
    bool reset_status;     /* glGetGraphicsResetStatus may be called */
    bool stuck; /* what it was given does not come to an end (gl_wait): nothing more is done with it, and what it holds is
                   left to the end of the process */
    struct gl_programs programs;
};

/* Describes every usable device: one call of line() per line of text, without newline. ST_NO_GPU where there is none. */
enum status gl_list_devices(void (*line)(void *arg, const char *text), void *arg, struct err *err);

/* Opens device `index` of gl_list_devices, or the best one for -1, and makes its context current. ST_NO_GPU: the message says what
 * was tried and what to install. */
enum status gl_context_open(int32_t index, struct gl_context **out, struct err *err);

/* From now on the device passes for one that offers no more than `most`, and no extension to OpenGL ES 3.1. For tests. */
void gl_context_clamp(struct gl_context *c, const struct gl_limits *most);

/* Accepts NULL. */
void gl_context_close(struct gl_context *c);

/* Makes the context current. Fails on another thread than the one that opened it, and where it is stuck. */
enum status gl_context_enter(struct gl_context *c, struct err *err);

/* Fails if GL recorded an error or lost the GPU since the last check: "GL_OUT_OF_MEMORY while compiling". */
enum status gl_context_check(struct gl_context *c, const char *doing, struct err *err);

#endif
