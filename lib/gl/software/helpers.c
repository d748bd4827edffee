/* SPDX-License-Identifier: Apache-2.0 */
/* helpers.c - see helpers.h */
#include "lib/gl/software/helpers.h"

#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/clock.h"
#include "lib/base/threads.h"

/* What is found in a cache takes less than this, and making a context 5 to 35 ms (llvmpipe of Mesa 22.3.6, 25.0.7). */
#define PATIENCE_NS (10u * (uint64_t)1000000u)

/* And each less than this, but for the first, with which a driver makes what all need (4 ms there). */
#define FOUND_NS ((uint64_t)1000000u)

/* A compiler may want more than small C libraries give. */
#define STACK_BYTES ((size_t)8 << 20)

void gl_helpers_init(struct gl_helpers *h, EGLDisplay display, EGLContext first,
                     EGLContext (*make)(EGLDisplay display, EGLContext share))
{
    /* Contexts reserve memory, too, and drivers do not outlive an allocation that fails. */
    const int others = threads_have_bounded_memory() ? 0 : threads_processors() - 1;

    *h = (struct gl_helpers){.display = display,
                             .make = make,
                             .context = {first},
                             .patience_ns = PATIENCE_NS,
                             .found_ns = FOUND_NS,
                             .most = others < GL_MAX_HELPERS ? (uint32_t)others : GL_MAX_HELPERS};
}

bool gl_helpers_any(const struct gl_helpers *h)
{
    return h->most > 0;
}

void gl_helpers_dismiss(struct gl_helpers *h)
{
    for (uint32_t who = 1; who <= h->most; who++) {
        if (h->context[who])
            eglDestroyContext(h->display, h->context[who]);
        h->context[who] = EGL_NO_CONTEXT;
    }
    h->dismissals++;
}

/* ---- sharing ---- */

struct work {
    struct gl_helpers *h;
    uint32_t n;
    _Atomic uint32_t next; /* jobs `next` to n - 1 are not yet begun */
    void (*job)(void *arg, uint32_t i, uint32_t who);
    void *arg;
};

struct helper {
    struct work *work;
    uint32_t who;
    pthread_t thread;
    GLenum error;
    EGLint refused;
};

static bool take(struct work *w, uint32_t who)
{
    const uint32_t i = atomic_fetch_add(&w->next, 1);

    if (i < w->n)
        w->job(w->arg, i, who);
    return i < w->n;
}

static bool make_current(const struct gl_helpers *h, EGLContext context)
{
    return eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

/* Without a context of its own it leaves the work to the others, and where none is left it makes no context. */
static void *help(void *arg)
{
    struct helper *self = arg;
    struct gl_helpers *h = self->work->h;
    EGLContext *own = &h->context[self->who];

    if (atomic_load(&self->work->next) >= self->work->n)
        return NULL;
    if (eglBindAPI(EGL_OPENGL_ES_API) && (*own || (*own = h->make(h->display, h->context[0]))) && make_current(h, *own)) {
        while (take(self->work, self->who))
            ;
        glFinish();
        self->error = glGetError();
        self->refused = make_current(h, EGL_NO_CONTEXT) ? 0 : eglGetError();
    }
    eglReleaseThread();
    return NULL;
}

static void note(struct gl_helpers *h, GLenum error, EGLint refused)
{
    if (!h->error)
        h->error = error;
    if (refused)
        h->refused = refused;
}

/* The calling thread does what no other does, so that none of them is needed. */
static void share(struct work *w)
{
    struct helper helpers[GL_MAX_HELPERS];
    uint32_t n = 0;
    pthread_attr_t attributes;
    const bool sized = !pthread_attr_init(&attributes);

    if (sized)
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
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
    if (sized)
        pthread_attr_destroy(&attributes);
}

void gl_helpers_share(struct gl_helpers *h, uint32_t n, void (*job)(void *arg, uint32_t i, uint32_t who), void *arg)
{
    struct work w = {.h = h, .n = n, .job = job, .arg = arg};
    const uint64_t start = clock_ns();

    if (!h || !gl_helpers_any(h)) {
        for (uint32_t i = 0; i < n; i++)
            job(arg, i, 0);
        return;
    }
    for (bool found = true; w.n && found && clock_ns() - start < h->patience_ns;) {
        const uint64_t before = clock_ns();

        job(arg, --w.n, 0);
        found = w.n < 2 || w.n + 1 == n || clock_ns() - before < h->found_ns;
    }
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
        note(h, glGetError(), 0);
    if (make_current(h, h->context[who]))
        h->turn = who;
    else
        note(h, GL_NO_ERROR, eglGetError());
}

GLenum gl_helpers_error(struct gl_helpers *h)
{
    const GLenum e = h->error;

    h->error = GL_NO_ERROR;
    return e;
}

EGLint gl_helpers_refused(struct gl_helpers *h)
{
    const EGLint e = h->refused;

    h->refused = 0;
    return e;
}
