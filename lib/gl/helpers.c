/* SPDX-License-Identifier: Apache-2.0 */
/* helpers.c - see helpers.h */
#include "helpers.h"

#include <pthread.h>

#include "../clock.h"
#include "../threads.h"

/* What is found in a cache takes less than this, and making a context 5 to 35 ms (llvmpipe of Mesa 22.3.6, 25.0.7). */
#define PATIENCE_NS (10u * (uint64_t)1000000u)

/* A compiler may want more than small C libraries give. */
#define STACK_BYTES ((size_t)8 << 20)

void gl_helpers_init(struct gl_helpers *h, EGLDisplay display, EGLContext first,
                     EGLContext (*make)(EGLDisplay display, EGLContext share))
{
    const int others = threads_processors() - 1;

    *h = (struct gl_helpers){.display = display,
                             .first = first,
                             .make = make,
                             .patience_ns = PATIENCE_NS,
                             .most = others < GL_MAX_HELPERS ? (uint32_t)others : GL_MAX_HELPERS};
}

bool gl_helpers_any(const struct gl_helpers *h)
{
    return h->most > 0;
}

void gl_helpers_dismiss(struct gl_helpers *h)
{
    for (uint32_t i = 0; i < h->most; i++) {
        if (h->list[i])
            eglDestroyContext(h->display, h->list[i]);
        h->list[i] = EGL_NO_CONTEXT;
    }
}

/* ---- sharing ---- */

struct work {
    struct gl_helpers *h;
    uint32_t n, next; /* jobs `next` to n - 1 are not yet begun */
    void (*job)(void *arg, uint32_t i, uint32_t who);
    void *arg;
};

struct helper {
    struct work *work;
    uint32_t who;
    pthread_t thread;
    GLenum error;
    bool refused;
};

static bool take(struct work *w, uint32_t who)
{
    const uint32_t i = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED);

    if (i < w->n)
        w->job(w->arg, i, who);
    return i < w->n;
}

/* Without a context of its own it leaves the work to the others. */
static void *help(void *arg)
{
    struct helper *self = arg;
    struct gl_helpers *h = self->work->h;
    EGLContext *own = &h->list[self->who - 1];

    if (eglBindAPI(EGL_OPENGL_ES_API) && (*own || (*own = h->make(h->display, h->first))) &&
        eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, *own)) {
        while (take(self->work, self->who))
            ;
        glFinish();
        self->error = glGetError();
        self->refused = !eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    eglReleaseThread();
    return NULL;
}

static void note(struct gl_helpers *h, GLenum error, bool refused)
{
    if (!h->error)
        h->error = error;
    h->refused |= refused;
}

/* The calling thread does what no other does, so that none of them is needed. */
static void share(struct work *w)
{
    struct helper helpers[GL_MAX_HELPERS];
    uint32_t n = 0;
    pthread_attr_t attributes;
    bool sized = !pthread_attr_init(&attributes) && !pthread_attr_setstacksize(&attributes, STACK_BYTES);

    for (; n < w->h->most && n + 1 < w->n; n++) {
        helpers[n] = (struct helper){.work = w, .who = n + 1};
        if (pthread_create(&helpers[n].thread, sized ? &attributes : NULL, help, &helpers[n]))
            break;
    }
    while (take(w, 0))
        ;
    for (uint32_t i = 0; i < n; i++) {
        pthread_join(helpers[i].thread, NULL);
        note(w->h, helpers[i].error, helpers[i].refused);
    }
    pthread_attr_destroy(&attributes);
}

void gl_helpers_share(struct gl_helpers *h, uint32_t n, void (*job)(void *arg, uint32_t i, uint32_t who), void *arg)
{
    const bool alone = !h || !gl_helpers_any(h);
    struct work w = {.h = h, .n = n, .job = job, .arg = arg};
    const uint64_t start = clock_ns();

    while (w.n && (alone || clock_ns() - start < h->patience_ns))
        job(arg, --w.n, 0);
    if (w.n) {
        glFinish(); /* what was made until now is there for them */
        share(&w);
    }
}

/* ---- turns ---- */

void gl_helpers_turn(struct gl_helpers *h, uint32_t who)
{
    if (who == h->turn)
        return;
    glFinish();
    if (h->turn)
        note(h, glGetError(), false);
    if (eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, who ? h->list[who - 1] : h->first))
        h->turn = who;
    else
        note(h, GL_NO_ERROR, true);
}

GLenum gl_helpers_error(struct gl_helpers *h)
{
    const GLenum e = h->refused ? GL_CONTEXT_LOST : h->error;

    h->refused = false;
    h->error = GL_NO_ERROR;
    return e;
}
