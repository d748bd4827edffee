/* SPDX-License-Identifier: Apache-2.0 */
/* aside.c - see aside.h */
#include "lib/gl/device/aside.h"

#include <stdlib.h>

static bool make_current(struct gl_context *c)
{
    return eglMakeCurrent(c->display, c->surface, c->surface, c->context);
}

/* In memory of its own, which a thread that is left behind keeps. */
struct aside {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface;
    struct gl_job job;
    EGLint refused; /* what EGL said where it did not make the context current, there or here; or 0 */
};

static void run_aside(void *arg, struct gl_watch *w)
{
    struct aside *a = arg;

    if (!eglBindAPI(EGL_OPENGL_ES_API) || !eglMakeCurrent(a->display, a->surface, a->surface, a->context)) {
        a->refused = eglGetError();
        return;
    }
    a->job.run(a->job.arg, w);
    if (!gl_watch_is_left(w) && !eglMakeCurrent(a->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT))
        a->refused = eglGetError();
}

static void drop_aside(void *arg)
{
    struct aside *a = arg;

    a->job.drop(a->job.arg);
    free(a);
}

/* A context that shares with the one that hangs; made by a thread as well, for a driver may hang there, too. */
struct spare {
    struct gl_context context; /* display and policy alone to begin with */
    EGLContext share;
    bool made;
};

static void make_spare(void *arg, struct gl_watch *w)
{
    struct spare *s = arg;

    (void)w;
    s->made = eglBindAPI(EGL_OPENGL_ES_API) && gl_context_make(&s->context, s->share);
    if (s->made)
        s->made = eglMakeCurrent(s->context.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

/* The first context of its helpers is gone, theirs with it, and what they compiled. */
static void begin_anew(struct gl_context *c)
{
    const uint32_t dismissals = c->programs.helpers.dismissals;

    if (gl_helpers_any(&c->programs.helpers))
        gl_context_call_helpers(c);
    c->programs.helpers.dismissals = dismissals + 1;
    gl_programs_cool(&c->programs);
    gl_context_forget(c);
}

static enum status take_spare(struct gl_context *c, const struct spare *s, struct err *err)
{
    c->lost[c->n_lost++] = c->context;
    c->context = s->context.context;
    c->surface = s->context.surface;
    if (!make_current(c)) {
        c->stuck = true;
        return err_set(err, ST_FAILED, "the GPU context that took the place of one that hangs cannot be made current");
    }
    begin_anew(c);
    return ST_OK;
}

/* A function of our own: Android's linker has no relocation for the address of free itself here. */
static void drop_spare(void *s)
{
    free(s);
}

static enum status replace(struct gl_context *c, struct err *err)
{
    struct spare *s = calloc(1, sizeof *s);
    bool done;
    enum status st;

    c->watch = s ? gl_watch_new() : NULL;
    if (!c->watch) {
        free(s);
        c->stuck = true;
        return err_set(err, ST_NOMEM, "out of memory");
    }
    s->context.display = c->display;
    s->context.limits.policy = c->limits.policy;
    s->share = c->context;
    if ((done = gl_watch_run(c->watch, (struct gl_job){make_spare, drop_spare, s}, c->compile_timeout_ms)) && s->made) {
        st = take_spare(c, s, err);
        free(s);
        return st;
    }
    if (done)
        free(s);
    else
        c->watch = NULL;
    c->stuck = true;
    return err_set(err, ST_FAILED,
                   "the driver's compiler did not end within %u ms (--gpu_compile_timeout_ms), and the driver makes no second "
                   "context that could go on",
                   c->compile_timeout_ms);
}

static bool is_watched(struct gl_context *c)
{
    if (!c->compile_timeout_ms || c->adopted || c->n_lost == GL_MAX_LOST)
        return false;
    if (!c->watch)
        c->watch = gl_watch_new();
    return c->watch != NULL;
}

enum status gl_aside(struct gl_context *c, struct gl_job job, bool *left, struct err *err)
{
    struct aside *a = is_watched(c) ? malloc(sizeof *a) : NULL;
    EGLint refused;

    *left = false;
    if (!a) {
        job.run(job.arg, NULL);
        return ST_OK;
    }
    *a = (struct aside){.display = c->display, .context = c->context, .surface = c->surface, .job = job};
    if (!eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT))
        a->refused = eglGetError();
    else if ((*left = !gl_watch_run(c->watch, (struct gl_job){run_aside, drop_aside, a}, c->compile_timeout_ms)))
        return replace(c, err);
    refused = !make_current(c) ? eglGetError() : a->refused;
    free(a);
    if (refused)
        return err_set(err, ST_FAILED, "EGL does not hand the context to another thread (EGL error 0x%x)", refused);
    return ST_OK;
}
