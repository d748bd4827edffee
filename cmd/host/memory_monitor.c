/* SPDX-License-Identifier: Apache-2.0 */
/* memory_monitor.c - a thread that sleeps on a condition, so that it ends at once. */
#include "cmd/host/memory_monitor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/host/memory.h"

struct memory_monitor {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int32_t interval_ms;
    bool stop;     /* under the lock */
    uint64_t most; /* the thread's until it is joined */
};

static void look(struct memory_monitor *m)
{
    const uint64_t now = memory_now().rss_bytes;

    if (now > m->most)
        m->most = now;
}

static struct timespec next_look(const struct memory_monitor *m)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += m->interval_ms / 1000;
    t.tv_nsec += m->interval_ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

static void *watch(void *arg)
{
    struct memory_monitor *m = arg;

    pthread_mutex_lock(&m->lock);
    do {
        struct timespec until = next_look(m);

        look(m);
        while (!m->stop && pthread_cond_timedwait(&m->ended, &m->lock, &until) == 0)
            ;
    } while (!m->stop);
    pthread_mutex_unlock(&m->lock);
    look(m);
    return NULL;
}

enum status memory_monitor_start(int32_t interval_ms, struct memory_monitor **out, struct err *err)
{
    struct memory_monitor *m = *out = calloc(1, sizeof *m);
    pthread_condattr_t monotonic;
    int code;

    if (!m)
        return err_set(err, ST_NOMEM, "out of memory");
    m->interval_ms = interval_ms;
    pthread_mutex_init(&m->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&m->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (!(code = pthread_create(&m->thread, NULL, watch, m)))
        return ST_OK;
    pthread_cond_destroy(&m->ended);
    pthread_mutex_destroy(&m->lock);
    free(m);
    *out = NULL;
    return err_set(err, ST_FAILED, "no thread to watch memory with: %s", strerror(code));
}

uint64_t memory_monitor_stop(struct memory_monitor *m)
{
    uint64_t most;

    if (!m)
        return 0;
    pthread_mutex_lock(&m->lock);
    m->stop = true;
    pthread_cond_signal(&m->ended);
    pthread_mutex_unlock(&m->lock);
    pthread_join(m->thread, NULL);
    pthread_cond_destroy(&m->ended);
    pthread_mutex_destroy(&m->lock);
    most = m->most;
    free(m);
    return most;
}
