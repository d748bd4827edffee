/* SPDX-License-Identifier: Apache-2.0 */
/* awake.c - see awake.h. No lock is shared with the threads: one that is not run while it holds a lock, since others want the
 * processor, would hold up the inference. */
#define _GNU_SOURCE /* sched_getaffinity, SCHED_IDLE */
#include "awake.h"
#include "../pause.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST 16

struct gl_awake {
    sem_t begin; /* at most one for each thread */
    atomic_bool spin, quit;
    atomic_uint spinning;
    uint32_t begun;
    int n;
    pthread_t id[MOST];
};

static void *stay_awake(void *arg)
{
    struct gl_awake *a = arg;

    if (pthread_setschedparam(pthread_self(), SCHED_IDLE, &(struct sched_param){0}))
        return NULL;
    while (!atomic_load(&a->quit)) {
        while (sem_wait(&a->begin) && errno == EINTR)
            ;
        atomic_fetch_add(&a->spinning, 1);
        while (atomic_load(&a->spin))
            pause_briefly();
        atomic_fetch_sub(&a->spinning, 1);
    }
    return NULL;
}

static void let_go(struct gl_awake *a)
{
    int waiting = 0;

    for (sem_getvalue(&a->begin, &waiting); waiting < a->n; waiting++)
        sem_post(&a->begin);
}

struct gl_awake *gl_awake_new(void)
{
    cpu_set_t may;
    const int processors = sched_getaffinity(0, sizeof may, &may) ? 1 : CPU_COUNT(&may);
    struct gl_awake *a = processors > 1 ? calloc(1, sizeof *a) : NULL;

    if (!a)
        return NULL;
    sem_init(&a->begin, 0, 0);
    while (a->n < MOST && a->n < processors && !pthread_create(&a->id[a->n], NULL, stay_awake, a))
        a->n++;
    return a;
}

void gl_awake_free(struct gl_awake *a)
{
    if (!a)
        return;
    atomic_store(&a->quit, true);
    gl_awake_end(a);
    let_go(a);
    for (int i = 0; i < a->n; i++) {
        /* One that ends as a thread of the idle class waits until nobody else wants its processor. */
        pthread_setschedparam(a->id[i], SCHED_OTHER, &(struct sched_param){0});
        pthread_join(a->id[i], NULL);
    }
    sem_destroy(&a->begin);
    free(a);
}

void gl_awake_begin(struct gl_awake *a)
{
    if (!a)
        return;
    a->begun++;
    atomic_store(&a->spin, true);
    let_go(a);
}

void gl_awake_end(struct gl_awake *a)
{
    if (a)
        atomic_store(&a->spin, false);
}

uint32_t gl_awake_spinning(const struct gl_awake *a)
{
    return a ? atomic_load(&a->spinning) : 0;
}

uint32_t gl_awake_begun(const struct gl_awake *a)
{
    return a ? a->begun : 0;
}
