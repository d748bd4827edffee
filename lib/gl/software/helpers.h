/* SPDX-License-Identifier: Apache-2.0 */
/* helpers.h - more contexts of a device, each with a thread of its own while programs are compiled.
 *
 * Some drivers compile in the thread that asks, and machine code only when a context first dispatches a program, for that context
 * alone (gl_policy.dynamic_compile). Contexts that share their objects then compile side by side, and each program is dispatched by
 * the one that has its code. Before another context takes over, all work is finished, as OpenGL ES 3.2 asks for (chapter 5), which
 * costs such a driver one or two microseconds, as it computes within glDispatchCompute. Objects bound in a helper's context stay
 * bound until it dispatches something else or goes: storage that is deleted meanwhile is kept as long. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/gl/device/headers.h"

#define GL_MAX_HELPERS 7

/* The helpers of a context that needs no surface. That context is called the first; only the thread that has it current calls the
 * functions below. `who` tells contexts apart: 0 is the first, 1 and so on are the helpers'. Zeroed: there are no helpers. */
struct gl_helpers {
    EGLDisplay display;
    EGLContext (*make)(EGLDisplay display, EGLContext share); /* on any thread; EGL_NO_CONTEXT if EGL makes none */
    uint64_t patience_ns; /* helpers are called in when the thread by itself has worked so long, */
    uint64_t found_ns;    /* or another job than the first has taken so long: it was found in no cache */
    uint32_t most;        /* largest number of helpers */
    uint32_t dismissals;  /* number of dismissals by gl_helpers_dismiss: programs that helpers compiled before are gone */
    uint32_t turn;        /* `who` of the current context */
    EGLContext context[1 + GL_MAX_HELPERS]; /* by `who`; EGL_NO_CONTEXT: not yet made */
    GLenum error;                           /* the first GL error in their contexts that gl_helpers_error has not told */
    EGLint refused; /* EGL's error when it did not make one of the contexts current, until gl_helpers_refused tells it; or 0 */
};

/* Allow as many helpers as there are processors beside the thread's; none if the process's memory is bounded. */
void gl_helpers_init(struct gl_helpers *h, EGLDisplay display, EGLContext first,
                     EGLContext (*make)(EGLDisplay display, EGLContext share));

/* True if there may be a helper. */
bool gl_helpers_any(const struct gl_helpers *h);

/* Destroy the helpers' contexts, none of which is current. Call this before a linked program is deleted: Mesa deletes the code that
 * it made for another context later, when that context is made current, and loses the code in use there (free_zombie_shaders,
 * 22.3.6). */
void gl_helpers_dismiss(struct gl_helpers *h);

/* Call job(arg, i, who) once for each i below n, on the calling thread (`who` is 0) and, if it pays, on helpers' threads; each has
 * the context of `who` current. Returns when all is done. The jobs best stand in the order of their times, the longest first: the
 * last ones show whether it pays. The first context is current, and stays so. NULL for h: there are no helpers. */
void gl_helpers_share(struct gl_helpers *h, uint32_t n, void (*job)(void *arg, uint32_t i, uint32_t who), void *arg);

/* Make the context of `who` current, the first for 0, once all work dispatched before is done. */
void gl_helpers_turn(struct gl_helpers *h, uint32_t who);

/* Return the first GL error of the helpers' contexts since the last call, or GL_NO_ERROR. */
GLenum gl_helpers_error(struct gl_helpers *h);

/* Return the last EGL error for which a context was not made current since the last call, or 0. */
EGLint gl_helpers_refused(struct gl_helpers *h);
