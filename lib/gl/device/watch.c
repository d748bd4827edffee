/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - see watch.h */
#include "lib/gl/device/watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/threads.h"
#include "lib/gl/device/headers.h"

/* A compiler may want more than small C libraries give. */
#define STACK_BYTES ((size_t)8 << 20)

#define MS ((uint64_t)1000000u)

struct gl_watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct gl_job job;
    bool has_job, ends, left;
    uint64_t ticked; /* when the job began or made headway */
};

static void drop(struct gl_watch *w)
{
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

/* False: the thread is to end. */
static bool wait_for_job(struct gl_watch *w, struct gl_job *job)
{
    bool has_job;

    pthread_mutex_lock(&w->lock);
    while (!w->has_job && !w->ends)
        pthread_cond_wait(&w->changed, &w->lock);
    *job = w->job;
    has_job = w->has_job;
    pthread_mutex_unlock(&w->lock);
    return has_job;
}

/* False: nobody waits for it. */
static bool end_job(struct gl_watch *w)
{
    bool left;

    pthread_mutex_lock(&w->lock);
    w->has_job = false;
    left = w->left;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return !left;
}

static void *work(void *arg)
{
    struct gl_watch *w = arg;
    struct gl_job job;

    while (wait_for_job(w, &job)) {
        job.run(job.arg, w);
        if (end_job(w))
            continue;
        job.drop(job.arg);
        drop(w);
        break;
    }
    eglReleaseThread();
    return NULL;
}

static bool start(struct gl_watch *w)
{
    pthread_attr_t attributes;
    bool started;

    if (pthread_attr_init(&attributes))
        return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    started = !pthread_create(&w->thread, &attributes, work, w);
    pthread_attr_destroy(&attributes);
    return started;
}

struct gl_watch *gl_watch_new(void)
{
    struct gl_watch *w = threads_have_bounded_memory() ? NULL : calloc(1, sizeof *w);
    pthread_condattr_t attributes;

    if (!w)
        return NULL;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&w->lock, NULL);
    if (start(w))
        return w;
    drop(w);
    return NULL;
}

/* Until the job is done, or so long after its last headway. */
static bool wait_for_end(struct gl_watch *w, uint64_t timeout_ns)
{
    while (w->has_job && clock_ns() - w->ticked < timeout_ns) {
        const uint64_t until = w->ticked + timeout_ns;
        const struct timespec at = {(time_t)(until / (1000 * MS)), (long)(until % (1000 * MS))};

        pthread_cond_timedwait(&w->changed, &w->lock, &at);
    }
    return !w->has_job;
}

bool gl_watch_run(struct gl_watch *w, struct gl_job job, uint32_t timeout_ms)
{
    bool done;

    pthread_mutex_lock(&w->lock);
    w->job = job;
    w->has_job = true;
    w->ticked = clock_ns();
    pthread_cond_broadcast(&w->changed);
    done = wait_for_end(w, timeout_ms * MS);
    if (!done) {
        w->left = true;
        threads_leave(w->thread);
    }
    pthread_mutex_unlock(&w->lock);
    return done;
}

void gl_watch_tick(struct gl_watch *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ticked = clock_ns();
    pthread_mutex_unlock(&w->lock);
}

bool gl_watch_is_left(struct gl_watch *w)
{
    bool left;

    if (!w)
        return false;
    pthread_mutex_lock(&w->lock);
    left = w->left;
    pthread_mutex_unlock(&w->lock);
    return left;
}

void gl_watch_free(struct gl_watch *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    drop(w);
}
